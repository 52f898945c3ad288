"""A remote model's own part of the work: ask, and put what comes into our words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from numpy import isfinite

from bondline.core import (
    Advance,
    Capabilities,
    Energy,
    Flexibility,
    Output,
    Parameter,
    Port,
    Rejected,
    Response,
    Signal,
    SignalPort,
    Window,
)
from bondline.errors import LeafInconsistent
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.foresight import Foresight
from bondline.remote.client.habit import Habit, key_of
from bondline.remote.client.held import Foreseen, Held, Name, Seen
from bondline.remote.client.link import Link
from bondline.remote.client.looking import Keeps, Looks
from bondline.remote.client.troubles import kind_error
from bondline.remote.codec import decode, encode, heads
from bondline.remote.codec.decode import Reader
from bondline.remote.codec.malformed import Malformed
from bondline.remote.codec.rows import Numbers
from bondline.remote.codec.tables import Legend
from bondline.remote.limits import REMEMBERED

Ahead = tuple[Window, Name | None]  # a window, and the response to it
_NO_NUMBER = pb.Rejected(reason="an input is no number", kind=pb.KIND_NON_FINITE)


class Asking:
    """A `Subsystem` whose inside is elsewhere; abilities are mixed in as described."""

    def __init__(self, name: str, link: Link, description: pb.Description) -> None:
        self.name, self.link, self.description = name, link, description
        self._known: OrderedDict[int, Flexibility] = OrderedDict()
        self._quiet = (0.0, 0.0)
        link.fresh = self._anew
        self._foresight = Foresight()
        able = frozenset(description.abilities)
        self._breaks_too = pb.ABILITY_BREAKING in able
        self._slopes_too = pb.ABILITY_LINEARISING in able
        self.habit, self.looks, self.keeps = Habit(), Looks(), Keeps()

    @property
    def wire(self) -> tuple[float, int, float]:
        """Seconds of waiting for replies, round trips, and the shortest one."""
        link = self.link
        return link.waited, link.trips, link.shortest if link.trips else 0.0

    @property
    def foreign(self) -> bool:
        """Whether somebody else's server has it, and not a process of ours."""
        return not self.link.partner.here

    @cached_property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """As their owner describes them."""
        return {p.name: p for p in self.reader.ports}

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those that the owner publishes."""
        return {p.name: decode.parameter(p) for p in self.description.parameters}

    @cached_property
    def capabilities(self) -> Capabilities:
        """What the owner declares."""
        return decode.capabilities(self.description.capabilities)

    @cached_property
    def reader(self) -> Reader:
        """Reads messages about the ports."""
        return Reader(tuple(decode.port(p) for p in self.description.ports))

    @cached_property
    def numbers(self) -> Numbers:
        """Numbers of the ports."""
        return Numbers(p.name for p in self.description.ports)

    def _anew(self, reply: pb.Reply | None) -> None:
        """The session began anew: what it had told is told again."""
        if reply is None:
            self._known.clear()
            return
        for got in (reply.responded, reply.stepped.ahead.responded):
            if got.HasField("fresh"):
                self._flexibility(got)

    def start(self, t0: float) -> Advance[Held]:
        """The partner's start."""
        self._foresight.began(t0)
        name = self.new_name()
        reply = self.link.ask(pb.Request(start=pb.Start(t0=t0, result=name.number)))
        return self.made(reply, name)

    def advance(
        self, state: Held, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Held] | Rejected:
        """The partner's window: one round trip, unless an input is no number."""
        if not all(isfinite(s.coefficients).all() for s in inputs.values()):
            return self.refused(_NO_NUMBER)
        name, request = self.new_name(), pb.Request()
        ask = request.advance  # filled in where it is: nothing is copied
        ask.state, ask.result = state.name.number, name.number
        ask.t0, ask.t1 = window.t0, window.t1
        encode.tell(inputs, self.numbers, ask)
        ahead = self._ahead(window, None, ask.ahead) if self._breaks_too else None
        if self._slopes_too:
            key = key_of(state.name.number, window, inputs)
            ask.linearise = self.habit.advancing(key)
        ask.look = self.looks.after(window)
        reply = self.link.ask(request)
        if ask.linearise and reply.stepped.HasField("flexibility"):
            self.habit.came(key, self.reader.flexibility(reply.stepped.flexibility))
        done = self.tried(reply, name, ahead)
        return done if isinstance(done, Rejected) else seen(done, reply.stepped, window)

    @property
    def trips(self) -> int:
        """Round trips of the session."""
        return self.link.trips

    def close(self) -> None:
        """End the session with the partner."""
        self.link.close()

    def hang_up(self) -> None:
        """The same towards one who does not answer: its lease will end the session."""
        self.link.line.close()

    def new_name(self) -> Name:
        """For something that the partner will keep."""
        return Name(self.link.name(), self.link.released)

    def _ahead(self, window: Window, response: Name | None, ask: pb.Ahead) -> Ahead:
        """What will probably be asked next."""
        after = self._foresight.after(window)
        ask.t1 = after.t1
        if response is not None:
            ask.result = response.number
        return after, response

    def tried(
        self,
        reply: pb.Reply,
        name: Name,
        ahead: Ahead | None = None,
    ) -> Advance[Held] | Rejected:
        """A window that may have been rejected."""
        if reply.HasField("rejected"):
            return self.refused(reply.rejected)
        return self.made(reply, name, ahead)

    def made(
        self,
        reply: pb.Reply,
        name: Name,
        ahead: Ahead | None = None,
    ) -> Advance[Held]:
        """A new state, and what its ports show."""
        if not reply.HasField("stepped"):
            raise self.nonsense("a state was asked for, and none came")
        try:
            return self.stepped(reply.stepped, name, ahead)
        except Malformed as error:
            raise self.nonsense(str(error)) from error

    def stepped(
        self,
        got: pb.Stepped,
        name: Name,
        ahead: Ahead | None = None,
    ) -> Advance[Held]:
        """The same; raises `Malformed`."""
        foreseen = self._foreseen(got, ahead)
        shown = self.reader.outputs(got.outputs)
        return self.held(got, name, shown, self.link.legend, foreseen)

    @staticmethod
    def held(
        got: pb.Stepped,
        name: Name,
        shown: Mapping[str, Output],
        legend: Legend,
        foreseen: Foreseen | None = None,
    ) -> Advance[Held]:
        """The same, when it is read what the ports show; `legend` is of its session."""
        return Advance(
            Held(name, got.view, legend, foreseen),
            shown,
            _energy(got),
            legend.scalars(got.stats),
            tuple(got.notes),
        )

    def _foreseen(self, got: pb.Stepped, ahead: Ahead | None) -> Foreseen | None:
        if ahead is None or not got.HasField("ahead"):
            return None
        window, name = ahead
        self._quiet = got.ahead.quiet_from, got.ahead.quiet_to
        if name is None or not got.ahead.HasField("responded"):
            return None
        return Foreseen(window, self.responded(got.ahead.responded, name, window))

    def quiet(self, window: Window) -> bool:
        """Whether it is known that no load has a kink in there."""
        start, end = self._quiet
        return start <= window.t0 and window.t1 <= end

    def shown(self, got: pb.Shown) -> Advance[None]:
        """What the ports show, without a state."""
        stats = self.link.legend.scalars(got.stats)
        return Advance(None, self.reader.outputs(got.outputs), None, stats)

    def responded(self, got: pb.Responded, name: Name, window: Window) -> Response:
        """A response; G is the same object for windows of one length."""
        free: Advance[None] = Advance(
            None,
            self.reader.outputs(got.outputs),
            _energy(got),
            self.link.legend.scalars(got.stats),
            tuple(got.notes),
        )
        return Response(free, self._flexibility(got), (name, window))

    def _flexibility(self, got: pb.Responded) -> Flexibility:
        if got.HasField("fresh"):
            self._known[got.flexibility] = self.reader.flexibility(got.fresh)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        if got.flexibility not in self._known:
            raise Malformed(f"flexibility {got.flexibility} never came")
        return self._known[got.flexibility]

    def heard(self, kept: pb.Kept) -> None:
        """The partner keeps a state: write the head of its log down."""
        try:
            self.link.ledger.heard(heads.told(kept))
        except Malformed as error:
            raise self.nonsense(str(error)) from error

    def refused(self, found: pb.Rejected) -> Rejected:
        """A window that the partner could not complete."""
        partner = self.link.partner
        error = kind_error(partner, found.kind, found.reason)
        until = found.until if found.shorter else None
        return Rejected(self.name, found.reason, until, error, found.solves)

    def no(self, reply: pb.Reply) -> Rejected | None:
        """The rejection in a reply, if it is one."""
        return self.refused(reply.rejected) if reply.HasField("rejected") else None

    def nonsense(self, what: str) -> LeafInconsistent:
        """A reply that does not fit the description."""
        return LeafInconsistent(
            str(self.link.partner),
            f"{what}.",
            "Ask its owner whether the server is what it says it is.",
        )


def seen(done: Advance[Held], got: pb.Stepped, window: Window) -> Advance[Held]:
    """The same with how its surfaces have moved, if that came along."""
    if not got.HasField("moved"):
        return done
    return replace(done, state=replace(done.state, seen=Seen(window.t1, got.moved)))


def _energy(got: pb.Stepped | pb.Responded) -> Energy | None:
    return decode.energy(got.energy) if got.HasField("energy") else None
