"""Rigid bodies, joints and finite elements in one system: nothing is glued.

Absolute coordinates, joints by Lagrange multipliers, and the generalized-alpha method
for such systems (Arnold and Brüls, 2007): one Newton iteration for all accelerations,
finite elements included, and all multipliers,

    M v' + f(q, v) + Gᵀ λ = 0,   Φ(q) = 0   at t₁,
    (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v'₁ + α_f v'₀,
    q₁ = q₀ + h v₀ + h² ((½ − β) a₀ + β a₁),   v₁ = v₀ + h ((1 − γ) a₀ + γ a₁).

Velocities of a body are those of its centre of mass and its spin in world axes. Of
Bondline it takes the finite elements alone: inner forces, tangents and masses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from bondline.leaves.nonlinear import NonlinearModel
from bondline.leaves.nonlinear.model import Place

Array = np.ndarray[Any, Any]


class Rigid(NamedTuple):
    """Mass, inertia about the centre of mass in world axes, and where that is."""

    mass: float
    inertia: Array
    com: Array
    held: tuple[int, ...] = ()  # components that do not move


class Meet(NamedTuple):
    """A point of a body, where it is at the start, meets one of another, or a node."""

    body: int
    at: Array
    other: int
    node: bool = False


class Normal(NamedTuple):
    """A direction of one body stays perpendicular to one of another."""

    body: int
    axis: Array
    other: int
    axis2: Array


class State(NamedTuple):
    """Everything at an instant; `rate` is v', `a` the method's own acceleration."""

    x: Array  # centres of mass
    R: Array
    u: Array  # of the finite elements
    turns: Array
    v: Array
    rate: Array
    a: Array
    history: Array
    force: Array  # multipliers


def skew(r: Array) -> Array:
    """r × as a matrix."""
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def turn(r: Array) -> Array:
    """The rotation by a vector, Rodrigues."""
    angle = float(np.linalg.norm(r))
    if angle == 0.0:
        return np.eye(3)
    S = skew(r / angle)
    return np.eye(3) + np.sin(angle) * S + (1.0 - np.cos(angle)) * S @ S


def quaternions(since: Array, turns: Array) -> Array:
    """Turned further by rotation vectors in world axes."""
    angle = np.linalg.norm(since, axis=1)[:, None]
    a, b = np.cos(0.5 * angle), 0.5 * since * np.sinc(0.5 * angle / np.pi)
    w, r = turns[:, :1], turns[:, 1:]
    real = a * w - (b * r).sum(axis=1)[:, None]
    return np.concatenate([real, a * r + w * b + np.cross(b, r)], axis=1)


@dataclass(frozen=True, eq=False)
class Whole:
    """The system. `wheel` forces a body: (x, R, v) → force and moment at its centre."""

    bodies: list[Rigid]
    fe: NonlinearModel
    joints: list[Meet | Normal]
    wheel: tuple[int, Callable[[Array, Array], Array]]
    gravity: float = 9.81
    radius: float = 0.8  # spectral, of the method

    @cached_property
    def n(self) -> int:
        """Velocities of bodies: those of the finite elements come after them."""
        return 6 * len(self.bodies)

    @cached_property
    def free(self) -> Array:
        """Velocities that are not held."""
        held = {6 * i + c for i, b in enumerate(self.bodies) for c in b.held}
        every = range(self.n + self.fe.dofs.size)
        return np.array([k for k in every if k not in held])

    @cached_property
    def M(self) -> Array:
        """Of the finite elements."""
        return self.fe.pattern.matrix(self.fe.mass)

    @cached_property
    def own(self) -> Array:
        """Loads of the finite elements."""
        return self.fe.load(0.0)

    @cached_property
    def alphas(self) -> tuple[float, float, float, float]:
        """α_m, α_f, β, γ, from the spectral radius (chung1993)."""
        rho = self.radius
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        gamma = 0.5 + af - am
        return am, af, 0.25 * (gamma + 0.5) ** 2, gamma

    def start(self, velocity: Array, spins: dict[int, Array], fe: Any) -> State:
        """All moving along, some bodies spinning; `fe` has u, turns and history."""
        six = np.concatenate([velocity, np.zeros(3)])
        v = np.concatenate(
            [np.tile(six, len(self.bodies)), six[self.fe.dofs.slots % 6]]
        )
        for body, spin in spins.items():
            v[6 * body + 3 : 6 * body + 6] = spin
        nothing = np.zeros(len(v))
        now = State(
            np.array([b.com for b in self.bodies]),
            np.tile(np.eye(3), (len(self.bodies), 1, 1)),
            fe.u,
            fe.turns,
            v,
            nothing,
            nothing,
            fe.history,
            np.zeros(0),
        )
        return self._accelerated(now)

    def _accelerated(self, now: State) -> State:
        """v' and λ from the equations of motion and Φ'' = 0."""
        f, M, _ = self._forces(now, None)
        G, bias = self._jacobian(now), self._bias(now)
        m, k = len(self.free), len(G)
        A = np.zeros((m + k, m + k))
        A[:m, :m] = M[np.ix_(self.free, self.free)]
        A[:m, m:], A[m:, :m] = G.T, G
        found = np.linalg.solve(A, -np.concatenate([f[self.free], bias]))
        rate = np.zeros(len(now.v))
        rate[self.free] = found[:m]
        return now._replace(rate=rate, a=rate, force=found[m:])

    def _bias(self, now: State) -> Array:
        """d(G)/dt v, by a difference along the motion."""
        e = 1e-6
        ahead, behind = (self._jacobian(self._moved(now, s * now.v)) for s in (e, -e))
        return (ahead - behind) @ now.v[self.free] / (2.0 * e)

    def _moved(self, now: State, d: Array) -> State:
        six = d[: self.n].reshape(-1, 6)
        x, u = now.x + six[:, :3], now.u + d[self.n :]
        R = np.array([turn(r) @ R for r, R in zip(six[:, 3:], now.R, strict=True)])
        since = self.fe.dofs.spread(d[self.n :])[self.fe.turning, 3:]
        return now._replace(x=x, R=R, u=u, turns=quaternions(since, now.turns))

    def step(self, now: State, h: float) -> State:
        """One step; all unknowns corrected together until nothing is left."""
        am, af, beta, gamma = self.alphas
        scale = (1.0 - af) / (1.0 - am)
        rate, force, m = now.rate, now.force, len(self.free)
        for _ in range(30):
            a = ((1.0 - af) * rate + af * now.rate - am * now.a) / (1.0 - am)
            d = h * now.v + h * h * ((0.5 - beta) * now.a + beta * a)
            v = now.v + h * ((1.0 - gamma) * now.a + gamma * a)
            guess = self._moved(now, d)._replace(v=v, rate=rate, a=a, force=force)
            f, M, inner = self._forces(guess, d)
            G = self._jacobian(guess)
            r = f + M @ rate
            r = np.concatenate([r[self.free] + G.T @ force, self._gaps(guess)])
            A = np.zeros((len(r), len(r)))
            S = M + scale * self._slopes(guess, inner, (gamma * h, beta * h * h))
            A[:m, :m] = S[np.ix_(self.free, self.free)]
            A[:m, m:] = G.T
            A[m:, :m] = G
            r[m:] /= beta * h * h * scale
            change = lu_solve(lu_factor(A), -r)
            rate = rate.copy()
            rate[self.free] += change[:m]
            force = force + change[m:]
            if np.abs(r[:m]).max() < 1e-5 and np.abs(r[m:]).max() < 1e-3:
                return guess._replace(history=inner.history)
        raise RuntimeError(f"no balance: {np.abs(r[:m]).max():g} N")

    def _forces(self, at: State, d: Array | None) -> tuple[Array, Array, Any]:
        """f and M, and what the finite elements answered."""
        f, M = np.zeros(len(at.v)), np.zeros((len(at.v), len(at.v)))
        for i, body in enumerate(self.bodies):
            o, w = slice(6 * i, 6 * i + 6), at.v[6 * i + 3 : 6 * i + 6]
            J = at.R[i] @ body.inertia @ at.R[i].T
            M[o, o][:3, :3], M[o, o][3:, 3:] = body.mass * np.eye(3), J
            f[o] = [0.0, 0.0, body.mass * self.gravity, *np.cross(w, J @ w)]
        k, push = self.wheel
        f[6 * k : 6 * k + 6] -= push(at.x[k], at.v[6 * k : 6 * k + 6])
        since = None
        if d is not None:
            since = self.fe.dofs.spread(d[self.n :])[self.fe.turning, 3:]
        place = Place(at.u, at.v[self.n :], at.turns, since)
        inner = self.fe.balance(place, at.history)
        f[self.n :], M[self.n :, self.n :] = inner.force - self.own, self.M
        return f, M, inner

    def _slopes(self, at: State, inner: Any, shares: tuple[float, float]) -> Array:
        """γh ∂f/∂v + βh² ∂f/∂q of elements and wheel; the rest of it is small."""
        made = np.zeros((len(at.v), len(at.v)))
        C, K = (self.fe.pattern.matrix(y) for y in (inner.damping, inner.stiffness))
        made[self.n :, self.n :] = shares[0] * C + shares[1] * K
        k, push = self.wheel
        o, v = slice(6 * k, 6 * k + 6), at.v[6 * k : 6 * k + 6]
        here = push(at.x[k], v)
        for c in range(6):
            one = np.eye(6)[c]
            slope = (push(at.x[k], v + 1e-6 * one) - here) / 1e-6 * shares[0]
            if c < 3:
                slope += (push(at.x[k] + 1e-9 * one[:3], v) - here) / 1e-9 * shares[1]
            made[o, 6 * k + c] -= slope
        return made

    def _arm(self, at: State, body: int, point: Array) -> Array:
        return np.asarray(at.R[body] @ (point - self.bodies[body].com))

    def _gaps(self, at: State) -> Array:
        rows: list[Any] = []
        for j in self.joints:
            if isinstance(j, Normal):
                rows.append([(at.R[j.body] @ j.axis) @ (at.R[j.other] @ j.axis2)])
                continue
            here = at.x[j.body] + self._arm(at, j.body, j.at)
            if j.node:
                there = j.at + self.fe.dofs.spread(at.u)[j.other, :3]
            else:
                there = at.x[j.other] + self._arm(at, j.other, j.at)
            rows.append(here - there)
        return np.concatenate(rows)

    def _jacobian(self, at: State) -> Array:
        """G, over the components that move."""
        made = []
        for j in self.joints:
            rows = np.zeros((1 if isinstance(j, Normal) else 3, len(at.v)))
            one = slice(6 * j.body, 6 * j.body + 6)
            if isinstance(j, Normal):
                a, b = at.R[j.body] @ j.axis, at.R[j.other] @ j.axis2
                rows[0, one.start + 3 : one.stop] = np.cross(a, b)
                rows[0, 6 * j.other + 3 : 6 * j.other + 6] = np.cross(b, a)
            else:
                arm = self._arm(at, j.body, j.at)
                rows[:, one] = np.hstack([np.eye(3), -skew(arm)])
                if j.node:
                    dofs = self.n + self.fe.dofs.index[j.other, :3]
                    rows[np.arange(3), dofs] = -1.0
                else:
                    arm = self._arm(at, j.other, j.at)
                    two = slice(6 * j.other, 6 * j.other + 6)
                    rows[:, two] = -np.hstack([np.eye(3), -skew(arm)])
            made.append(rows)
        return np.concatenate(made)[:, self.free]
