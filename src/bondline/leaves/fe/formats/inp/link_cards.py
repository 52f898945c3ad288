"""*RIGID BODY, *KINEMATIC COUPLING, *COUPLING, *EQUATION and *MPC."""

from __future__ import annotations

from itertools import chain

import numpy as np

from bondline.leaves.fe.formats.faces import FACES
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.mesh_cards import continued
from bondline.leaves.fe.formats.inp.set_cards import surface_nodes
from bondline.leaves.fe.formats.inp.work import SurfaceOf, Work
from bondline.leaves.fe.formats.row import Row, short
from bondline.leaves.fe.links import ALL, Equation, Interpolation, RigidLink

MIDSIDE = (0.0, 0.0, 0.0, 1 / 3, 1 / 3, 1 / 3)  # ∫N dA / A of a triangle of six nodes


def rigid_body(card: Card, work: Work) -> None:
    """All nodes of the set follow REF NODE."""
    reference = work.reference(card, "REF NODE")
    _same_rotation(card, work, reference)
    options = [o for o in ("ELSET", "NSET", "PINNSET", "TIENSET") if o in card.options]
    if len(options) != 1:
        raise card.wrong(
            f"it names {len(options)} sets.", "Name one NSET, TIE NSET or ELSET."
        )
    row = Row(card.place, [card.options[options[0]]])
    if options[0] == "ELSET":
        chosen = work.elements(row, 0, card.scope)
        nodes = list(chain(*(work.draft.elements[e].nodes for e in chosen)))
    else:
        nodes = work.nodes(row, 0, card.scope)
    components = ALL[:3] if options[0] == "PINNSET" else ALL
    _link(card, work, (reference, nodes, components))


def _same_rotation(card: Card, work: Work, reference: int) -> None:
    if "ROTNODE" in card.options and work.reference(card, "ROT NODE") != reference:
        raise card.wrong(
            "ROT NODE is not REF NODE.",
            "Leave ROT NODE away: dofs 4 to 6 of REF NODE are its rotations.",
        )


def _link(card: Card, work: Work, link: tuple[int, list[int], tuple[int, ...]]) -> None:
    reference, nodes, components = link
    slaves = [r for r in dict.fromkeys(work.rows(nodes).tolist()) if r != reference]
    if not slaves:
        raise card.wrong("no node follows the reference.", "Give nodes besides it.")
    rows = np.array(slaves, dtype=np.intp)
    work.draft.links.append(RigidLink(reference, rows, components))


def kinematic_coupling(card: Card, work: Work) -> None:
    """Node or set, first dof, last dof; all follow REF NODE."""
    reference = work.reference(card, "REF NODE")
    for row in card.rows():
        nodes = work.nodes(row, 0, card.scope)
        _link(card, work, (reference, nodes, _dofs(row, 1)))


def _dofs(row: Row, i: int) -> tuple[int, ...]:
    if not row.word(i):
        return ALL
    first = row.label(i, "the first dof")
    last = row.label(i + 1, "the last dof", first)
    if not 1 <= first <= last <= 6:
        raise row.wrong(f"the dofs are {first} to {last}.", "Give dofs from 1 to 6.")
    return tuple(range(first - 1, last))


def coupling(card: Card, work: Work) -> None:
    """REF NODE and SURFACE; *KINEMATIC: these follow it; *DISTRIBUTING: it them."""
    if len(card.under) != 1:
        raise card.wrong(
            f"{len(card.under)} cards say how.", "Add *KINEMATIC or *DISTRIBUTING."
        )
    how, reference = card.under[0], work.reference(card, "REF NODE")
    surface = work.surfaces.get(card.option("SURFACE"), card.place, card.scope.name)
    dofs = _chosen(how)
    if how.title == "KINEMATIC":
        _link(card, work, (reference, surface_nodes(surface, work), dofs))
        return
    how.choice("WEIGHTING METHOD", ("UNIFORM",), "UNIFORM")
    nodes, weights = _weights(surface, work)
    rows = work.rows(nodes)
    if reference in rows:
        raise card.wrong(
            "REF NODE is on the surface.", "Give a node that is not on the surface."
        )
    work.draft.links.append(Interpolation(reference, dofs, rows, np.array(weights)))


def _chosen(how: Card) -> tuple[int, ...]:
    """Dofs 0 ... 5 on the data lines, or all."""
    if not how.lines:
        return ALL
    return tuple(sorted({dof for row in how.rows() for dof in _dofs(row, 0)}))


def _weights(surface: SurfaceOf, work: Work) -> tuple[list[int], list[float]]:
    """Nodes of a surface with the area that belongs to each; nodes alone count 1."""
    found = dict(surface.nodes)
    for element, face in surface.faces:
        kind, ends, _ = work.draft.elements[element]
        on = [ends[i] for i in FACES[kind][face - 1]]
        corners = on[:3] if len(on) in (3, 6) else on
        shares = MIDSIDE if len(on) == 6 else (1 / len(on),) * len(on)
        area = _area(np.array([work.draft.nodes[n] for n in corners]))
        for node, share in zip(on, shares, strict=True):
            found[node] = found.get(node, 0.0) + share * area
    used = {node: weight for node, weight in found.items() if weight > 0.0}
    return list(used), list(used.values())


def _area(corners: np.ndarray) -> float:
    """Of a triangle, or of a quadrilateral by its diagonals."""
    if len(corners) == 3:
        sides = corners[1] - corners[0], corners[2] - corners[0]
    else:
        sides = corners[2] - corners[0], corners[3] - corners[1]
    return float(np.linalg.norm(np.cross(*sides)) / 2.0)


def equation(card: Card, work: Work) -> None:
    """How many terms; then node, dof, coefficient of each, four a line."""
    rows = list(card.rows())
    while rows:
        head = rows.pop(0)
        terms = head.label(0, "the number of terms")
        fields: list[str] = []
        while len(fields) < 3 * terms and rows:
            fields += rows.pop(0).fields
        _equation(Row(head.place, fields), terms, card, work)


def _equation(row: Row, terms: int, card: Card, work: Work) -> None:
    if len(row) != 3 * terms:
        raise row.wrong(
            f"{terms} terms are announced and {len(row) / 3:g} found.",
            "Give node, dof and coefficient of every term.",
        )
    groups = [work.nodes(row, 3 * i, card.scope) for i in range(terms)]
    dofs = [row.label(3 * i + 1, "the dof") for i in range(terms)]
    values = [row.number(3 * i + 2, "the coefficient") for i in range(terms)]
    longest = max(map(len, groups))
    if any(len(group) not in (1, longest) for group in groups) or max(dofs) > 6:
        raise row.wrong(
            "sets differ in length, or a dof is above 6.",
            "Give nodes, or sets with the same number of nodes, and dofs 1 to 6.",
        )
    if values[0] == 0.0:
        raise row.wrong("the first coefficient is zero.", "Give another term first.")
    for k in range(longest):
        nodes = work.rows(group[k if len(group) > 1 else 0] for group in groups)
        components = tuple(dof - 1 for dof in dofs)
        work.draft.links.append(Equation(nodes, components, np.array(values)))


def mpc(card: Card, work: Work) -> None:
    """BEAM, TIE or PIN; a node or set that follows; the node it follows."""
    for row in continued(card, 3):
        kind = row.word(0).upper()
        if kind not in ("BEAM", "TIE", "PIN"):
            raise row.wrong(
                f"there is no MPC {short(kind)} here.",
                "Give BEAM, TIE or PIN, or write it as *EQUATION.",
            )
        nodes, masters = work.nodes(row, 1, card.scope), work.nodes(row, 2, card.scope)
        if len(masters) not in (1, len(nodes)) or len(row) != 3:
            raise row.wrong(
                "it names more nodes.", "Give two nodes, or two equal sets."
            )
        for i, node in enumerate(nodes):
            master = masters[i if len(masters) > 1 else 0]
            _follow(card, work, kind, (node, master))


def _follow(card: Card, work: Work, kind: str, pair: tuple[int, int]) -> None:
    node, master = pair
    if kind == "BEAM":
        _link(card, work, (work.draft.rows[master], [node], ALL))
        return
    rows, both = work.rows(pair), np.array([1.0, -1.0])
    for component in ALL if kind == "TIE" else ALL[:3]:
        work.draft.links.append(Equation(rows, (component, component), both))
