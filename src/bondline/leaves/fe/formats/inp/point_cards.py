"""*MASS, *ROTARY INERTIA, *SPRING and *DASHPOT."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.fe.formats.draft import plain
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.section_cards import members
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.fe.sections import Bushing, PointMass


def mass(card: Card, work: Work) -> None:
    """A mass in kg at each node of the set."""
    chosen = _labelled(card, work, "MASS", ("MASS",))
    row = card.row(0, "the mass")
    work.draft.assign(chosen, PointMass(_not_negative(row, 0, "the mass")), card.place)


def rotary_inertia(card: Card, work: Work) -> None:
    """I11, I22, I33, I12, I13, I23 in kg m² about the node."""
    chosen = _labelled(card, work, "MASS", ("ROTARYI",))
    row = card.row(0, "the moments of inertia")
    a, b, c = (_not_negative(row, i, "a moment of inertia") for i in range(3))
    ab, ac, bc = (row.number(i, "a product of inertia", 0.0) for i in (3, 4, 5))
    inertia = np.array([[a, ab, ac], [ab, b, bc], [ac, bc, c]])
    axes = _axes(card, work)
    work.draft.assign(chosen, PointMass(0.0, axes.T @ inertia @ axes), card.place)


def _not_negative(row: Row, i: int, what: str) -> float:
    value = row.number(i, what)
    if value < 0.0:
        raise row.wrong(f"{what} is {value:g}.", "Give 0 or more.")
    return value


def spring(card: Card, work: Work) -> None:
    """SPRINGA: stiffness on line 2. SPRING1, SPRING2: dofs on line 1, then it."""
    chosen = _labelled(card, work, "SPRING", ("SPRING1", "SPRING2", "SPRINGA"))
    _spread(card, work, chosen, lambda k, axes: Bushing(k, np.zeros(6), axes))


def dashpot(card: Card, work: Work) -> None:
    """As *SPRING, with the coefficient of damping."""
    chosen = _labelled(card, work, "SPRING", ("DASHPOT1", "DASHPOT2", "DASHPOTA"))
    _spread(card, work, chosen, lambda c, axes: Bushing(np.zeros(6), c, axes))


def _labelled(card: Card, work: Work, kind: str, labels: tuple[str, ...]) -> list[int]:
    """The elements of the set, if their types are among some."""
    chosen = members(card, work, (kind,))
    for number in chosen:
        label = work.draft.elements[number].label
        if label not in labels:
            raise card.wrong(
                f"element {plain(number)} is {label}.",
                f"Give *{card.title} to {', '.join(labels)} only.",
            )
    return chosen


def _spread(
    card: Card, work: Work, chosen: list[int], made: Callable[[Vector, Matrix], Bushing]
) -> None:
    """Give each element its bushing; those along one line share one."""
    value = _coefficient(card)
    axial = [e for e in chosen if work.draft.elements[e].label.endswith("A")]
    for axes, some in _directions(card, work, axial):
        work.draft.assign(some, made(value * np.eye(6)[0], axes), card.place)
    along = [e for e in chosen if not work.draft.elements[e].label.endswith("A")]
    if along:
        values = value * np.eye(6)[_component(card)]
        work.draft.assign(along, made(values, _axes(card, work)), card.place)


def _coefficient(card: Card) -> float:
    """What stands on the last data line."""
    if "NONLINEAR" in card.options or len(card.lines) > 2:
        raise card.wrong("it is not linear.", "Give one constant coefficient.")
    if not card.lines:
        raise card.wrong("the coefficient is missing.", "Give it on data line 2.")
    return list(card.rows())[-1].number(0, "the coefficient")


def _component(card: Card) -> int:
    """The dof along which a spring acts, from 0; both ends have the same."""
    if len(card.lines) < 2:
        raise card.wrong(
            "the dofs of the spring are missing.",
            "Give them on data line 1 and the coefficient on data line 2.",
        )
    row = card.row(0, "the dofs")
    first = row.label(0, "the dof")
    second = row.label(1, "the dof of the second node", first)
    if first > 6 or first != second:
        raise row.wrong(
            f"the dofs are {first} and {second}.",
            "Give one dof, 1 to 6, for both ends.",
        )
    return first - 1


def _directions(
    card: Card, work: Work, axial: list[int]
) -> Iterable[tuple[Matrix, list[int]]]:
    """Axes with the first along the element, and the elements that share them."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for number in axial:
        a, b = (
            np.array(work.draft.nodes[n]) for n in work.draft.elements[number].nodes
        )
        length = np.linalg.norm(b - a)
        if not length > 0.0:
            raise card.wrong(
                f"element {plain(number)} has no length, so no direction.",
                "Use SPRING2 with a dof for nodes at one place.",
            )
        groups.setdefault(tuple((b - a) / length), []).append(number)
    for direction, some in groups.items():
        yield framed(np.array(direction)), some


def framed(x: Vector) -> Matrix:
    """Rows of three orthonormal axes, the first along x."""
    least = np.zeros(3)
    least[np.argmin(np.abs(x))] = 1.0
    y = np.cross(x, least)
    y /= np.linalg.norm(y)
    return np.array([x, y, np.cross(x, y)])


def _axes(card: Card, work: Work) -> Matrix:
    name = card.options.get("ORIENTATION")
    if name is None:
        return np.eye(3)
    frame = work.frames.get(name, card.place, card.scope.name)
    if frame.axes is None:
        raise card.wrong(
            f"the orientation {name!r} has no fixed axes.",
            "Give *ORIENTATION with SYSTEM=RECTANGULAR.",
        )
    return np.array(frame.axes)
