"""Linear parts with exact answers, driven by force or by motion.

A part is w' = A w + B u with inputs u = (u, u', u'') of each port in turn: the force on
a FORCE_IN port, the motion of a MOTION_IN port. The answer is C w + D u: (x, v, a) or
the effort. Polynomial inputs are integrated by one matrix exponential: no error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import factorial

import numpy as np
from scipy.linalg import expm

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Effort,
    Motion,
    Observation,
    Port,
    ref,
    uniform,
)
from bondline.gluing import IntegratedModel, Newton, Tie
from bondline.leaves import Structure
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.numerics import Kinematics, LinearSystem

POWERS = 6
T, X = Causality.FORCE_IN, Causality.MOTION_IN


@dataclass(frozen=True, eq=False)
class Exact:
    """One dof a port; the state is w, then the position told to each MOTION_IN port."""

    name: str
    sides: dict
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    w0: np.ndarray
    at: dict = field(default_factory=dict)  # x, v of the MOTION_IN ports at the start
    capabilities: Capabilities = Capabilities(linear=True)  # noqa: RUF009
    hard: float = 0.0  # effort hard x³ of the first port, which must take motion
    parameters: dict = field(default_factory=dict)

    @cached_property
    def ports(self):
        return {n: Port(n, ("x",), causality=side) for n, side in self.sides.items()}

    @cached_property
    def _steps(self):
        return {}

    def _step(self, h):
        """Maps w and the s-derivatives of all inputs over the window."""
        key = float(f"{h:.12g}")
        if key not in self._steps:
            n, p = len(self.A), len(self.sides)
            Z = np.zeros((n + p * POWERS,) * 2)
            Z[:n, :n] = key * self.A
            for i in range(p):
                at = n + i * POWERS
                for level in range(3):
                    Z[:n, at + level] = self.B[:, 3 * i + level] / key ** (level - 1)
                Z[np.arange(at, at + POWERS - 1), np.arange(at + 1, at + POWERS)] = 1.0
            self._steps[key] = expm(Z)[:n]
        return self._steps[key]

    def start(self, t0):
        return self.press(np.concatenate([self.w0, *self._told()]), t0, {})

    def _told(self):
        return [
            self.at.get(n, (0.0, 0.0)) for n, side in self.sides.items() if side is X
        ]

    def press(self, state, t, forces):
        w, told = self._split(state)
        u = {}
        for n, side in self.sides.items():
            f = float(forces[n][0]) if n in forces else 0.0
            u[n] = (f, 0.0, 0.0) if side is T else (*told[n], f)
        return self._report(w, u)

    def advance(self, state, window, inputs):
        w, told = self._split(state)
        h, rows, ends = window.h, [], {}
        for n, side in self.sides.items():
            c = np.zeros(POWERS)
            if n in inputs:
                given = inputs[n].coefficients[:, 0]
                c[: len(given)] = given
            elif side is X:
                c[0] = told[n][0]
            k = np.arange(POWERS)
            rows.append(c * [factorial(j) for j in range(POWERS)])
            ends[n] = (c.sum(), c @ k / h, c @ (k * (k - 1)) / h**2)
        return self._report(self._step(h) @ np.concatenate([w, *rows]), ends)

    def _split(self, state):
        n = len(self.A)
        led = [name for name, side in self.sides.items() if side is X]
        pairs = state[n:].reshape(-1, 2)
        return state[:n], dict(zip(led, map(tuple, pairs), strict=True))

    def _report(self, w, u):
        y = self.C @ w + self.D @ np.concatenate([u[n] for n in self.sides])
        outputs, row, told = {}, 0, []
        for k, (n, side) in enumerate(self.sides.items()):
            if side is T:
                outputs[n] = Motion(*(y[row + j : row + j + 1] for j in range(3)))
                row += 3
                continue
            stiff = self.hard * u[n][0] ** 3 if k == 0 else 0.0
            at = Motion(*(np.array([value]) for value in u[n]))
            outputs[n] = Effort(y[row : row + 1] + stiff, at)
            told.append(u[n][:2])
            row += 1
        return Advance(np.concatenate([w, *told]), outputs)

    def observe(self, state):
        return {f"w{k}": Observation(float(x), "1") for k, x in enumerate(state)}

    def dump(self, state):
        return to_bytes(state)

    def load(self, data):
        return from_bytes(data)


def pushed(name, m=1.0, k=0.0, x0=0.0, v0=0.0, c=0.0, **more):
    """A mass on a spring and damper that takes force at `end`."""
    A = np.array([[0.0, 1.0], [-k / m, -c / m]])
    B = np.array([[0.0, 0, 0], [1.0 / m, 0, 0]])
    C = np.vstack([np.eye(2), A[1]])
    D = np.zeros((3, 3))
    D[2, 0] = 1.0 / m
    return Exact(name, {"end": T}, A, B, C, D, np.array([x0, v0]), **more)


def led(name, m=0.0, k=0.0, c=0.0, x0=0.0, v0=0.0, **more):
    """A mass on a spring and damper that is told the motion of `end`."""
    A, B, C, w0 = np.zeros((0, 0)), np.zeros((0, 3)), np.zeros((1, 0)), np.zeros(0)
    D, at = np.array([[k, c, m]]), {"end": (x0, v0)}
    return Exact(name, {"end": X}, A, B, C, D, w0, at, **more)


def led_pair(name, masses, k, wall=0.0, x0=0.0, y0=0.0):
    """A mass told its motion at `end`, and a second one behind the spring k."""
    m0, m1 = masses
    A = np.array([[0.0, 1.0], [-(k + wall) / m1, 0.0]])
    B = np.array([[0.0, 0, 0], [k / m1, 0, 0]])
    C, D = np.array([[-k, 0.0]]), np.array([[k, 0.0, m0]])
    w0, at = np.array([y0, 0.0]), {"end": (x0, 0.0)}
    return Exact(name, {"end": X}, A, B, C, D, w0, at)


def between(name, m0, k, m1, x0=0.0, **more):
    """A mass told its motion at `left`, spring k, a mass pushed at `right`."""
    A = np.array([[0.0, 1.0], [-k / m1, 0.0]])
    B = np.zeros((2, 6))
    B[1, 0], B[1, 3] = k / m1, 1.0 / m1
    C = np.vstack([[-k, 0.0], np.eye(2), A[1]])
    D = np.zeros((4, 6))
    D[0, :3] = k, 0.0, m0
    D[3] = B[1]
    w0, at = np.array([x0, 0.0]), {"left": (x0, 0.0)}
    return Exact(name, {"left": X, "right": T}, A, B, C, D, w0, at, **more)


def coupled(coupling, *parts, ties=None, solver=None, name="pair", **more):
    ends = tuple(ref(f"{p.name}.{next(iter(p.ports))}") for p in parts)
    joints = [Tie("j", ends, ("x",))] if ties is None else ties
    named = {p.name: p for p in parts}
    return IntegratedModel(name, named, joints, coupling, solver or Newton(), **more)


def order(make, exact, windows=(40, 80), span=1.0):
    """Fitted order of the largest error over `span`."""
    errors = []
    for n in windows:
        x, _ = run(make(), span / n, n)
        errors.append(np.abs(x - exact(np.linspace(0.0, span, n + 1))).max())
    return np.log2(errors[-2] / errors[-1])


def row(name, masses, springs, ports, start, wall=0.0):
    """One-step Newmark masses in a row; `ports` are (dof, side) by name."""
    n = len(masses)
    K = np.zeros((n, n))
    for i, k in enumerate(springs):
        K[i : i + 2, i : i + 2] += k * np.array([[1.0, -1.0], [-1.0, 1.0]])
    K[0, 0] += wall
    return Structure(
        name,
        LinearSystem(np.diag(np.array(masses, dtype=float)), 0.002 * K, K),
        {p: [i] for p, (i, _) in ports.items()},
        {p: Port(p, ("x",), causality=side) for p, (_, side) in ports.items()},
        start_at=Kinematics(np.array(start), np.zeros(n), np.zeros(n)),
    )


def cut_in_two(side_a, side_b):
    u = np.linspace(0.0, 0.1, 6)
    return (
        row("a", [1, 1, 2], [1e3, 2e3], {"r": (2, side_a)}, u[:3], wall=500.0),
        row("b", [0.5, 1, 1, 3], [1e3] * 3, {"l": (0, side_b)}, u[2:]),
    ), [Tie("j", (ref("a.r"), ref("b.l")), ("x",))]


def cut_in_three(a_r, b_l, b_r, c_l):
    u = np.linspace(0.0, 0.1, 6)
    return (
        row("a", [1, 1, 2], [1e3, 2e3], {"r": (2, a_r)}, u[:3], wall=500.0),
        row("b", [0.5, 1, 0.4], [1e3] * 2, {"l": (0, b_l), "r": (2, b_r)}, u[2:5]),
        row("c", [0.6, 3], [1e3], {"l": (0, c_l)}, u[4:]),
    ), [
        Tie("j", (ref("a.r"), ref("b.l")), ("x",)),
        Tie("k", (ref("b.r"), ref("c.l")), ("x",)),
    ]


def all_at_once(h=0.01, windows=200):
    """Displacements of the row that the two above are cut from."""
    u = np.linspace(0.0, 0.1, 6)
    springs = [1e3, 2e3, 1e3, 1e3, 1e3]
    whole = row("w", [1, 1, 2.5, 1, 1, 3], springs, {"o": (5, T)}, u, wall=500.0)
    step, found = whole.start(0.0), []
    for n in range(windows):
        step = whole.advance(step.state, uniform(0.0, h, n), {})
        found.append(step.state[:6])
    return np.array(found)


def in_parts(coupling, parts, ties, h=0.01, windows=200):
    """The same displacements from the parts, and the iterations of all windows."""
    model = coupled(coupling, *parts, ties=ties)
    step, found, counts = model.start(0.0), [], set()
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        counts.add(step.stats["iterations"])
        u = [step.state.parts[p.name].reshape(3, -1)[0] for p in parts]
        found.append(np.concatenate([u[0], *(rest[1:] for rest in u[1:])]))
    return np.array(found), counts


def run(model, h, windows):
    """Port positions of joint `j`'s first end at every window, and the last state."""
    step = model.start(0.0)
    end = model.connections[0].ends[0]
    x = [step.state.motions[end].x[0]]
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        assert isinstance(step, Advance), step
        x.append(step.state.motions[end].x[0])
    return np.array(x), step
