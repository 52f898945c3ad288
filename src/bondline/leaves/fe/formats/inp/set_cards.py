"""*NSET, *ELSET, *SURFACE, *ORIENTATION."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from bondline.leaves.fe.formats.draft import SCOPE
from bondline.leaves.fe.formats.faces import FACES, SHELLS
from bondline.leaves.fe.formats.inp.card import Card, Scope
from bondline.leaves.fe.formats.inp.work import Frame, SurfaceOf, Work
from bondline.leaves.fe.formats.names import Names
from bondline.leaves.fe.formats.row import Row, short

SIDES = {"SPOS": 1, "SNEG": 2, "S1": 2, "S2": 1}  # S1, S2 of shells: CalculiX


def node_set(card: Card, work: Work) -> None:
    """Numbers and earlier sets; GENERATE: first, last, step."""
    name = card.option("NSET")
    if "ELSET" in card.options:
        scope = _scope(card, work)
        row = Row(card.place, [card.option("ELSET")])
        chosen = work.elements(row, 0, scope)
        ends = [n for e in chosen for n in work.draft.elements[e].nodes]
        work.extend(work.node_sets, name, ends, card)
    else:
        found = _members(card, work, work.node_sets, work.draft.nodes)
        work.extend(work.node_sets, name, found, card)


def element_set(card: Card, work: Work) -> None:
    """Numbers and earlier sets; GENERATE: first, last, step."""
    found = _members(card, work, work.element_sets, work.draft.elements)
    work.extend(work.element_sets, card.option("ELSET"), found, card)


def _members(
    card: Card, work: Work, sets: Names[list[int]], known: Mapping[int, object]
) -> list[int]:
    scope = _scope(card, work)
    if "GENERATE" in card.options:
        return [n for row in card.rows() for n in _range(row, scope, known, work)]
    pick = work.nodes if sets is work.node_sets else work.elements
    return [
        number
        for row in card.rows()
        for i in range(len(row))
        if row.word(i)
        for number in pick(row, i, scope)
    ]


def _scope(card: Card, work: Work) -> Scope:
    """The instance whose numbers a set lists."""
    name = card.options.get("INSTANCE")
    if name is None:
        return card.scope
    if name.upper() not in work.scopes:
        raise card.wrong(
            f"there is no instance {short(name)}.",
            f"Known: {', '.join(sorted(s.name for s in work.scopes.values()))}.",
        )
    return work.scopes[name.upper()]


def _range(
    row: Row, scope: Scope, known: Mapping[int, object], work: Work
) -> Iterator[int]:
    """Every so many from the first to the last, those that are there."""
    first, last = row.label(0, "the first number"), row.label(1, "the last number")
    by = row.label(2, "the step", 1)
    if last < first:
        raise row.wrong(f"it goes from {first} to {last}.", "Give the smaller first.")
    above = scope.number << SCOPE
    wanted = range(first, last + 1, by)
    if len(wanted) <= len(known):
        found = [n | above for n in wanted if n | above in known]
    else:
        inside = (n - above for n in known if n >> SCOPE == scope.number)
        found = sorted(n | above for n in inside if n in wanted)
    if not found:
        raise row.wrong(
            f"none of {first} to {last} is there.", "Give numbers that are defined."
        )
    if len(found) < len(wanted):
        work.draft.note(f"{row.place}: {len(wanted) - len(found)} numbers not in use.")
    yield from found


def surface(card: Card, work: Work) -> None:
    """Elements and a face of theirs (S1 ... S6, SPOS, SNEG), or nodes."""
    name = work.name(card.option("NAME"), card.scope)
    if card.choice("TYPE", ("ELEMENT", "NODE"), "ELEMENT") == "NODE":
        found = {
            number: row.positive(1, "the area", 1.0)
            for row in card.rows()
            for number in work.nodes(row, 0, card.scope)
        }
        work.surfaces.put(name, SurfaceOf(nodes=found))
        return
    faces = [
        (element, face_of(row, work.draft.elements[element].kind, row.word(1).upper()))
        for row in card.rows()
        for element in work.elements(row, 0, card.scope)
    ]
    work.surfaces.put(name, SurfaceOf(faces=list(dict.fromkeys(faces))))


def face_of(row: Row, kind: str, word: str) -> int:
    """The number of a face by its label."""
    if kind in SHELLS:
        if word in SIDES:
            return SIDES[word]
        raise row.wrong(
            f"{short(word)} is no side of a shell.",
            "Give SPOS (the side the normal comes out of) or SNEG.",
        )
    count = len(FACES.get(kind, ()))
    digits = word.removeprefix("S")
    if digits.isdigit() and len(digits) == 1 and 1 <= int(digits) <= count:
        return int(digits)
    raise row.wrong(
        f"{short(word)} is no face of {kind}.",
        f"Give S1 to S{count}." if count else f"{kind} has no faces.",
    )


def surface_nodes(surface: SurfaceOf, work: Work) -> list[int]:
    """The nodes on a surface, each once."""
    elements = work.draft.elements
    on = [
        elements[element].nodes[i]
        for element, face in surface.faces
        for i in FACES[elements[element].kind][face - 1]
    ]
    return list(dict.fromkeys([*on, *surface.nodes]))


def orientation(card: Card, work: Work) -> None:
    """Two points a, b: x' along a, y' in the plane of a and b; then a turn."""
    name = work.name(card.option("NAME"), card.scope)
    system = card.options.get("SYSTEM", "RECTANGULAR").upper()
    if not system.startswith("R") or "DEFINITION" in card.options:
        work.frames.put(name, Frame(None))
        return
    first = card.row(0, "the line with points a and b")
    a, b, c = (np.array([first.number(i + j, "a coordinate", 0.0) for i in range(3)])
               for j in (0, 3, 6))  # fmt: skip
    x = a - c
    z = np.cross(x, b - c)
    if not np.linalg.norm(z) > 1e-12 * np.linalg.norm(x) * np.linalg.norm(b - c):
        raise first.wrong(
            "points a and b are in one line with the origin.",
            "Give b away from the line through the origin and a.",
        )
    axes = np.array([x, np.cross(z, x), z])
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    axes = _turned(axes, card)
    work.frames.put(name, Frame(tuple(map(tuple, axes.tolist()))))


def _turned(axes: np.ndarray, card: Card) -> np.ndarray:
    """Local axes, turned about one of them by an angle in degrees."""
    if len(card.lines) < 2:
        return axes
    row = card.row(1, "the turn")
    about, angle = row.label(0, "the axis", 1), np.radians(row.number(1, "angle", 0.0))
    if about > 3:
        raise row.wrong(f"the axis is {about}.", "Give 1, 2 or 3.")
    i, j, k = (about - 1) % 3, about % 3, (about + 1) % 3
    turned = axes.copy()
    turned[j] = np.cos(angle) * axes[j] + np.sin(angle) * axes[k]
    turned[k] = np.cos(angle) * axes[k] - np.sin(angle) * axes[j]
    turned[i] = axes[i]
    return turned
