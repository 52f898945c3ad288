"""*BOUNDARY and *INITIAL CONDITIONS."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bondline.errors import did_you_mean
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import Row, whole
from bondline.leaves.fe.supports import Initial
from bondline.leaves.histories import STEADY

NAMED: Mapping[str, tuple[int, ...]] = {
    "ENCASTRE": (0, 1, 2, 3, 4, 5),
    "PINNED": (0, 1, 2),
    "XSYMM": (0, 4, 5),
    "YSYMM": (1, 3, 5),
    "ZSYMM": (2, 3, 4),
    "XASYMM": (1, 2, 3),
    "YASYMM": (0, 2, 4),
    "ZASYMM": (0, 1, 5),
}


def boundary(card: Card, work: Work) -> None:
    """Node or set, first dof, last dof, displacement; or a name such as PINNED."""
    kind = card.choice("TYPE", ("DISPLACEMENT", "VELOCITY", "ACCELERATION"),
                       "DISPLACEMENT")  # fmt: skip
    held, history = work.draft.acting.held, work.history(card)
    fresh_start(card, work, "BOUNDARY", held.clear)
    for row in card.rows():
        components, value = _components(row)
        if value != 0.0 and kind != "DISPLACEMENT":
            raise row.wrong(
                f"it enforces a {kind.lower()}.",
                "Enforce the displacement: integrate its amplitude over time.",
            )
        for number in work.nodes(row, 0, card.scope):
            for component in components:
                at = work.draft.rows[number], component
                held[at] = value, (history if value else STEADY)


def _components(row: Row) -> tuple[tuple[int, ...], float]:
    word = row.word(1).upper()
    if word in NAMED:
        return NAMED[word], 0.0
    if whole(word) is None:
        raise row.wrong(
            f"{row.word(1)!r} is no dof.",
            f"Give dofs 1 to 6 or a name. {did_you_mean(word, NAMED)}",
        )
    first = row.label(1, "the first dof")
    last = row.label(2, "the last dof", first)
    if not 1 <= first <= last <= 6:
        raise row.wrong(f"the dofs are {first} to {last}.", "Give dofs from 1 to 6.")
    return tuple(range(first - 1, last)), row.number(3, "the displacement", 0.0)


def fresh_start(card: Card, work: Work, what: str, clear: Callable[[], None]) -> None:
    """With OP=NEW on its first card of this title in a step, forget earlier ones."""
    if card.choice("OP", ("MOD", "NEW"), "MOD") == "NEW":
        key = what, card.step
        if key not in work.cleared:
            clear()
        work.cleared.add(key)


def initial(card: Card, work: Work) -> None:
    """Node or set, dof, velocity (or displacement) at the start."""
    kind = card.choice("TYPE", ("VELOCITY", "DISPLACEMENT"), "")
    for row in card.rows():
        component = row.label(1, "the dof")
        if component > 6:
            raise row.wrong(f"the dof is {component}.", "Give one from 1 to 6.")
        value = row.number(2, f"the {kind.lower()}")
        nodes = work.rows(work.nodes(row, 0, card.scope))
        speed = value if kind == "VELOCITY" else 0.0
        start = Initial(nodes, component - 1, value - speed, speed)
        work.draft.initial.append(start)
