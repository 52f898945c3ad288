"""CONM2, CELAS2, CDAMP2, RBE2 and RBE3."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.formats.bdf.work import Bulk, components, listed, unsupported
from bondline.leaves.fe.formats.draft import Written
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.fe.links import Interpolation, RigidLink
from bondline.leaves.fe.sections import Bushing, PointMass


def conm2(row: Row, bulk: Bulk) -> None:
    """A mass at a grid point, with moments of inertia."""
    unsupported(row, 2, "the system")
    for i in (4, 5, 6):
        unsupported(row, i, "an offset")
    mass = row.number(3, "the mass")
    a, ab, b, ac, bc, c = (row.number(i, "inertia", 0.0) for i in range(8, 14))
    if min(mass, a, b, c) < 0.0:
        raise row.wrong("a mass or moment is negative.", "Give 0 or more.")
    inertia = np.array([[a, -ab, -ac], [-ab, b, -bc], [-ac, -bc, c]])
    _single(row, bulk, (bulk.node(row, 1),), PointMass(mass, inertia))


def _single(
    row: Row, bulk: Bulk, nodes: tuple[int, ...], section: PointMass | Bushing
) -> None:
    number = row.label(0, "the element")
    if number in bulk.draft.elements:
        raise row.wrong(f"element {number} is there already.", "Number it anew.")
    kind = "MASS" if isinstance(section, PointMass) else "SPRING"
    bulk.draft.elements[number] = Written(kind, nodes, kind)
    bulk.draft.assign([number], section, row.place)


def celas2(row: Row, bulk: Bulk) -> None:
    """A spring: stiffness, grid point and dof of one or both ends."""
    unsupported(row, 6, "GE")
    _spring(row, bulk, damped=False)


def cdamp2(row: Row, bulk: Bulk) -> None:
    """A dashpot, as CELAS2."""
    _spring(row, bulk, damped=True)


def _spring(row: Row, bulk: Bulk, damped: bool) -> None:
    value = row.number(1, "the coefficient")
    ends = [i for i in (2, 4) if row.word(i) not in ("", "0")]
    dofs = [row.label(i + 1, "the dof") for i in ends]
    if not ends or len(set(dofs)) != 1 or dofs[0] > 6:
        raise row.wrong(
            f"it has {len(ends)} ends with dofs {dofs}.",
            "Give one or two grid points with the same dof, 1 to 6.",
        )
    nodes = tuple(bulk.node(row, i) for i in ends)
    values, none = value * np.eye(6)[dofs[0] - 1], np.zeros(6)
    section = Bushing(none, values) if damped else Bushing(values, none)
    _single(row, bulk, nodes, section)


def rbe2(row: Row, bulk: Bulk) -> None:
    """Grid points whose dofs follow the first one."""
    master = bulk.draft.rows[bulk.node(row, 1)]
    dofs = components(row, 2)
    fields = [f for f in row.fields if "." not in f]  # without a thermal coefficient
    slaves = _present(Row(row.place, fields), 3, bulk)
    if not slaves or master in slaves:
        raise row.wrong("no other grid point follows.", "Give grid points besides GN.")
    link = RigidLink(master, np.array(slaves, dtype=np.intp), dofs)
    bulk.draft.links.append(link)


def _present(row: Row, first: int, bulk: Bulk) -> list[int]:
    numbers = listed(row, first, bulk.draft.nodes)
    return list(dict.fromkeys(bulk.rows(numbers).tolist()))


def rbe3(row: Row, bulk: Bulk) -> None:
    """A grid point that follows the weighted mean of others, by their translations."""
    reference, dofs = bulk.draft.rows[bulk.node(row, 2)], components(row, 3)
    found: dict[int, float] = {}
    weight, i = 1.0, 4
    while i < len(row) and row.word(i).upper() != "ALPHA":
        if row.word(i).upper() == "UM":
            raise row.wrong("it has UM.", "Let REFGRID be all that follows.")
        if "." in row.word(i) or "e" in row.word(i):
            weight = row.positive(i, "a weight")
            if components(row, i + 1) != (0, 1, 2):
                raise row.wrong(
                    f"the dofs of the nodes are {row.word(i + 1)}.", "Give 123."
                )
            i += 1
        elif row.word(i):
            found[bulk.draft.rows[bulk.node(row, i)]] = weight
        i += 1
    if not found or reference in found:
        raise row.wrong("it has no nodes besides REFGRID.", "Give other grid points.")
    nodes, weights = (
        np.array(list(found), dtype=np.intp),
        np.array(list(found.values())),
    )
    bulk.draft.links.append(Interpolation(reference, dofs, nodes, weights))
