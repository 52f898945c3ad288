"""A mechanism whose root is told its motion, and answers with the wrench it takes.

With the root's accelerations u'_r known, the rest follows from the rows of M u' = P
that are not the root's, and the root's rows give the wrench:

    M_ii u'_i = P_i − M_ir u'_r,   w = M_rr u'_r + M_ri u'_i − P_r              (1)

This runs in Python, by RK4, one dense solve an evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import ClassVar, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Effort,
    Matrix,
    Motion,
    Observation,
    Output,
    Parameter,
    Port,
    Pose,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.leaves.mbd.driving import Spot, loads_of, pressed, tried
from bondline.leaves.mbd.leaf import MultibodyLeaf
from bondline.leaves.mbd.tree import Loads
from bondline.numerics import rotations as rot

ROOT = 6  # velocities of a free joint; it has 7 positions
_POSE = 7


class Led(NamedTuple):
    """Pose, twist and its rate of the root at one instant, in world axes."""

    x: Vector
    turn: Vector
    v: Vector
    a: Vector


@dataclass(frozen=True, eq=False)
class LedLeaf:
    """A mechanism carried by one port that takes motion; others take wrenches.

    `inner` is the same mechanism with nothing told; `root` names the port, whose marker
    is the outboard end of a free joint to the ground. States are those of `inner`.
    """

    inner: MultibodyLeaf
    root: str

    capabilities: ClassVar[Capabilities] = Capabilities()

    @property
    def name(self) -> str:
        """Of the leaf."""
        return self.inner.name

    @property
    def ports(self) -> Mapping[str, Port]:
        """Those of the sheet."""
        return self.inner.ports

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those of the sheet."""
        return self.inner.parameters

    @cached_property
    def pushed(self) -> Mapping[str, Spot]:
        """The ports that take wrenches."""
        return {n: s for n, s in self.inner.spots.items() if n != self.root}

    def start(self, t0: float) -> Advance[Vector]:
        """As its joints start, the root without acceleration."""
        return self.press(self.inner.start(t0).state, t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under wrenches and an acceleration of the root."""
        a = np.asarray(forces.get(self.root, np.zeros(ROOT)))
        others = {n: f for n, f in forces.items() if n != self.root}
        led = self._seen(state)._replace(a=a)
        return self._report(t, state, led, pressed(self.pushed, others))

    def breaks(self, window: Window) -> Sequence[float]:
        """Kinks of its own loads."""
        return self.inner.breaks(window)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Follow the root's path; without one it stands still."""
        now = self._seen(state)
        still = Signal(np.zeros((1, ROOT)), Pose(now.x, now.turn))
        path = _path(inputs.get(self.root, still), window)
        loads = loads_of(self.pushed, inputs, window)
        return tried(self.name, window, lambda: self._go(state, window, path, loads))

    def _go(
        self, state: Vector, window: Window, path: Callable[[float], Led], loads: Loads
    ) -> Advance[Vector]:
        cuts, now = [window.t0, *self.breaks(window), window.t1], state
        for piece in (self.inner.beside(a, b) for a, b in pairwise(cuts)):
            now = self._follow(now, piece, path, loads)
        done = self._report(piece.t1, now, path(window.t1), loads)
        return Advance(now, done.outputs, self.inner.energy(state, now))

    def _follow(
        self, state: Vector, piece: Window, path: Callable[[float], Led], loads: Loads
    ) -> Vector:
        """Classical Runge-Kutta steps of the coordinates that are not told."""

        def rate(t: float, y: Vector) -> Vector:
            q, u = self._told(y, path(t))
            du, _ = self._solve(t, q, u, path(t).a, loads)
            dq, _ = self.inner.tree.rates(t, q, u, loads)
            return np.concatenate([dq, du])

        y = np.concatenate(self.inner.halves(state))
        count = max(1, ceil(piece.h / self.inner.sheet.integration.step * (1 - 1e-9)))
        for part in piece.split(count):
            h, middle = part.h, part.at(0.5)
            k1 = rate(part.t0, y)
            k2 = rate(middle, y + 0.5 * h * k1)
            k3 = rate(middle, y + 0.5 * h * k2)
            y = y + h / 6.0 * (k1 + 2.0 * (k2 + k3) + rate(part.t1, y + h * k3))
        return self.inner.at(piece.t1, *self._told(y, path(piece.t1)))

    def _told(self, y: Vector, led: Led) -> tuple[Vector, Vector]:
        """Positions and velocities with the root's as it was told."""
        n = self.inner.tree.n_q
        q, u = y[:n].copy(), y[n:].copy()
        q[:3], q[3:_POSE], u[:3] = led.x, led.turn, led.v[:3]
        u[3:ROOT] = rot.matrix(led.turn).T @ led.v[3:]
        return q, u

    def _solve(
        self, t: float, q: Vector, u: Vector, a: Vector, loads: Loads
    ) -> tuple[Vector, Vector]:
        """u' and the wrench on the root, (1)."""
        M, P = self.inner.tree.mass(t, q, u, loads)
        R = rot.matrix(q[3:_POSE])
        du = np.concatenate([a[:3], R.T @ a[3:], np.zeros(len(u) - ROOT)])
        inner = slice(ROOT, None)
        du[inner] = np.linalg.solve(M[inner, inner], (P - M @ du)[inner])
        wrench = (M @ du - P)[:ROOT]
        return du, np.concatenate([wrench[:3], R @ wrench[3:]])

    def _seen(self, state: Vector) -> Led:
        """Where the root is in a state."""
        q, u = self.inner.halves(state)
        spin = rot.matrix(q[3:_POSE]) @ u[3:ROOT]
        v = np.concatenate([u[:3], spin])
        return Led(q[:3].copy(), q[3:_POSE].copy(), v, np.zeros(ROOT))

    def _report(
        self, t: float, state: Vector, led: Led, loads: Loads
    ) -> Advance[Vector]:
        q, u = self.inner.halves(state)
        du, wrench = self._solve(t, q, u, led.a, loads)
        outputs: dict[str, Output] = {**self.inner.moving(q, u, du)}
        outputs[self.root] = Effort(wrench, Motion(led.x, led.v, led.a, led.turn))
        return Advance(state, outputs, self.inner.energy(state, state))

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """What the sheet publishes."""
        return self.inner.observe(state)

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A line for every body."""
        return self.inner.shapes(state)

    def dump(self, state: Vector) -> bytes:
        """Raw doubles."""
        return self.inner.dump(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return self.inner.load(data)


def _path(signal: Signal, window: Window) -> Callable[[float], Led]:
    """The motion that a frame is told, as a function of time."""
    assert signal.origin is not None, "the motion of a frame is told from a pose"
    origin, h = signal.origin, window.h
    k = np.arange(len(signal.coefficients))[:, None]
    first = (k * signal.coefficients)[1:] if len(k) > 1 else np.zeros((1, ROOT))
    second = (k * (k - 1) * signal.coefficients)[2:]
    second = second if len(second) else np.zeros((1, ROOT))

    def led(t: float) -> Led:
        s = (t - window.t0) / h
        y, y1, y2 = signal.at(s), Signal(first).at(s) / h, Signal(second).at(s) / h**2
        spin, rate = rot.spins(y[3:], y1[3:], y2[3:])
        turn = rot.product(rot.exp(y[3:]), origin.turn)
        v, a = np.concatenate([y1[:3], spin]), np.concatenate([y2[:3], rate])
        return Led(origin.x + y[:3], turn, v, a)

    return led
