"""The stand-in: what a fast part sees of a slow one while that one waits.

    a(t) = g(t) + W f(t)                                                           (1)

W is the slow part's mobility where the long window starts, f the load that the fast
part puts on it, and g what the slow part does by itself: a polynomial over the long
window. With W = 0 the slow motion is simply foretold, as in kim2000 (41)-(42).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Energy,
    Flexibility,
    Matrix,
    Motion,
    Parameter,
    Port,
    Response,
    Signal,
    Vector,
    Window,
    superposed,
)
from bondline.gluing.rates import moments
from bondline.numerics.rotations import cross, exp, product

_POWERS = 4  # of forces that are asked for beforehand


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The state of a stand-in; columns are the dofs of its ports, one after another."""

    motions: Mapping[str, Motion]
    path: Matrix  # coefficients of sᵏ of g over the long window
    W: Matrix
    t0: float
    h: float  # of the long window
    told: Matrix  # moments of the load so far


@dataclass(frozen=True)
class StandIn:
    """A leaf with the ports of a slow part, and nothing of its inside."""

    name: str
    ports: Mapping[str, Port]
    linear: bool
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    @cached_property
    def capabilities(self) -> Capabilities:
        """All that a rigid body can do."""
        plain = self.linear and not any(p.frame for p in self.ports.values())
        return Capabilities(linear=plain, serialises=False, superposes=plain)

    @cached_property
    def where(self) -> Mapping[str, slice]:
        """The dofs of each port."""
        at = np.cumsum([0, *(p.size for p in self.ports.values())]).tolist()
        return {n: slice(at[k], at[k + 1]) for k, n in enumerate(self.ports)}

    @property
    def size(self) -> int:
        """Dofs in all."""
        return sum(p.size for p in self.ports.values())

    def start(self, t0: float) -> Advance[Standing]:
        """At rest; a long window gives it something to stand for."""
        at_rest = {n: _rest(p) for n, p in self.ports.items()}
        still, none = np.zeros((1, self.size)), np.zeros((self.size, self.size))
        state = Standing(at_rest, still, none, t0, 1.0, moments.nothing(self.size))
        return Advance(state, at_rest, Energy(0.0), _FREE)

    def advance(
        self, state: Standing, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Standing]:
        """(1), integrated; the load is remembered."""
        s0, s1 = ((t - state.t0) / state.h for t in (window.t0, window.t1))
        f = self._load(inputs)
        a = Signal(state.path).part(s0, s1) + Signal(f @ state.W.T)
        moved = {
            n: _moved(state.motions[n], a.coefficients[:, own], window.h)
            for n, own in self.where.items()
        }
        told = state.told + moments.over(Signal(f), s0, s1)
        now = Standing(moved, state.path, state.W, state.t0, state.h, told)
        return Advance(now, moved, Energy(0.0), _FREE)

    def _load(self, inputs: Mapping[str, Signal]) -> Matrix:
        rows = max((len(s.coefficients) for s in inputs.values()), default=1)
        f = np.zeros((rows, self.size))
        for n, signal in inputs.items():
            f[: len(signal.coefficients), self.where[n]] = signal.coefficients
        return f

    def linearise(
        self, state: Standing, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility:
        """W, integrated."""
        powers = max((len(s.coefficients) for s in inputs.values()), default=1)
        k = np.arange(powers)
        h = window.h
        levels = np.stack([h * h / ((k + 1.0) * (k + 2.0)), h / (k + 1.0), k**0.0])
        blocks = {
            (out, port): np.einsum("lk,ab->lakb", levels, state.W[rows, columns])
            for out, rows in self.where.items()
            for port, columns in self.where.items()
        }
        return Flexibility(blocks, 0)

    def respond(
        self, state: Standing, window: Window, inputs: Mapping[str, Signal]
    ) -> Response:
        """Without more loads, and what a unit of each does."""
        unit = np.zeros((_POWERS, self.size))
        every = {n: Signal(unit[:, own]) for n, own in self.where.items()}
        for h, W, known in self._kept:
            if abs(h - window.h) <= 1e-9 * h and np.array_equal(W, state.W):
                G = known
                break
        else:
            G = self.linearise(state, window, every)
            self._kept[:] = [(window.h, state.W, G), *self._kept[:3]]
        free = self.advance(state, window, inputs)
        return Response(free, G, (state, window, inputs))

    @cached_property
    def _kept(self) -> list[tuple[float, Matrix, Flexibility]]:
        """The last ones: remembered, never relied upon."""
        return []

    def realise(
        self, response: Response, inputs: Mapping[str, Signal]
    ) -> Advance[Standing]:
        """Under more loads."""
        state, window, known = response.inside
        return self.advance(state, window, superposed(known, inputs))


_FREE = {"solves": 0.0}  # nobody's model is advanced


def _rest(port: Port) -> Motion:
    still = np.zeros(port.size)
    if port.frame:
        return Motion(np.zeros(3), still, still, np.array([1.0, 0.0, 0.0, 0.0]))
    return Motion(still, still, still)


def _moved(m: Motion, a: Matrix, h: float) -> Motion:
    """After accelerations Σ a[k] sᵏ."""
    k = np.arange(len(a))[:, None]
    x = h * m.v + h * h * (a / ((k + 1) * (k + 2))).sum(axis=0)
    v = m.v + h * (a / (k + 1)).sum(axis=0)
    if m.turn is None:
        return Motion(m.x + x, v, a.sum(axis=0))
    turn = product(exp(_turned(m.v[3:], a[:, 3:], h)), m.turn)
    return Motion(m.x + x[:3], v, a.sum(axis=0), turn)


def _turned(spin: Vector, a: Matrix, h: float) -> Vector:
    """The rotation vector of a spin that changes: Magnus' expansion of order 4."""
    k = np.arange(len(a))[:, None]
    first, second = (
        spin + h * (a * s ** (k + 1) / (k + 1)).sum(axis=0)
        for s in (0.5 - np.sqrt(3.0) / 6.0, 0.5 + np.sqrt(3.0) / 6.0)
    )
    twist = np.sqrt(3.0) / 12.0 * h * h * cross(second, first)
    turned: Vector = 0.5 * h * (first + second) + twist
    return turned
