"""Which card belongs to which: steps, parts, instances, cards of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bondline.errors import nearest
from bondline.leaves.fe.formats.findings import Findings
from bondline.leaves.fe.formats.inp.card import OUTSIDE, Card, Scope, squeezed
from bondline.leaves.fe.formats.inp.register import (
    CARDS,
    ELSEWHERE,
    PASSED_OVER,
    REMEDIES,
    STRUCTURE,
)
from bondline.leaves.fe.formats.row import short

MOST_INSTANCES = 1000
TURNED = ("BEAM SECTION", "BEAM GENERAL SECTION", "ORIENTATION")


@dataclass
class Nest:
    """The deck's cards in order, each with its step and the instance it is in."""

    findings: Findings
    cards: list[Card] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    scopes: dict[str, Scope] = field(default_factory=dict)
    instances: dict[int, Card] = field(default_factory=dict)
    parts: dict[str, list[Card]] = field(default_factory=dict)
    part: list[Card] | None = None
    scope: Scope = OUTSIDE
    step: Card | None = None
    steps: int = 0

    def take(self, cards: Iterable[Card]) -> None:
        """Sort in all cards."""
        for card in cards:
            with self.findings.gathering():
                self._one(card)
        if self.step is not None:
            with self.findings.gathering():
                raise self.step.wrong("the step does not end.", "Add *END STEP.")

    def _one(self, card: Card) -> None:
        key = squeezed(card.title)
        if key in PASSED_OVER:
            if key != "HEADING":
                self.notes.append(f"{card.place} is passed over.")
            return
        _understood(card, key)
        if key in STRUCTURE:
            self._structure(card, key)
            return
        card.title = CARDS[key].title
        parents = CARDS[key].under
        if parents:
            self._parent(card, parents).under.append(card)
        else:
            self._top(card)

    def _top(self, card: Card) -> None:
        if card.title == "STEP":
            if self.step is not None or self.part is not None:
                raise card.wrong(
                    "it is inside another step, or inside a part.",
                    "End those before: *END STEP, *END PART.",
                )
            self.steps += 1
            self.step = card
        card.step = self.steps if self.step is not None else 0
        card.scope = self.scope
        (self.cards if self.part is None else self.part).append(card)

    def _parent(self, card: Card, parents: tuple[str, ...]) -> Card:
        if parents == ("STEP",) and self.step is not None:
            return self.step
        before = self.cards if self.part is None else self.part
        if before and before[-1].title in parents:
            return before[-1]
        raise card.wrong(
            f"it does not belong to a *{' or *'.join(parents)}.",
            f"Put it right after *{parents[0]} and what belongs to that.",
        )

    def _structure(self, card: Card, key: str) -> None:
        match key:
            case "ENDSTEP":
                if self.step is None:
                    raise card.wrong("no step is open.", "Take it out, or add *STEP.")
                self.step = None
            case "PART":
                self.part = self.parts.setdefault(card.option("NAME").upper(), [])
            case "ENDPART":
                self.part = None
            case "INSTANCE":
                self._instance(card)
            case "ENDINSTANCE":
                self.scope = OUTSIDE

    def _instance(self, card: Card) -> None:
        """Take in the cards of a part once more, in a scope of their own."""
        name, part = card.option("NAME"), card.option("PART")
        if part.upper() not in self.parts:
            raise card.wrong(
                f"there is no part {short(part)}.",
                f"Known: {', '.join(sorted(self.parts)) or 'none'}.",
            )
        if name.upper() in self.scopes or len(self.scopes) >= MOST_INSTANCES:
            raise card.wrong(
                f"{short(name)} is there already, or there are too many instances.",
                f"Give each its own name; at most {MOST_INSTANCES}.",
            )
        self.scope = Scope(name, len(self.scopes) + 1)
        self.scopes[name.upper()] = self.scope
        self.instances[self.scope.number] = card
        for of_part in self.parts[part.upper()]:
            if len(card.lines) > 1 and of_part.title in TURNED:
                raise card.wrong(
                    f"it turns a part with *{of_part.title}, whose directions "
                    "would have to turn, too.",
                    "Write the instance's nodes and directions out.",
                )
            self.cards.append(replace(of_part, scope=self.scope))


def _understood(card: Card, key: str) -> None:
    """The card and its options are known."""
    if key in CARDS:
        options: Mapping[str, object] = dict.fromkeys(CARDS[key].options.split())
    elif key in STRUCTURE:
        options = dict.fromkeys(STRUCTURE[key].split())
    else:
        raise card.wrong("this card is not understood.", _instead(key))
    for option in card.options:
        if option not in options:
            close = nearest(option, options)
            hint = f"Did you mean {close}? " if close else ""
            known = ", ".join(options) or "none"
            raise card.wrong(
                f"the option {short(option)} is not understood.",
                f"{hint}It could change the result, so it is not passed over. "
                f"Known: {known}.",
            )


def _instead(key: str) -> str:
    if key in REMEDIES:
        return REMEDIES[key]
    close = nearest(key, [*CARDS, *STRUCTURE, *ELSEWHERE])
    hint = (
        f"Did you mean *{CARDS[close].title if close in CARDS else close}? "
        if close
        else ""
    )
    return (
        f"{hint}It could change the result, so it is not passed over: take it out, "
        "or write it with cards of the table in docs/reference/decks.md."
    )
