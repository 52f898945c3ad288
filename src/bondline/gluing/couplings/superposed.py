"""The parts over one window by superposition: asked once, then told forces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from bondline.core import (
    Advance,
    Affine,
    Assembly,
    Flexibility,
    Forces,
    Freed,
    Matrix,
    PortRef,
    Rejected,
    Response,
    Signal,
    Situation,
    Vector,
    Window,
)
from bondline.gluing.couplings.probing import solves
from bondline.gluing.leverage import Levers
from bondline.gluing.loading import loads

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Superposed:
    """What every part does over `window`: one solve each, together if they can."""

    assembly: Assembly
    situation: Situation
    window: Window
    levers: Levers
    _asked: list[Mapping[str, Response] | Rejected] = field(default_factory=list)

    def answers(self) -> Mapping[str, Response] | Rejected:
        """Every part without joint forces; or the first that rejects the window.

        Not a `cached_property`: up to Python 3.11 that holds one lock for all problems
        while it is found, and a layer inside would wait for the one that asks it.
        """
        if not self._asked:
            self._asked.append(self._together() or self._one_by_one())
        return self._asked[0]

    def paid(self) -> int | Rejected:
        """What the answers cost: nothing, once they are there."""
        fresh, found = not self._asked, self.answers()
        if isinstance(found, Rejected):
            return found
        if not fresh or isinstance(found, Freed):
            return len(found) if fresh else 0
        return sum(solves(r.free) for r in found.values())

    def responses(self) -> Mapping[str, Response]:
        """The answers, where there are some."""
        found = self.answers()
        return {} if isinstance(found, Rejected) else found

    def free(self) -> Mapping[str, Advance[Any]]:
        """Where they end without joint forces; their energy is not counted."""
        found = self.responses()
        if isinstance(found, Freed):
            return found.free
        return {n: r.free for n, r in found.items()}

    def flexibilities(self) -> Mapping[str, Flexibility]:
        """Gⁱ of every part."""
        found = self.responses()
        if isinstance(found, Freed):
            return found.G
        return {n: r.G for n, r in found.items()}

    def _together(self) -> Freed | None:
        team = self.assembly.team
        if team is None or self.situation.outside:
            return None
        hands = self.assembly.hands
        return team.respond(self.situation.states, self.window, hands)

    def _one_by_one(self) -> Mapping[str, Response] | Rejected:
        outside: dict[str, dict[str, Signal]] = {n: {} for n in self.assembly.parts}
        for end, signal in self.situation.outside.items():
            outside[end.part][end.port] = signal
        states = self.situation.states
        jobs = [
            partial(self._affine(n).respond, states[n], self.window, outside[n])
            for n in self.assembly.parts
        ]
        done = self.assembly.crew.call(jobs)
        return _unless_rejected(dict(zip(self.assembly.parts, done, strict=True)))

    def _affine(self, name: str) -> Affine[Any]:
        part = self.assembly.superposing.get(name)
        assert part is not None, f"{name} says that it superposes"
        return part

    def realise(
        self, F: Matrix, more: Mapping[PortRef, Signal]
    ) -> Mapping[str, Advance[Any]] | Rejected:
        """Every part under joint forces `F`, and more loads from outside."""
        responses, team = self.responses(), self.assembly.team
        if team is not None and isinstance(responses, Freed):
            return team.realise(responses, self._told(F, more), self.assembly.hands)
        extra = loads(self.assembly, self.levers, F, more)
        jobs = [
            partial(self._affine(n).realise, responses[n], extra[n])
            for n in self.assembly.parts
        ]
        done = self.assembly.crew.call(jobs)
        return _unless_rejected(dict(zip(self.assembly.parts, done, strict=True)))

    def _told(self, F: Matrix, more: Mapping[PortRef, Signal]) -> Vector:
        """What all ports feel at t₁."""
        stack = self.assembly.stack
        assert stack is not None, "a team has its ports in one array"
        told = Forces(stack.places, stack.B_transposed.times(F)).end
        for end, signal in more.items():
            told[stack.places[end]] += signal.end
        return told


def _unless_rejected(answers: Mapping[str, T | Rejected]) -> Mapping[str, T] | Rejected:
    """The answers, or the first rejection in the order of the parts."""
    found: dict[str, T] = {}
    for n, answer in answers.items():
        if isinstance(answer, Rejected):
            return answer
        found[n] = answer
    return found
