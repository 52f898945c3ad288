"""CORD2R, GRID and elements."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.formats.bdf.work import Bulk, unsupported
from bondline.leaves.fe.formats.draft import Written
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.histories import STEADY


def cord2r(row: Row, bulk: Bulk) -> None:
    """Axes by an origin, a point on z and a point in the plane of x and z."""
    number = row.label(0, "the system")
    unsupported(row, 1, "the reference system")
    a, b, c = (
        np.array([row.number(i + j, "a coordinate", 0.0) for j in range(3)])
        for i in (2, 5, 8)
    )
    z, y = b - a, np.cross(b - a, c - a)
    if not np.linalg.norm(y) > 0.0:
        raise row.wrong("its three points are in one line.", "Move the third point.")
    axes = np.array([np.cross(y, z), y, z])
    bulk.frames[number] = a, axes / np.linalg.norm(axes, axis=1)[:, None]


def grid(row: Row, bulk: Bulk) -> None:
    """Number, system, coordinates; dofs that are held."""
    number = row.label(0, "the grid point")
    if number in bulk.draft.nodes:
        raise row.wrong(f"grid point {number} is there already.", "Number it anew.")
    x, y, z = (row.number(i, "a coordinate", 0.0) for i in (2, 3, 4))
    unsupported(row, 5, "the system of displacements (CD)")
    system = row.word(1, "0")
    if system != "0":
        origin, axes = _frame(row, bulk)
        x, y, z = (origin + np.array([x, y, z]) @ axes).tolist()
    bulk.draft.nodes[number] = x, y, z


def _frame(row: Row, bulk: Bulk) -> tuple[np.ndarray, np.ndarray]:
    number = row.label(1, "the system")
    if number not in bulk.frames:
        raise row.wrong(
            f"there is no CORD2R {number}.", "Use a CORD2R, or the basic system."
        )
    return bulk.frames[number]


def held_grid(row: Row, bulk: Bulk) -> None:
    """The dofs that a GRID holds in all cases."""
    for digit in row.word(6):
        if digit in "123456":
            at = bulk.draft.rows[row.label(0, "the grid point")], int(digit) - 1
            bulk.draft.acting.held[at] = 0.0, STEADY


def _element(row: Row, bulk: Bulk, kind: str, nodes: tuple[int, ...]) -> None:
    number = row.label(0, "the element")
    if number in bulk.draft.elements:
        raise row.wrong(f"element {number} is there already.", "Number it anew.")
    if len(set(nodes)) < len(nodes):
        raise row.wrong("a grid point is there twice.", "Give each once.")
    bulk.draft.elements[number] = Written(kind, nodes, kind)


def _propertied(row: Row, bulk: Bulk, kind: str, nodes: tuple[int, ...]) -> None:
    _element(row, bulk, kind, nodes)
    property_of = row.label(1, "the property", row.label(0, "the element"))
    bulk.used.setdefault(property_of, []).append(row.label(0, "the element"))


def plain(kind: str, count: int, row: Row, bulk: Bulk) -> None:
    """Number, property, grid points."""
    nodes = tuple(bulk.node(row, 2 + i) for i in range(count))
    _propertied(row, bulk, kind, nodes)


def shell(kind: str, count: int, row: Row, bulk: Bulk) -> None:
    """Number, property, grid points, an angle without effect, ZOFFS."""
    plain(kind, count, row, bulk)
    for i in range(count + 4, len(row)):
        unsupported(row, i, "a thickness or a flag")
    bulk.draft.elements[row.label(0, "the element")] = Written(
        kind, tuple(bulk.node(row, 2 + i) for i in range(count)),
        repr(row.number(count + 3, "ZOFFS", 0.0)),
    )  # fmt: skip


def chexa(row: Row, bulk: Bulk) -> None:
    """Eight grid points."""
    if len(row) != 10:
        raise row.wrong(f"it has {len(row) - 2} grid points.", "Give eight.")
    plain("C3D8", 8, row, bulk)


def ctetra(row: Row, bulk: Bulk) -> None:
    """Four or ten grid points."""
    if len(row) not in (6, 12):
        raise row.wrong(f"it has {len(row) - 2} grid points.", "Give four or ten.")
    plain("C3D4" if len(row) == 6 else "C3D10", len(row) - 2, row, bulk)


def cbar(row: Row, bulk: Bulk) -> None:
    """Two grid points and a vector in plane 1, or a grid point it goes to."""
    for i in range(8, 16):
        unsupported(row, i, "a pin flag or an offset")
    ends = bulk.node(row, 2), bulk.node(row, 3)
    _propertied(row, bulk, "B31", ends)
    if row.word(4).isdigit() and not row.word(5):
        away = np.array(bulk.draft.nodes[bulk.node(row, 4)])
        vector = away - np.array(bulk.draft.nodes[ends[0]])
    else:
        vector = np.array([row.number(i, "the vector", 0.0) for i in (4, 5, 6)])
    if not np.linalg.norm(vector) > 0.0:
        raise row.wrong("the orientation vector is zero.", "Give it: X1, X2, X3.")
    label = ",".join(repr(x) for x in vector.tolist())
    bulk.draft.elements[row.label(0, "the element")] = Written("B31", ends, label)
