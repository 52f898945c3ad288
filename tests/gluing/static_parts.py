"""Parts for tests of statics: beams in space typed in here, and nonlinear springs."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Capabilities,
    Flexibility,
    Motion,
    Port,
    Rejected,
    Surface,
    ref,
)
from bondline.gluing import Tie
from bondline.gluing.statics import Here, Statics
from bondline.leaves import Structure
from bondline.numerics import LinearSystem

SIX = ("x", "y", "z", "rx", "ry", "rz")
E, G, A, IY, IZ, J = 2e11, 8e10, 1e-3, 1e-6, 2e-6, 3e-6  # a steel tube, SI


def beam(p, q):
    """Stiffness of a beam in space between two points, 12 x 12, world axes."""
    d = np.subtract(q, p)
    L = float(np.linalg.norm(d))
    x = d / L
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    y = np.cross(up, x) / np.linalg.norm(np.cross(up, x))
    turn = np.kron(np.eye(4), np.array([x, y, np.cross(x, y)]))
    K = np.zeros((12, 12))
    K[np.ix_([0, 6], [0, 6])] = E * A / L * np.array([[1, -1], [-1, 1]])
    K[np.ix_([3, 9], [3, 9])] = G * J / L * np.array([[1, -1], [-1, 1]])
    for dofs, inertia, s in (([1, 5, 7, 11], IZ, 1.0), ([2, 4, 8, 10], IY, -1.0)):
        bend = np.array(
            [
                [12.0, 6 * L * s, -12.0, 6 * L * s],
                [6 * L * s, 4 * L * L, -6 * L * s, 2 * L * L],
                [-12.0, -6 * L * s, 12.0, -6 * L * s],
                [6 * L * s, 2 * L * L, -6 * L * s, 4 * L * L],
            ]
        )
        K[np.ix_(dofs, dofs)] = E * inertia / L**3 * bend
    return turn.T @ K @ turn


def frame(name, nodes, ports, held=(), load=None, places=True):
    """Beams along a line of nodes; `held` dofs are left out."""
    K = np.zeros((6 * len(nodes), 6 * len(nodes)))
    for i, j in pairwise(range(len(nodes))):
        dofs = [*range(6 * i, 6 * i + 6), *range(6 * j, 6 * j + 6)]
        K[np.ix_(dofs, dofs)] += beam(nodes[i], nodes[j])
    keep = np.setdiff1d(np.arange(len(K)), held)
    f = np.zeros(len(K)) if load is None else load
    chosen = {p: np.atleast_1d(own) for p, own in ports.items()}
    select = {
        p: np.searchsorted(keep, (6 * own[:, None] + np.arange(6)).ravel())
        for p, own in chosen.items()
    }
    shown = {
        p: Port(
            p,
            SIX,
            len(own),
            surface=Surface(np.array(nodes, float)[own]) if places else None,
        )
        for p, own in chosen.items()
    }
    n = len(keep)
    system = LinearSystem(np.eye(n), np.zeros((n, n)), K[np.ix_(keep, keep)])
    return Structure(name, system, select, shown, static_load=f[keep])


def springs(name, stiffnesses, load=None, ground=0.0):
    """Springs in a row, ports `l` and `r` at the ends, the first mass on `ground`."""
    n = len(stiffnesses) + 1
    K = np.zeros((n, n))
    K[0, 0] = ground
    for i, k in enumerate(stiffnesses):
        K[i : i + 2, i : i + 2] += k * np.array([[1.0, -1.0], [-1.0, 1.0]])
    f = np.zeros(n) if load is None else np.array(load, float)
    system = LinearSystem(np.eye(n), np.zeros((n, n)), K)
    ports = {"l": Port("l", ("x",)), "r": Port("r", ("x",))}
    return Structure(name, system, {"l": [0], "r": [n - 1]}, ports, static_load=f)


def tie(name, *ends, dofs=SIX):
    return Tie(name, tuple(ref(e) for e in ends), tuple(dofs))


def assembly(parts, joints):
    return Assembly({p.name: p for p in parts}, tuple(joints))


def start_of(statics):
    """The parts as they start, no force in any joint."""
    starts = {n: p.start(0.0) for n, p in statics.assembly.parts.items()}
    states = {n: a.state for n, a in starts.items()}
    return Here(states, statics.seen.positions(starts), np.zeros(_count(statics)))


def _count(statics):
    return statics.assembly.offsets[-1]


def rest(glued, method="auto", stiffness=None, factor=1.0):
    """At rest under own loads."""
    statics = Statics("case", glued, {}, method, stiffness)
    return statics.rest(start_of(statics), statics.acting(factor, {}, {}))


def displacements(found):
    """Of all linear parts, one after the other."""
    return np.concatenate(
        [a.state[: len(a.state) // 3] for a in found.advances.values()]
    )


def all_at_once(glued):
    """u and the joint forces from one saddle system [K Bᵀ; B 0] of the whole."""
    parts = glued.parts
    sizes = [len(p.system.K) for p in parts.values()]
    ends = np.cumsum([0, *sizes])
    at = dict(zip(parts, ends.tolist(), strict=False))
    K = np.zeros((ends[-1], ends[-1]))
    for n, p in parts.items():
        K[at[n] : at[n] + len(p.system.K), at[n] : at[n] + len(p.system.K)] = p.system.K
    f = np.concatenate([p.static_load for p in parts.values()])
    rows = []
    for c in glued.connections:
        B = np.zeros((len(c.components), ends[-1]))
        for end, own in zip(c.ends, c.jacobian([None] * len(c.ends)), strict=True):
            B[:, at[end.part] + np.asarray(parts[end.part].select[end.port])] += own
        rows.append(B)
    B = np.concatenate(rows)
    m, s = len(B), float(np.abs(np.diag(K)).max())  # s keeps the blocks of one size
    saddle = np.block([[K, s * B.T], [s * B, np.zeros((m, m))]])
    both = np.linalg.solve(saddle, np.concatenate([f, np.zeros(m)]))
    return both[: ends[-1]], -s * both[ends[-1] :]


@dataclass(frozen=True, eq=False)
class Elastic:
    """Rests where gradient(x) = factor · load + forces: Newton's method inside.

    The state is x, absolute positions; a port shows some of them.
    """

    name: str
    gradient: object
    hessian: object
    shown: dict  # port -> (dofs, indices)
    x0: np.ndarray
    load: np.ndarray
    capabilities: Capabilities = Capabilities()  # noqa: RUF009
    parameters: dict = field(default_factory=dict)

    @property
    def ports(self):
        return {p: Port(p, dofs) for p, (dofs, _) in self.shown.items()}

    def start(self, t0):
        return self._report(np.array(self.x0, float))

    def advance(self, state, window, inputs):
        return Rejected(self.name, "it only rests.")

    def equilibrium(self, state, load_factor, inputs, springs):
        x, f, k = state, load_factor * self.load, np.zeros(len(state))
        for port, force in inputs.items():
            f = f + self._spread(port, force)
        for port, stiffness in springs.items():
            k = k + self._spread(port, stiffness)
        for _ in range(30):
            H = self.hessian(x) + np.diag(k)
            if np.linalg.cond(H) > 1e13:
                return Rejected(self.name, "it moves without resistance.")
            dx = np.linalg.solve(H, f - self.gradient(x) - k * x)
            x = x + dx
            if np.abs(dx).max() < 1e-13:
                return self._report(x)
        return Rejected(self.name, "it does not come to rest.")

    def _spread(self, port, values):
        found = np.zeros(len(self.x0))
        found[list(self.shown[port][1])] = values
        return found

    def _report(self, x):
        shown = {p: x[list(own)] for p, (_, own) in self.shown.items()}
        return Advance(x, {p: Motion(v, 0.0 * v, 0.0 * v) for p, v in shown.items()})


@dataclass(frozen=True, eq=False)
class Knowing(Elastic):
    """The same, and it knows its flexibility."""

    def compliance(self, state, springs):
        k = np.zeros(len(state))
        for port, stiffness in springs.items():
            k = k + self._spread(port, stiffness)
        H = self.hessian(state) + np.diag(k)
        if np.linalg.cond(H) > 1e13:
            return Rejected(self.name, "it moves without resistance.")
        S = np.linalg.inv(H)
        at = {p: list(own) for p, (_, own) in self.shown.items()}
        pairs = [(a, b) for a in at for b in at]
        return Flexibility(
            {(a, b): S[np.ix_(at[a], at[b])][None, :, None, :] for a, b in pairs}, 1
        )


def hardening(k, cube, length):
    """V(r) of a spring of that length: k s²/2 + cube s⁴/4, s its stretch; V', V''."""
    return (
        lambda r: k * (r - length) + cube * (r - length) ** 3,
        lambda r: k + 3.0 * cube * (r - length) ** 2,
    )


def strut(name, foot, tip, load=(0.0, 0.0), kind=Elastic):
    """A spring in the plane on a pin at `foot`, that turns as far as it likes."""
    k, cube = 1e4, 4e4
    foot = np.array(foot, float)
    push, slope = hardening(k, cube, float(np.linalg.norm(np.subtract(tip, foot))))

    def gradient(x):
        r = x - foot
        size = np.linalg.norm(r)
        return push(size) * r / size

    def hessian(x):
        r = x - foot
        size = np.linalg.norm(r)
        n = np.outer(r, r) / size**2
        return slope(size) * n + push(size) / size * (np.eye(2) - n)

    shown = {"tip": (("x", "y"), (0, 1))}
    return kind(name, gradient, hessian, shown, np.array(tip, float), np.array(load))
