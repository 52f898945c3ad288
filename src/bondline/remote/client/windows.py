"""Windows of a remote model beyond `advance`: responses, slopes, and probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bondline.core import Advance, Flexibility, Rejected, Response, Signal, Window
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.asking import Asking, seen
from bondline.remote.client.habit import key_of
from bondline.remote.client.held import Held
from bondline.remote.codec import encode
from bondline.remote.codec.malformed import Malformed


class RespondsByWire(Asking):
    """`Affine`: one round trip a window, because the next response comes along."""

    def respond(
        self, state: Held, window: Window, inputs: Mapping[str, Signal]
    ) -> Response | Rejected:
        """Known already, if the window and its inputs are as foreseen."""
        ahead = state.ahead
        if not inputs and ahead and ahead.window == window:
            return ahead.response
        name = self.new_name()
        ask = pb.Respond(
            state=state.name.number,
            t0=window.t0,
            t1=window.t1,
            inputs=encode.signals(inputs, self.numbers),
            result=name.number,
        )
        reply = self.link.ask(pb.Request(respond=ask))
        no = self.no(reply)
        if no is not None:
            return no
        try:
            return self.responded(reply.responded, name, window)
        except Malformed as error:
            raise self.nonsense(str(error)) from error

    def realise(
        self, response: Response, inputs: Mapping[str, Signal]
    ) -> Advance[Held] | Rejected:
        """The window under the rest of its forces, and a look at the next one."""
        asked, window = response.inside
        name, request = self.new_name(), pb.Request()
        ask = request.realise  # filled in where it is: nothing is copied
        ask.response, ask.result, ask.t1 = asked.number, name.number, window.t1
        encode.tell(inputs, self.numbers, ask)
        ahead = self._ahead(window, self.new_name(), ask.ahead)
        ask.look = self.looks.after(window)
        reply = self.link.ask(request)
        done = self.tried(reply, name, ahead)
        return done if isinstance(done, Rejected) else seen(done, reply.stepped, window)


class LinearisesByWire(Asking):
    """`Linearising`: the owner probes, all ports at once."""

    def linearise(
        self, state: Held, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility | Rejected:
        """G of the loaded ports; it may have come along with the advance."""
        known = self.habit.wanted(key_of(state.name.number, window, inputs))
        if known is not None:
            return known
        ask = pb.Linearise(
            state=state.name.number,
            t0=window.t0,
            t1=window.t1,
            inputs=encode.signals(inputs, self.numbers),
        )
        return flexibility_in(self.link.ask(pb.Request(linearise=ask)), self)


def flexibility_in(reply: pb.Reply, model: Asking) -> Flexibility | Rejected:
    """G that a model answered with, or its no."""
    no = model.no(reply)
    if no is not None:
        return no
    try:
        return model.reader.flexibility(reply.flexibility)
    except Malformed as error:
        raise model.nonsense(str(error)) from error


class TriesByWire(Asking):
    """`Trying`: probing is one round trip."""

    def advance_each(
        self, state: Held, window: Window, cases: Sequence[Mapping[str, Signal]]
    ) -> Sequence[Advance[Any] | Rejected]:
        """What the ports show in each case; there is no state to go on from."""
        ask = pb.Try(
            state=state.name.number,
            t0=window.t0,
            t1=window.t1,
            cases=[encode.inputs(case, self.numbers) for case in cases],
        )
        got = self.link.ask(pb.Request(advance_each=ask)).tried
        try:
            found: list[Advance[Any] | Rejected] = [self.shown(c) for c in got.cases]
        except Malformed as error:
            raise self.nonsense(str(error)) from error
        if got.HasField("rejected"):
            found.append(self.refused(got.rejected))
        elif len(found) != len(cases):
            raise self.nonsense(f"{len(cases)} cases were asked, {len(found)} came")
        return found
