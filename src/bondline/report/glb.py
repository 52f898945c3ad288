"""A run moving as one GLB file: what other viewers, slides and headsets open.

Bars of mechanisms are nodes that move and turn, surfaces are meshes whose shapes at a
few dozen instants are morph targets. Displacements may be enlarged; z is up in our
models, y in glTF.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pygltflib as gl
from numpy.typing import NDArray

from bondline.core import Matrix, Skin, Vector
from bondline.report.facets import corners
from bondline.report.palette import SERIES
from bondline.run.skins import Seen
from bondline.run.space import lifted, upright

MOST = 60  # morph targets of a surface
_UP = [-np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]  # turns our z to the y of glTF
_KINDS = {"f": (gl.FLOAT, np.float32), "I": (gl.UNSIGNED_INT, np.uint32)}
_WIDTHS = {1: gl.SCALAR, 3: gl.VEC3, 4: gl.VEC4}


@dataclass
class _File:
    """A file in the making: its parts, and its numbers one after the other."""

    made: gl.GLTF2 = field(default_factory=gl.GLTF2)
    data: bytearray = field(default_factory=bytearray)

    def numbers(self, values: NDArray[Any], target: int | None = None) -> int:
        """Put an array away; the number of its accessor."""
        kind, dtype = _KINDS[values.dtype.char]
        flat = np.ascontiguousarray(values, dtype=dtype)
        wide = flat.shape[1] if flat.ndim == 2 else 1
        at = len(self.data)
        view = gl.BufferView(
            buffer=0, byteOffset=at, byteLength=flat.nbytes, target=target
        )
        self.made.bufferViews.append(view)
        self.made.accessors.append(
            gl.Accessor(
                bufferView=len(self.made.bufferViews) - 1,
                componentType=kind,
                count=len(flat),
                type=_WIDTHS[wide],
                min=np.atleast_1d(flat.min(axis=0)).tolist(),
                max=np.atleast_1d(flat.max(axis=0)).tolist(),
            )
        )
        self.data += flat.tobytes() + b"\0" * (-flat.nbytes % 4)
        return len(self.made.accessors) - 1

    def color(self, k: int) -> int:
        """A material in the k-th colour of the house."""
        text = SERIES[k % len(SERIES)].lstrip("#")
        rgb = np.array([int(text[i : i + 2], 16) for i in (0, 2, 4)]) / 255.0
        linear = (rgb**2.2).tolist()
        look = gl.PbrMetallicRoughness(
            baseColorFactor=[*linear, 1.0], metallicFactor=0.1, roughnessFactor=0.7
        )
        material = gl.Material(pbrMetallicRoughness=look, doubleSided=True)
        self.made.materials.append(material)
        return len(self.made.materials) - 1

    def node(self, **what: Any) -> int:
        """One more node below the root."""
        self.made.nodes.append(gl.Node(**what))
        self.made.nodes[0].children.append(len(self.made.nodes) - 1)
        return len(self.made.nodes) - 1

    def moves(self, node: int, path: str, times: int, values: NDArray[Any]) -> None:
        """Animate one property of a node."""
        motion = self.made.animations[0]
        sampler = gl.AnimationSampler(input=times, output=self.numbers(values))
        motion.samplers.append(sampler)
        target = gl.AnimationChannelTarget(node=node, path=path)
        last = len(motion.samplers) - 1
        channel = gl.AnimationChannel(sampler=last, target=target)
        motion.channels.append(channel)


def glb(
    title: str,
    lines: tuple[Vector, Mapping[str, Matrix]],
    surfaces: tuple[Mapping[str, Skin], Sequence[Seen]],
    scale: float = 1.0,
) -> bytes:
    """The file; `lines` are instants and polylines over them, in two or three axes."""
    file = _File()
    file.made.nodes = [gl.Node(name=title, rotation=_UP, children=[])]
    file.made.scenes, file.made.scene = [gl.Scene(nodes=[0])], 0
    file.made.animations = [gl.Animation(name="run")]
    t, shapes = lines
    for k, (name, skin) in enumerate(surfaces[0].items()):
        _surface(file, name, skin, _kept(surfaces[1]), (k, scale))
    if len(t) and shapes:
        beside = {name: lifted(x) for name, x in shapes.items()}
        _bars(file, t, beside if surfaces[0] else upright(shapes))
    if not file.made.animations[0].channels:
        file.made.animations = []
    file.made.buffers = [gl.Buffer(byteLength=len(file.data))]
    file.made.set_binary_blob(bytes(file.data))
    return b"".join(file.made.save_to_bytes())


def _kept(seen: Sequence[Seen]) -> list[Seen]:
    picks = np.linspace(0, len(seen) - 1, min(len(seen), MOST)).round().astype(int)
    return [seen[k] for k in dict.fromkeys(picks.tolist())]


def _surface(
    file: _File, name: str, skin: Skin, seen: Sequence[Seen], look: tuple[int, float]
) -> None:
    """A mesh whose weights go from one instant to the next."""
    quads = corners(skin).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    triangles = triangles[triangles[:, 1] != triangles[:, 2]]
    cells = triangles if len(triangles) else skin.bars.reshape(-1, 2)
    if not len(cells):
        return
    rest = file.numbers(skin.points.astype(np.float32), gl.ARRAY_BUFFER)
    index = file.numbers(cells.ravel().astype(np.uint32), gl.ELEMENT_ARRAY_BUFFER)
    moved = [look[1] * s.parts[name].displacement for s in seen]
    piece = gl.Primitive(
        attributes=gl.Attributes(POSITION=rest),
        indices=index,
        material=file.color(look[0]),
        mode=gl.TRIANGLES if len(triangles) else gl.LINES,
        targets=[{"POSITION": file.numbers(u.astype(np.float32))} for u in moved],
    )
    weights = [0.0] * len(moved)
    file.made.meshes.append(gl.Mesh(primitives=[piece], weights=weights, name=name))
    node = file.node(name=name, mesh=len(file.made.meshes) - 1)
    if len(seen) > 1:
        t = np.array([s.t for s in seen])
        times = file.numbers((t - t[0]).astype(np.float32))
        file.moves(node, "weights", times, np.eye(len(seen), dtype=np.float32).ravel())


def _bars(file: _File, t: Vector, shapes: Mapping[str, Matrix]) -> None:
    every = np.linspace(0, len(t) - 1, min(len(t), 600)).round().astype(int)
    times = file.numbers((t[every] - t[0]).astype(np.float32))
    whole = np.concatenate([x.reshape(-1, 3) for x in shapes.values()])
    size = float(np.ptp(whole, axis=0).max())
    owners = list(dict.fromkeys(name.partition(".")[0] for name in shapes))
    rods = [_rod(file, file.color(k)) for k in range(len(owners))]
    for name, points in shapes.items():
        rod = rods[owners.index(name.partition(".")[0])]
        for i in range(points.shape[1] - 1):
            a, b = points[every, i], points[every, i + 1]
            node = file.node(name=f"{name}.{i}", mesh=rod)
            long = np.linalg.norm(b - a, axis=1)
            thick = np.full_like(long, 0.012 * (size or 1.0))
            file.moves(node, "translation", times, (0.5 * (a + b)).astype(np.float32))
            file.moves(node, "rotation", times, _turns(b - a).astype(np.float32))
            sizes = np.stack([thick, thick, long], axis=1).astype(np.float32)
            file.moves(node, "scale", times, sizes)


def _turns(way: Matrix) -> Matrix:
    """Quaternions x, y, z, w that turn z into the rows of `way`, without jumps."""
    long = np.linalg.norm(way, axis=1, keepdims=True)
    d = way / np.where(long > 0.0, long, 1.0)
    q = np.stack([-d[:, 1], d[:, 0], np.zeros(len(d)), 1.0 + d[:, 2]], axis=1)
    q[np.abs(q).max(axis=1) < 1e-9] = [1.0, 0.0, 0.0, 0.0]  # straight down
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    flips = np.sign(np.einsum("ij,ij->i", q[1:], q[:-1]))
    q[1:] *= np.cumprod(np.where(flips == 0.0, 1.0, flips))[:, None]
    return q


def _rod(file: _File, material: int, sides: int = 12) -> int:
    """A rod of radius and length 1 around z, open at its ends."""
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    ends = [np.column_stack([ring, np.full(sides, z)]) for z in (-0.5, 0.5)]
    k = np.arange(sides)
    n = (k + 1) % sides
    faces = np.concatenate(
        [np.stack([k, n, k + sides], 1), np.stack([n, n + sides, k + sides], 1)]
    )
    points = np.concatenate(ends).astype(np.float32)
    normals = np.concatenate([np.column_stack([ring, np.zeros(sides)])] * 2)
    piece = gl.Primitive(
        attributes=gl.Attributes(
            POSITION=file.numbers(points, gl.ARRAY_BUFFER),
            NORMAL=file.numbers(normals.astype(np.float32), gl.ARRAY_BUFFER),
        ),
        indices=file.numbers(faces.ravel().astype(np.uint32), gl.ELEMENT_ARRAY_BUFFER),
        material=material,
    )
    file.made.meshes.append(gl.Mesh(primitives=[piece]))
    return len(file.made.meshes) - 1
