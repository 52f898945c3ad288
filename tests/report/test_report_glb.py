"""What is in a GLB file is where the parts were."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pygltflib
import pytest

from bondline.core import Deformed, Skin
from bondline.errors import UsageError
from bondline.report.animate import animate, animate_surfaces
from bondline.report.glb import MOST
from bondline.report.meshes import Look
from bondline.run.results import Results
from bondline.run.skins import Seen


def read(file: pygltflib.GLTF2, k: int) -> Any:
    """The array of an accessor, as a reader of the format finds it."""
    accessor = file.accessors[k]
    view = file.bufferViews[accessor.bufferView]
    wide = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
    dtype = {5126: "<f4", 5125: "<u4"}[accessor.componentType]
    data = file.binary_blob()[view.byteOffset : view.byteOffset + view.byteLength]
    found = np.frombuffer(data, dtype).reshape(-1, wide)
    assert len(found) == accessor.count
    return found


def turned(q: Any, x: Any) -> Any:
    """Vectors x turned by unit quaternions x, y, z, w."""
    v, w = q[:, :3], q[:, 3:]
    return x + 2.0 * np.cross(v, np.cross(v, x) + w * x)


def test_bars_move_and_turn_with_their_ends(run: Results, tmp_path: Path) -> None:
    file = pygltflib.GLTF2().load(str(animate(run, tmp_path / "a.glb")))
    motion = file.animations[0]
    for name, points in run.shapes.items():
        node = next(k for k, n in enumerate(file.nodes) if n.name == f"{name}.0")
        own = {
            c.target.path: motion.samplers[c.sampler]
            for c in motion.channels
            if c.target.node == node
        }
        moved = {path: read(file, s.output) for path, s in own.items()}
        times = read(file, own["scale"].input)[:, 0]
        np.testing.assert_allclose(times, run.t, atol=1e-6)
        half = 0.5 * moved["scale"][:, 2:] * np.array([0.0, 0.0, 1.0])
        along = turned(moved["rotation"], half)
        for end, k in ((-along, 0), (along, 1)):
            at = (moved["translation"] + end)[:, [0, 2]]  # it stands upright
            np.testing.assert_allclose(at, points[:, k], atol=2e-6)


def test_surfaces_have_their_shapes_as_targets(tmp_path: Path) -> None:
    none = np.zeros(0, dtype=np.intp)
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    skin = Skin(square, none.reshape(0, 3), np.array([[0, 1, 2, 3]]), none, none)
    lift = [0.01 * k * np.array([0.0, 0.0, 1.0]) for k in range(100)]
    seen = [
        Seen(k, 0.1 * k, {"plate": Deformed(np.tile(u, (4, 1)))})
        for k, u in enumerate(lift)
    ]
    path = tmp_path / "plate.glb"
    animate_surfaces("plate", ({"plate": skin}, seen), path, look=Look(scale=2.0))
    file = pygltflib.GLTF2().load(str(path))
    piece = file.meshes[0].primitives[0]
    assert read(file, piece.indices)[:, 0].tolist() == [0, 1, 2, 0, 2, 3]
    assert len(piece.targets) == MOST
    last = read(file, piece.targets[-1]["POSITION"])
    np.testing.assert_allclose(last, np.tile(2.0 * lift[-1], (4, 1)), rtol=1e-6)
    motion = file.animations[0].samplers[0]
    assert read(file, motion.input)[-1, 0] == pytest.approx(9.9)
    np.testing.assert_array_equal(
        read(file, motion.output).reshape(MOST, MOST), np.eye(MOST)
    )


def test_a_bar_that_hangs_straight_down_has_a_turn(
    run: Results, tmp_path: Path
) -> None:
    down = np.zeros((len(run.t), 2, 2))
    down[:, 1, 1] = -1.0
    still = replace(run, shapes={"rod": down})
    file = pygltflib.GLTF2().load(str(animate(still, tmp_path / "a.glb")))
    turns = read(file, file.animations[0].samplers[1].output)
    np.testing.assert_allclose(np.linalg.norm(turns, axis=1), 1.0, atol=1e-6)


def test_a_film_needs_ffmpeg_and_says_so(run: Results, tmp_path: Path) -> None:
    has = shutil.which("ffmpeg") or importlib.util.find_spec("imageio_ffmpeg")
    if has:
        film = animate(run, tmp_path / "a.mp4", fps=5)
        assert film.read_bytes()[4:8] == b"ftyp"
        return
    with pytest.raises(UsageError, match="no ffmpeg"):
        animate(run, tmp_path / "a.mp4", fps=5)
