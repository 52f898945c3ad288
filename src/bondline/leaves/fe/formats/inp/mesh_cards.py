"""*NODE and *ELEMENT."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin

from bondline.errors import did_you_mean
from bondline.leaves.fe.formats.acting import Vector3
from bondline.leaves.fe.formats.draft import SCOPE, Written, plain
from bondline.leaves.fe.formats.faces import NODES
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.kinds import CLOSE, ENDS, KINDS, REDUCED
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import Row, short


def nodes(card: Card, work: Work) -> None:
    """Number and coordinates, in metres, a line."""
    system = card.choice("SYSTEM", ("R", "C"), "R")
    above, found = card.scope.number << SCOPE, work.draft.nodes
    fresh = []
    for row in card.rows():
        number = row.label(0, "the node's number") | above
        x, y, z = (row.number(i, "a coordinate", 0.0) for i in (1, 2, 3))
        if len(row) > 7:
            raise row.wrong(f"it has {len(row)} fields.", "Give number, x, y, z.")
        if number in found:
            raise row.wrong(
                f"node {row.word(0)} is there already.", "Give every node one number."
            )
        found[number] = (x, y, z) if system == "R" else _cylindrical(x, y, z)
        fresh.append(number)
    if "NSET" in card.options:
        work.extend(work.node_sets, card.option("NSET"), fresh, card)


def _cylindrical(r: float, degrees: float, z: float) -> Vector3:
    angle = radians(degrees)
    return r * cos(angle), r * sin(angle), z


def elements(card: Card, work: Work) -> None:
    """Number and nodes, a line; lines that end with a comma go on."""
    label = card.option("TYPE").upper()
    kind = _kind(card, label, work)
    size = ENDS.get(label) or NODES[kind]
    above, found = card.scope.number << SCOPE, work.draft.elements
    fresh = []
    for row in continued(card, size + 1):
        number = row.label(0, "the element's number") | above
        if len(row) != size + 1:
            raise row.wrong(
                f"element {row.word(0)} has {len(row) - 1} nodes.",
                f"Give the {size} nodes of {label}.",
            )
        if number in found:
            raise row.wrong(
                f"element {row.word(0)} is there already.",
                "Give every element one number.",
            )
        ends = row.labels(1, "a node")
        found[number] = Written(kind, tuple(n | above for n in ends), label)
        fresh.append(number)
    work.element_cards.append((card, fresh))
    if "ELSET" in card.options:
        work.extend(work.element_sets, card.option("ELSET"), fresh, card)


def _kind(card: Card, label: str, work: Work) -> str:
    if label in KINDS:
        if label in REDUCED:
            work.draft.note(f"{label} is computed as {REDUCED[label]}.")
        return KINDS[label]
    hint = f"Use {CLOSE[label]}. " if label in CLOSE else ""
    raise card.wrong(
        f"there is no element type {short(label)} here.",
        hint + did_you_mean(label, KINDS),
    )


def continued(card: Card, size: int) -> Iterator[Row]:
    """Rows; one that ends with a comma and is too short has the next in it."""
    held: Row | None = None
    for line, row in zip(card.lines, card.rows(), strict=True):
        if held is not None:
            row = Row(held.place, held.fields + row.fields)
        held = None
        if line.text.endswith(",") and len(row) < size:
            held = row
        else:
            yield row
    if held is not None:
        yield held


def known_nodes(work: Work) -> None:
    """All elements end at nodes that are there."""
    found = work.draft.nodes
    for card, fresh in work.element_cards:
        for i, number in enumerate(fresh):
            written = work.draft.elements[number]
            lost = next((node for node in written.nodes if node not in found), None)
            if lost is not None:
                row = list(continued(card, len(written.nodes) + 1))[i]
                raise row.wrong(
                    f"node {plain(lost)} of element {plain(number)} is not defined.",
                    f"Define node {plain(lost)}, or correct the element.",
                )
