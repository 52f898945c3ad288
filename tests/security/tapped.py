"""A leaf whose every call goes through an owner's gate, as a session's would."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bondline.core import Motion, superposed
from bondline.remote.owner.gate import Call
from bondline.remote.owner.trail import Moved, Trail


class Stopped(Exception):
    """The gate said no."""

    def __init__(self, denied):
        super().__init__(f"{denied.code}: {denied.reason}")
        self.denied = denied


@dataclass(frozen=True, eq=False)
class Tapped:
    inner: Any
    gate: Any
    who: str
    session: str = "1"
    counted: dict[str, int] = field(default_factory=dict)  # the ground truth
    trails: dict[int, Any] = field(default_factory=dict)  # of states, which stay

    name = property(lambda self: self.inner.name)
    ports = property(lambda self: self.inner.ports)
    parameters = property(lambda self: self.inner.parameters)
    capabilities = property(lambda self: self.inner.capabilities)

    def start(self, t0):
        return self._served(self._call("start"), self.inner.start(t0), Trail(t0))

    def advance(self, state, window, inputs):
        trail = self.trails[id(state)][1]
        call = self._windowed("advance", window, inputs, windows=1, trail=trail)
        after = trail.after(window.t1, call.moved)
        return self._served(call, self.inner.advance(state, window, inputs), after)

    def respond(self, state, window, inputs):
        call = self._windowed("respond", window, inputs)
        done = self.inner.respond(state, window, inputs)
        self._done(call, {}, sum(b.size for b in done.G.blocks.values()))
        of = window, inputs, self.trails[id(state)][1]
        object.__setattr__(self, "_of", of)
        return done

    def realise(self, response, inputs):
        window, known, trail = self._of
        call = self._windowed("realise", window, inputs, windows=1, trail=trail)
        moved = Moved(window.t0, window.h, superposed(known, inputs))
        after = trail.after(window.t1, (moved,))
        return self._served(call, self.inner.realise(response, inputs), after)

    def linearise(self, state, window, inputs):
        call = self._windowed("linearise", window, inputs, probes=1)
        G = self.inner.linearise(state, window, inputs)
        self._done(call, {}, sum(b.size for b in G.blocks.values()))
        return G

    def _windowed(self, method, window, inputs, **more):
        return self._call(
            method, step=window.h, t0=window.t0, inputs=dict(inputs), **more
        )

    def _call(self, method, **more):
        call = Call(self.who, self.name, method, session=self.session, **more)
        denied = self.gate.admit(call)
        if denied is not None:
            raise Stopped(denied)
        return call

    def _served(self, call, done, trail):
        self.trails[id(done.state)] = done.state, trail
        shown = {n: _flat(o) for n, o in done.outputs.items()}
        self._done(call, shown, sum(len(v) for v in shown.values()))
        return done

    def _done(self, call, shown, numbers):
        self.gate.served_all([(call, numbers, shown)])
        for what, n in (("numbers", numbers), ("calls", 1), ("windows", call.windows)):
            self.counted[what] = self.counted.get(what, 0) + n


def _flat(output: Motion):
    return np.concatenate([output.x, output.v, output.a])
