"""A rigid body whose frame is told its motion, or is pushed: the port is its centre."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bondline.core import (
    FRAME_DOFS,
    Advance,
    Capabilities,
    Causality,
    Effort,
    Motion,
    Port,
)
from bondline.numerics import rotations as rot


@dataclass(frozen=True, eq=False)
class LedBody:
    """Effort m a, I α + ω × I ω of a frame that follows its path exactly."""

    name: str
    mass: float
    inertia: np.ndarray  # about the frame's axes
    spin: np.ndarray
    capabilities: Capabilities = Capabilities()  # noqa: RUF009
    parameters: dict = field(default_factory=dict)

    @property
    def ports(self):
        frame = Port("end", FRAME_DOFS, causality=Causality.MOTION_IN, frame=True)
        return {"end": frame}

    def start(self, t0):
        v = np.concatenate([[0.3, 0.0, 0.0], self.spin])
        return self._report(
            Motion(np.zeros(3), v, np.zeros(6), np.array([1.0, 0, 0, 0]))
        )

    def press(self, state, t, forces):
        a = forces.get("end", np.zeros(6))
        return self._report(Motion(state.x, state.v, a, state.turn))

    def advance(self, state, window, inputs):
        path, h = inputs["end"], window.h
        c, k = path.coefficients, np.arange(len(path.coefficients))
        y, y1, y2 = c.sum(axis=0), k @ c / h, (k * (k - 1)) @ c / h**2
        spin, rate = rot.spins(y[3:], y1[3:], y2[3:])
        turn = rot.product(rot.exp(y[3:]), path.origin.turn)
        v, a = np.concatenate([y1[:3], spin]), np.concatenate([y2[:3], rate])
        return self._report(Motion(path.origin.x + y[:3], v, a, turn))

    def _report(self, at):
        R = rot.matrix(at.turn)
        inertia, spin = R @ self.inertia @ R.T, at.v[3:]
        moment = inertia @ at.a[3:] + np.cross(spin, inertia @ spin)
        return Advance(
            at, {"end": Effort(np.concatenate([self.mass * at.a[:3], moment]), at)}
        )

    def momentum(self, at):
        R = rot.matrix(at.turn)
        return R @ self.inertia @ R.T @ at.v[3:]


@dataclass(frozen=True, eq=False)
class PushedBody:
    """The same body under a wrench, by small steps of the Runge-Kutta rule."""

    name: str
    mass: float
    inertia: np.ndarray
    spin: np.ndarray
    steps: int = 2
    capabilities: Capabilities = Capabilities()  # noqa: RUF009
    parameters: dict = field(default_factory=dict)

    @property
    def ports(self):
        return {"end": Port("end", FRAME_DOFS, frame=True)}

    def start(self, t0):
        v = np.concatenate([[0.3, 0.0, 0.0], self.spin])
        return self.press((np.zeros(3), np.array([1.0, 0, 0, 0]), v), t0, {})

    def press(self, state, t, forces):
        x, turn, v = state
        a = self._bend(turn, v, forces.get("end", np.zeros(6)))
        return Advance(state, {"end": Motion(x, v, a, turn)})

    def advance(self, state, window, inputs):
        x, turn, v = state
        dt = window.h / self.steps
        for n in range(self.steps):

            def rate(s, y, n=n, turn=turn):
                f = inputs["end"].at((n + s) / self.steps)
                here = rot.product(rot.exp(y[3:6]), turn)
                dr = rot.left_jacobian_inverse(y[3:6]) @ y[9:]
                return np.concatenate([y[6:9], dr, self._bend(here, y[6:], f)])

            y = np.concatenate([x, np.zeros(3), v])
            k1 = rate(0.0, y)
            k2 = rate(0.5, y + 0.5 * dt * k1)
            k3 = rate(0.5, y + 0.5 * dt * k2)
            k4 = rate(1.0, y + dt * k3)
            y = y + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
            x, v, turn = y[:3], y[6:], rot.product(rot.exp(y[3:6]), turn)
        return self.press((x, turn, v), window.t1, {"end": inputs["end"].end})

    def _bend(self, turn, v, f):
        R = rot.matrix(turn)
        inertia, spin = R @ self.inertia @ R.T, v[3:]
        moment = f[3:] - np.cross(spin, inertia @ spin)
        return np.concatenate([f[:3] / self.mass, np.linalg.solve(inertia, moment)])
