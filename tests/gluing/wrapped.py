"""Parts in a wrapper: one that spends its states, and what any wrapper shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bondline.core import Rejected


class Shown:
    """What can be seen of the part `inner`."""

    @property
    def name(self):
        return self.inner.name

    @property
    def ports(self):
        return self.inner.ports

    @property
    def parameters(self):
        return self.inner.parameters

    @property
    def capabilities(self):
        return self.inner.capabilities


@dataclass
class Spent:
    """A state that is good for one advance."""

    state: object
    used: bool = False


@dataclass(frozen=True, eq=False)
class Once(Shown):
    """A part whose states are spent by their first advance."""

    inner: object

    @property
    def capabilities(self):
        return replace(self.inner.capabilities, repeatable=False, superposes=False)

    def start(self, t0):
        return _fresh(self.inner.start(t0))

    def press(self, state, t, forces):
        return _fresh(self.inner.press(state.state, t, forces))

    def advance(self, state, window, inputs):
        assert not state.used, f"{self.name}: a state was advanced twice"
        state.used = True
        return _fresh(self.inner.advance(state.state, window, inputs))

    def observe(self, state):
        return self.inner.observe(state.state)

    def dump(self, state):
        return self.inner.dump(state.state)

    def load(self, data):
        return Spent(self.inner.load(data))


@dataclass(frozen=True, eq=False)
class BlackBox(Shown):
    """A part that knows no flexibility of its own: others must probe it."""

    inner: object

    def start(self, t0):
        return self.inner.start(t0)

    def press(self, state, t, forces):
        return self.inner.press(state, t, forces)

    def advance(self, state, window, inputs):
        return self.inner.advance(state, window, inputs)

    def observe(self, state):
        return self.inner.observe(state)

    def dump(self, state):
        return self.inner.dump(state)

    def load(self, data):
        return self.inner.load(data)


def _fresh(done):
    if isinstance(done, Rejected):
        return done
    return replace(done, state=Spent(done.state))
