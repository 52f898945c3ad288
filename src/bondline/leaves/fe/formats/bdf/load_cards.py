"""SPC, SPC1, FORCE, MOMENT, PLOAD4 and GRAV."""

from __future__ import annotations

import numpy as np

from bondline.core import Vector
from bondline.leaves.fe.formats.bdf.work import Bulk, components, listed, unsupported
from bondline.leaves.fe.formats.faces import FACES, SHELLS
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.histories import STEADY

BOTTOM = 2  # Nastran: pressure on a shell acts along its normal


def spc(row: Row, bulk: Bulk) -> None:
    """Set; then grid point, dofs and displacement, once or twice."""
    if not _meant(row, bulk.spcs):
        return
    for i in (1, 4):
        if not row.word(i):
            continue
        value = row.number(i + 2, "the displacement", 0.0)
        for component in components(row, i + 1):
            at = bulk.draft.rows[bulk.node(row, i)], component
            bulk.draft.acting.held[at] = value, STEADY


def spc1(row: Row, bulk: Bulk) -> None:
    """Set, dofs, grid points."""
    if not _meant(row, bulk.spcs):
        return
    dofs = components(row, 1)
    for number in listed(row, 2, bulk.draft.nodes):
        for component in dofs:
            bulk.draft.acting.held[bulk.draft.rows[number], component] = 0.0, STEADY


def _meant(row: Row, wanted: dict[int, float] | None) -> float:
    """The factor of the row's set; 0 if another is meant."""
    number = row.label(0, "the set")
    return 1.0 if wanted is None else wanted.get(number, 0.0)


def force(row: Row, bulk: Bulk) -> None:
    """Set, grid point, system 0, size, direction."""
    _point(row, bulk, 0)


def moment(row: Row, bulk: Bulk) -> None:
    """As FORCE, a moment."""
    _point(row, bulk, 3)


def _point(row: Row, bulk: Bulk, first: int) -> None:
    factor = _meant(row, bulk.loads)
    unsupported(row, 2, "the system")
    vector = factor * row.number(3, "the size") * _vector(row, 4)
    at = bulk.draft.rows[bulk.node(row, 1)]
    for i, value in enumerate(vector.tolist()):
        if value:
            bulk.draft.acting.forces.put((at, first + i), value, STEADY, 0)


def _vector(row: Row, first: int) -> Vector:
    return np.array([row.number(first + i, "a direction", 0.0) for i in range(3)])


def grav(row: Row, bulk: Bulk) -> None:
    """Set, system 0, size, direction."""
    factor = _meant(row, bulk.loads)
    unsupported(row, 1, "the system")
    x, y, z = (factor * row.number(2, "the size") * _vector(row, 3)).tolist()
    if factor:
        bulk.draft.acting.gravity.append(((x, y, z), STEADY, 0))


def pload4(row: Row, bulk: Bulk) -> None:
    """Set, element, pressure; for solids two grid points that tell the face."""
    factor = _meant(row, bulk.loads)
    for i in (3, 4, 5):
        if row.word(i) and row.number(i, "P") != row.number(2, "P1"):
            raise row.wrong("the pressure varies.", "Give P1 alone, or equal numbers.")
    for i in range(8, 12):
        unsupported(row, i, "a direction of its own")
    if not factor:
        return
    value = factor * row.number(2, "the pressure")
    chosen = [bulk.element(row, 1)]
    if row.word(6).upper() == "THRU":
        ends = Row(row.place, [row.word(1), "THRU", row.word(7)])
        chosen = listed(ends, 0, bulk.draft.elements)
    for element in chosen:
        face = _face(row, bulk, element)
        bulk.draft.acting.pressures.put((element, face), value, STEADY, 0)


def _face(row: Row, bulk: Bulk, element: int) -> int:
    kind, nodes, _ = bulk.draft.elements[element]
    if kind in SHELLS:
        return BOTTOM
    if kind not in FACES:
        raise row.wrong(f"element {element} is {kind}.", "Press on shells and solids.")
    g1, g2 = bulk.node(row, 6), row.label(7, "the second grid point", 1)
    for i, face in enumerate(FACES[kind], start=1):
        on = {nodes[j] for j in face}
        if g1 in on and _fits(kind, face, nodes, (g1, g2)):
            return i
    raise row.wrong(
        f"{g1} and {g2} tell no face of element {element}.",
        "Give opposite corners of the face (CHEXA), or a corner and the grid point "
        "that is not on the face (CTETRA).",
    )


def _fits(
    kind: str, face: tuple[int, ...], nodes: tuple[int, ...], pair: tuple[int, int]
) -> bool:
    on = [nodes[j] for j in face]
    if kind == "C3D8":
        return pair[1] in on and abs(on.index(pair[0]) - on.index(pair[1])) == 2
    return pair[1] in nodes[:4] and pair[1] not in on
