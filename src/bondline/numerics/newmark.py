"""Newmark's method and its relatives for linear structures, wang2003 (33)-(36).

With the balance of `methods` (1), equations (34) and (35) become

    K* a = f*,   K* = (1 − α_m) M + (1 − α_f) (γh C + βh² K)                  (1)
    f* = f_f − α_m M aₙ − C ṽ_f − K ũ_f                                       (2)

where f_f is the load at the instant of the balance, x̃_f = (1 − α_f) x̃ + α_f xₙ.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bondline.numerics.factor import (
    Array,
    Form,
    Indices,
    Operator,
    Partitioned,
    combined,
    nowhere,
    symmetric_product,
)
from bondline.numerics.fused import FusedStep
from bondline.numerics.halves import Halves
from bondline.numerics.methods import Method


class LinearSystem(NamedTuple):
    """M a + C v + K u = f; symmetric matrices, dense or of scipy.sparse."""

    M: Operator
    C: Form  # may have a few full rows: `modal_damping`
    K: Operator


class Kinematics(NamedTuple):
    """u, v, a of every dof at one instant; columns, where there are several cases."""

    u: Array
    v: Array
    a: Array


@dataclass(frozen=True, eq=False)
class Newmark:
    """One method, one system, one step size: the factors are found once.

    The dofs in `held` follow a motion that is told; all others follow the loads. Loads
    and efforts are those at the instant of the method's balance: tₙ₊₁ for Newmark's.
    """

    system: LinearSystem
    h: float
    method: Method = field(default_factory=Method)
    held: Indices = field(default_factory=nowhere)
    halves: Halves | None = None  # of the system, where it is sparse: quicker

    @cached_property
    def _effective(self) -> Partitioned:
        (M, C, K), h, way = self.system, self.h, self.method
        m, f = 1.0 - way.alpha_m, 1.0 - way.alpha_f
        terms = ((m, M), (f * way.gamma * h, C), (f * way.beta * h**2, K))
        effective = Partitioned(combined(terms), self.held)  # K*, (1)
        try:
            _ = effective.factor
        except np.linalg.LinAlgError as error:
            what = "M + γhC + βh²K" if h else "M"
            raise np.linalg.LinAlgError(f"{what} is {error}.") from error
        return effective

    def inner(self, u: Array, v: Array) -> Array:
        """K u + C v: what the structure answers with, but for inertia."""
        if self.halves is not None and u.ndim == 1:
            return self.halves.inner(u, v)
        _, C, K = self.system
        return symmetric_product(C, v) + symmetric_product(K, u)

    @cached_property
    def fused(self) -> FusedStep | None:
        """All of a step at once, where nothing stands against it."""
        band, way = self._effective.factor.band, self.method
        plain = way.one_instant and not self.held.size
        if self.halves is None or band is None or not plain:
            return None
        return FusedStep(self.halves, band, self.h, way.beta, way.gamma)

    def prepare(self) -> None:
        """Find the factors now; `LinAlgError` where K* is not positive definite."""
        _ = self._effective

    def solve(self, f: Array) -> Array:
        """K*⁻¹ f on the dofs that are not held, Eq. (34); columns are allowed."""
        return self._effective.factor.solve(f)

    def accelerate(self, f: Array, told: Array) -> tuple[Array, Array]:
        """a with K* a = f + efforts, `told` on the held dofs; and the efforts there."""
        return self._effective.solve(f, told)

    def predict(self, now: Kinematics) -> tuple[Array, Array]:
        """ũ and ṽ, Eq. (36)."""
        (u, v, a), h = now, self.h
        u_p = u + h * v + 0.5 * h**2 * (1.0 - 2.0 * self.method.beta) * a
        return u_p, v + h * (1.0 - self.method.gamma) * a

    def correct(self, predicted: tuple[Array, Array], a: Array) -> Kinematics:
        """Kinematics at tₙ₊₁ from the accelerations there, Eq. (33)."""
        (u_p, v_p), h = predicted, self.h
        return Kinematics(
            u_p + self.method.beta * h**2 * a, v_p + self.method.gamma * h * a, a
        )

    def follow(self, now: Kinematics, f: Array, x: Array) -> tuple[Kinematics, Array]:
        """Kinematics and efforts at tₙ₊₁ under `f`, the held dofs being led to `x`.

        Only the position is told: velocity and acceleration follow from Eq. (33), as
        they do in the whole structure.
        """
        if self.fused is not None and f.ndim == 1:
            return Kinematics(*self.fused(np.stack(now), f)), x
        predicted, led = self.predict(now), x
        if led.size:
            led = (x - predicted[0][self.held]) / (self.method.beta * self.h**2)
        return self._reach(now, predicted, f, led)

    def lead(self, now: Kinematics, f: Array, told: Array) -> tuple[Kinematics, Array]:
        """The same, the held dofs arriving with the x, v and a in the rows of `told`.

        A motion that is not made by Eq. (33) itself must be told whole: accelerations
        found from its positions step by step ring, with a double eigenvalue −1.
        """
        (u_p, v_p), (x, v, a) = self.predict(now), told
        u_p[self.held] = x - self.method.beta * self.h**2 * a
        v_p[self.held] = v - self.method.gamma * self.h * a
        return self._reach(now, (u_p, v_p), f, a)

    def _reach(
        self, now: Kinematics, predicted: tuple[Array, Array], f: Array, led: Array
    ) -> tuple[Kinematics, Array]:
        (u_f, v_f), way = predicted, self.method
        if way.alpha_f:
            u_f = (1.0 - way.alpha_f) * u_f + way.alpha_f * now.u
            v_f = (1.0 - way.alpha_f) * v_f + way.alpha_f * now.v
        inner = self.inner(u_f, v_f)
        if way.alpha_m:
            inner += way.alpha_m * symmetric_product(self.system.M, now.a)
        a, effort = self.accelerate(f - inner, led)  # f*, (2)
        return self.correct(predicted, a), effort

    def step(self, now: Kinematics, f: Array) -> Kinematics:
        """Kinematics at tₙ₊₁ under the load `f` of the step; no dof is held."""
        return self.follow(now, f, f[:0])[0]

    def leap(self, now: Array, f: Array | None) -> Array:
        """The same with u, v and a in rows; no load need be given where there is none.

        In one compiled call, where nothing stands against it.
        """
        if self.fused is not None:
            return self.fused(now, f)
        load = np.zeros(now.shape[1]) if f is None else f
        return np.stack(self.step(Kinematics(*now), load))

    @property
    def response(self) -> tuple[float, float, float]:
        """∂(u, v, a)/∂a at tₙ₊₁, Eq. (33): how a unit response spreads over levels."""
        return self.method.beta * self.h**2, self.method.gamma * self.h, 1.0
