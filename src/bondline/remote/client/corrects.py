"""Steps of a remote model that are corrected here: what large masses need."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from bondline.core import Advance, Balance, Motion, Rejected, Vector, Window
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.asking import Asking
from bondline.remote.client.held import Held, Name
from bondline.remote.client.link import Link
from bondline.remote.codec import encode
from bondline.remote.codec.malformed import Malformed


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A step under correction that its owner keeps, and what it shows."""

    name: Name
    window: Window
    residual: float
    corrections: int
    motions: Mapping[str, Motion]


class _Carrying:
    """A link whose requests are about the model with extra mass."""

    def __init__(self, link: Link, ballast: Name) -> None:
        self._link, self._ballast = link, ballast

    def ask(self, request: pb.Request) -> pb.Reply:
        request.ballast = self._ballast.number
        return self._link.ask(request)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)


class CorrectsByWire(Asking):
    """`Correcting`: a round trip a correction, and one to accept and predict."""

    _predicted: tuple[Name, Tried] | None = None  # after that state

    @cached_property
    def _corrector(self) -> pb.Corrector:
        reply = self.link.ask(pb.Request(ballasted=pb.Ballast()))
        if not reply.HasField("corrector"):
            raise self.nonsense("its corrector was asked for, and did not come")
        return reply.corrector

    @property
    def balance(self) -> Balance:
        """Where in a step forces balance, as the owner says."""
        c = self._corrector
        return Balance(c.beta, c.gamma, c.alpha_m, c.alpha_f)

    @property
    def mass(self) -> float:
        """Of the structure, as the owner says."""
        return self._corrector.mass

    def ballasted(self, masses: Mapping[str, Vector]) -> Self:
        """The same model with extra mass at its ports; the owner puts it there."""
        name = self.new_name()
        told = encode.loads(masses, self.numbers)
        ask = pb.Ballast(masses=told, result=name.number)
        reply = self.link.ask(pb.Request(ballasted=ask))
        heavier = copy(self)
        heavier._predicted = None  # that was without the mass
        heavier.__dict__["_corrector"] = reply.corrector
        carrying: Any = _Carrying(self.link, name)
        heavier.link = carrying
        return heavier

    def predict(self, state: Held, window: Window) -> Tried | Rejected:
        """The step under the loads of its start; known, if it came along."""
        known, self._predicted = self._predicted, None
        if known and known[0] is state.name and known[1].window == window:
            return known[1]
        name = self.new_name()
        ask = pb.Predict(
            state=state.name.number, t0=window.t0, t1=window.t1, result=name.number
        )
        return self._corrected(pb.Request(predict=ask), name, window)

    def correct(self, trial: Tried, loads: Mapping[str, Vector]) -> Tried | Rejected:
        """One correction under loads at t₁: one round trip."""
        name = self.new_name()
        ask = pb.Correct(
            trial=trial.name.number,
            loads=encode.loads(loads, self.numbers),
            result=name.number,
        )
        return self._corrected(pb.Request(correct=ask), name, trial.window)

    def accept(self, trial: Tried) -> Advance[Held]:
        """The trial as the new state, and a look at the next step."""
        name, next_one = self.new_name(), self.new_name()
        after = self._foresight.after(trial.window)
        ahead = pb.Predict(t0=after.t0, t1=after.t1, result=next_one.number)
        ask = pb.Accept(trial=trial.name.number, result=name.number, ahead=ahead)
        reply = self.link.ask(pb.Request(accept=ask))
        done = self.made(reply, name)
        foreseen = reply.stepped.ahead
        if foreseen.HasField("predicted"):
            self._predicted = (name, self._tried(foreseen.predicted, next_one, after))
        return done

    def _corrected(
        self, request: pb.Request, name: Name, window: Window
    ) -> Tried | Rejected:
        reply = self.link.ask(request)
        no = self.no(reply)
        return no if no is not None else self._tried(reply.corrected, name, window)

    def _tried(self, got: pb.Corrected, name: Name, window: Window) -> Tried:
        try:
            shown: Any = self.reader.outputs(got.motions)
        except Malformed as error:
            raise self.nonsense(str(error)) from error
        return Tried(name, window, got.residual, got.corrections, shown)
