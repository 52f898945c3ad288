"""Surfaces over time as VTKHDF (version 2), which VTK 9.4 and ParaView open.

One file a part: an unstructured grid whose points, cells and sets are written once, and
whose displacement (and von Mises stress) has as many rows as there are instants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import Skin
from bondline.errors import StorageError, UsageError
from bondline.run.skins import Seen

if TYPE_CHECKING:
    import h5py

_LINE, _TRIANGLE, _QUAD = 3, 5, 9  # VTK's numbers of cells


def write_vtkhdf(
    title: str, skins: Mapping[str, Skin], seen: Sequence[Seen], folder: Path
) -> list[Path]:
    """One `<part>.vtkhdf` for each part that shows its surface, in `folder`.

    Displacements are not added to the points: warp by the vector `displacement`. Nodes
    of sets and ports are 1 in arrays of their names.
    """
    if not (skins and seen):
        raise UsageError(
            title,
            "no part shows its surface, so that there is nothing to write.",
            'An owner shows a deck by draw="mesh" in its <g:fe> annotation; then run '
            "the model again.",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_write(folder / f"{n}.vtkhdf", n, s, seen) for n, s in skins.items()]
    except OSError as error:
        raise StorageError(
            str(folder),
            f"the files cannot be written ({error.strerror or error}).",
            "Check the folder, your rights and the room on the disk.",
        ) from error


def _write(path: Path, part: str, skin: Skin, seen: Sequence[Seen]) -> Path:
    import h5py

    draft = path.with_name(f".{path.name}.draft")
    try:
        with h5py.File(draft, "w") as file:
            root = file.create_group("VTKHDF", track_order=True)
            root.attrs["Version"] = np.array([2, 0], dtype=np.int64)
            kind = b"UnstructuredGrid"
            text = h5py.string_dtype("ascii", len(kind))
            root.attrs.create("Type", kind, dtype=text)
            _grid(root, skin)
            _steps(root, [s.t for s in seen])
            _fields(root, part, skin, seen)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return path


def _grid(root: h5py.Group, skin: Skin) -> None:
    """Points and cells, once: all instants point at them."""
    groups = ((skin.quads, _QUAD), (skin.triangles, _TRIANGLE), (skin.bars, _LINE))
    corners = np.concatenate([cells.ravel() for cells, _ in groups])
    sizes = np.concatenate([np.full(len(c), c.shape[1]) for c, _ in groups])
    types = np.concatenate([np.full(len(c), k, dtype=np.uint8) for c, k in groups])
    counts = {
        "NumberOfPoints": len(skin.points),
        "NumberOfCells": len(types),
        "NumberOfConnectivityIds": len(corners),
    }
    for name, count in counts.items():
        root[name] = np.array([count], dtype=np.int64)
    root["Points"] = skin.points
    root["Connectivity"] = corners.astype(np.int64)
    root["Offsets"] = np.append(0, np.cumsum(sizes)).astype(np.int64)
    root["Types"] = types


def _steps(root: h5py.Group, times: Sequence[float]) -> None:
    steps, none = root.create_group("Steps"), np.zeros(len(times), dtype=np.int64)
    steps.attrs["NSteps"] = np.int64(len(times))
    steps["Values"] = np.array(times, dtype=np.float64)
    steps["NumberOfParts"] = np.ones(len(times), dtype=np.int64)
    steps["PartOffsets"] = none
    steps["PointOffsets"] = none
    steps["CellOffsets"] = none[:, None]
    steps["ConnectivityIdOffsets"] = none[:, None]
    steps.create_group("PointDataOffsets")


def _fields(root: h5py.Group, part: str, skin: Skin, seen: Sequence[Seen]) -> None:
    root.create_group("PointData")
    moved = [s.parts[part] for s in seen]
    _moving(root, "displacement", [d.displacement for d in moved], skin)
    if skin.stressed:
        _moving(root, "von_mises", [d.mises for d in moved], skin)
    if skin.strained:
        _moving(root, "plastic_strain", [d.plastic for d in moved], skin)
    if len(skin.ids):
        _still(root, "id", skin.ids.astype(np.int64), len(seen))
    named = {f"port.{n}": rows for n, rows in skin.ports.items()}
    named |= {f"set.{n}": rows for n, rows in skin.sets.items()}
    for name, rows in named.items():
        inside = np.zeros(len(skin.points), dtype=np.uint8)
        inside[rows] = 1
        _still(root, name.replace("/", "_"), inside, len(seen))


def _moving(root: h5py.Group, name: str, states: Sequence[Any], skin: Skin) -> None:
    """An array with rows of its own for every instant."""
    root["PointData"][name] = np.concatenate(states).astype(np.float32)
    first = np.arange(len(states), dtype=np.int64) * len(skin.points)
    root["Steps/PointDataOffsets"][name] = first


def _still(root: h5py.Group, name: str, values: NDArray[Any], steps: int) -> None:
    """An array that all instants share."""
    root["PointData"][name] = values
    root["Steps/PointDataOffsets"][name] = np.zeros(steps, dtype=np.int64)
