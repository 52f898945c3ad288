"""What a remote model can do beyond advancing: one small class an ability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Flexibility,
    Matrix,
    Motion,
    Observation,
    Reaction,
    Receptance,
    Rejected,
    Vector,
    Window,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.asking import Asking
from bondline.remote.client.blocks import BlocksByWire
from bondline.remote.client.corrects import CorrectsByWire
from bondline.remote.client.held import Held, Name
from bondline.remote.client.surfaces import SkinnedByWire, VibratesByWire
from bondline.remote.client.windows import (
    LinearisesByWire,
    RespondsByWire,
    TriesByWire,
    flexibility_in,
)
from bondline.remote.codec import encode, heads
from bondline.remote.codec.malformed import Malformed
from bondline.wire import CodecError, pack, unpack

_AHEAD = 2000.0  # windows


class ObservesByWire(Asking):
    """`Observing`: what came with the state."""

    def observe(self, state: Held) -> Mapping[str, Observation]:
        """What the owner publishes."""
        return state.legend.observations(state.view.values)


class ReactsByWire(Asking):
    """`Reacting`: what came with the state."""

    def reactions(self, state: Held) -> Mapping[str, Reaction]:
        """Forces in joints that the owner publishes."""
        return state.legend.reactions(state.view.reactions)


class ShowsByWire(Asking):
    """`Showing`: what came with the state."""

    def shapes(self, state: Held) -> Mapping[str, Matrix]:
        """Polylines that the owner publishes."""
        return state.legend.shapes(state.view.shapes)


class KeptByOwner(Asking):
    """`Serialising`: the state goes to the owner's disk, a handle comes back."""

    _loaded: tuple[Name, bytes] | None = None  # the last one that was taken back

    def dump(self, state: Held) -> bytes:
        """The handle, and the digest of what it stands for."""
        if self._loaded is not None and self._loaded[0] is state.name:
            return self._loaded[1]  # it is still there
        number = state.name.number
        kept = self.keeps.wanted(number) or self._kept(number)
        self.keeps.made()
        self.link.memory.kept(number, kept.handle, kept.digest)
        return pack({"handle": kept.handle, "digest": kept.digest})

    def _kept(self, state: int) -> pb.Kept:
        """By itself: it did not come along."""
        ask = pb.Keep(state=state)
        heads.tell(self.link.ledger.head(), ask)
        kept = self.link.ask(pb.Request(keep=ask)).kept
        self.heard(kept)
        return kept

    def load(self, data: bytes) -> Held:
        """The state behind a handle, if its owner still has it."""
        tree: Any = None
        with suppress(CodecError):  # of a part that was here
            tree = unpack(data)
        if not isinstance(tree, dict) or set(tree) != {"handle", "digest"}:
            raise CodecError(f"{self.name} was not at a partner's when it was put away")
        name = self.new_name()
        ask = pb.Restore(
            handle=tree["handle"], digest=tree["digest"], result=name.number
        )
        found = self.made(self.link.ask(pb.Request(restore=ask)), name).state
        self._loaded = (name, data)
        return found


class PressesByWire(Asking):
    """`Pressing`."""

    def press(
        self, state: Held, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Held]:
        """The same instant under forces."""
        name = self.new_name()
        ask = pb.Press(
            state=state.name.number,
            t=t,
            forces=encode.loads(forces, self.numbers),
            result=name.number,
        )
        return self.made(self.link.ask(pb.Request(press=ask)), name)


class KicksByWire(Asking):
    """`Impulsive`."""

    def kick(
        self, state: Held, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Held]:
        """The same instant after impulses."""
        name = self.new_name()
        ask = pb.Kick(
            state=state.name.number,
            t=t,
            impulses=encode.loads(impulses, self.numbers),
            result=name.number,
        )
        return self.made(self.link.ask(pb.Request(kick=ask)), name)


class PlacesByWire(Asking):
    """`Placing`."""

    def place(self, state: Held, port: str, at: Motion) -> Advance[Held]:
        """A start at which the port is somewhere else."""
        name = self.new_name()
        ask = pb.Place(
            state=state.name.number,
            port=self.numbers[port],
            at=encode.motion(at),
            result=name.number,
        )
        return self.made(self.link.ask(pb.Request(place=ask)), name)


class RestsByWire(Asking):
    """`Static`."""

    def equilibrium(
        self,
        state: Held,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[Held] | Rejected:
        """At rest under loads and interface springs."""
        name = self.new_name()
        ask = pb.Equilibrium(
            state=state.name.number,
            load_factor=load_factor,
            inputs=encode.loads(inputs, self.numbers),
            springs=encode.loads(springs, self.numbers),
            result=name.number,
        )
        return self.tried(self.link.ask(pb.Request(equilibrium=ask)), name)


class YieldsByWire(Asking):
    """`Yielding`."""

    def compliance(
        self, state: Held, springs: Mapping[str, Vector]
    ) -> Flexibility | Rejected:
        """What a unit of each input does to the equilibrium."""
        ask = pb.Compliance(
            state=state.name.number, springs=encode.loads(springs, self.numbers)
        )
        return flexibility_in(self.link.ask(pb.Request(compliance=ask)), self)


class MovesByWire(Asking):
    """`Mobile`."""

    def mobility(
        self, state: Held, t: float
    ) -> Mapping[tuple[str, str], Matrix] | None:
        """Accelerations per force; None where the model does not know."""
        ask = pb.Mobility(state=state.name.number, t=t)
        reply = self.link.ask(pb.Request(mobility=ask))
        try:
            return self.reader.mobility(reply.flexibility)
        except Malformed as error:
            raise self.nonsense(str(error)) from error


class BreaksByWire(Asking):
    """`Breaking`: that the next window is quiet comes with every reply.

    Else many windows are asked about at once: kinks belong to the model, not to its
    state, and blocks of windows look at every window and around its start.
    """

    _kinks: tuple[float, float, tuple[float, ...]] = (0.0, 0.0, ())  # from, to, at
    _longest = 0.0  # s: the longest window that was asked about

    def breaks(self, window: Window) -> Sequence[float]:
        """Instants inside the window."""
        if self.quiet(window):
            return ()
        start, end, _ = self._kinks
        if not (start <= window.t0 and window.t1 <= end):
            self._look_ahead(window)
        return tuple(t for t in self._kinks[2] if window.t0 < t < window.t1)

    def _look_ahead(self, window: Window) -> None:
        self._longest = max(self._longest, window.h)
        start, end = window.t0 - self._longest, window.t1 + _AHEAD * self._longest
        reply = self.link.ask(pb.Request(breaks=pb.Breaks(t0=start, t1=end)))
        self._kinks = (start, end, tuple(reply.instants.t))


class GuardsByWire(Asking):
    """`Guarding`."""

    def guard(self, state: Held, window: Window) -> Sequence[str]:
        """What the owner notes about windows like this one."""
        ask = pb.Guard(state=state.name.number, t0=window.t0, t1=window.t1)
        return tuple(self.link.ask(pb.Request(guard=ask)).notes.text)


class SwingsByWire(Asking):
    """`Harmonic`."""

    def receptance(self, omega: float, damped: bool = True) -> Receptance:
        """Displacements per force at one frequency."""
        ask = pb.Receptance(omega=omega, damped=damped)
        reply = self.link.ask(pb.Request(receptance=ask))
        try:
            return self.reader.receptance(reply.harmonics)
        except Malformed as error:
            raise self.nonsense(str(error)) from error


class WeighsByWire(Asking):
    """`Weighing`: the weights of one length are asked for once."""

    def weighing(self, h: float) -> Vector:
        """Weights of x, v and a at the end of a window of `h`."""
        known: dict[float, Vector] = self.__dict__.setdefault("_weights", {})
        if h not in known:
            reply = self.link.ask(pb.Request(weighing=pb.Weighing(h=h)))
            known[h] = np.array(reply.weights.values, dtype=np.float64)
        return known[h]


BY_WIRE: Mapping[pb.Ability, type[Asking]] = {
    pb.ABILITY_AFFINE: RespondsByWire,
    pb.ABILITY_LINEARISING: LinearisesByWire,
    pb.ABILITY_OBSERVING: ObservesByWire,
    pb.ABILITY_REACTING: ReactsByWire,
    pb.ABILITY_SHOWING: ShowsByWire,
    pb.ABILITY_SERIALISING: KeptByOwner,
    pb.ABILITY_PRESSING: PressesByWire,
    pb.ABILITY_MOBILE: MovesByWire,
    pb.ABILITY_PLACING: PlacesByWire,
    pb.ABILITY_STATIC: RestsByWire,
    pb.ABILITY_YIELDING: YieldsByWire,
    pb.ABILITY_BREAKING: BreaksByWire,
    pb.ABILITY_GUARDING: GuardsByWire,
    pb.ABILITY_HARMONIC: SwingsByWire,
    pb.ABILITY_IMPULSIVE: KicksByWire,
    pb.ABILITY_WEIGHING: WeighsByWire,
    pb.ABILITY_TRYING: TriesByWire,
    pb.ABILITY_BLOCKED: BlocksByWire,
    pb.ABILITY_CORRECTING: CorrectsByWire,
    pb.ABILITY_SKINNED: SkinnedByWire,
    pb.ABILITY_VIBRATING: VibratesByWire,
}
