"""Newmark's method for linear structures, wang2003 (33)-(36)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bondline.numerics.factor import (
    Array,
    Indices,
    Operator,
    Partitioned,
    combined,
    nowhere,
    symmetric_product,
)


class LinearSystem(NamedTuple):
    """M a + C v + K u = f; symmetric matrices, dense or of scipy.sparse."""

    M: Operator
    C: Operator
    K: Operator


class Kinematics(NamedTuple):
    """u, v, a of every dof at one instant; columns, where there are several cases."""

    u: Array
    v: Array
    a: Array


@dataclass(frozen=True, eq=False)
class Newmark:
    """One method, one system, one step size: the factors are found once.

    The dofs in `held` follow a motion that is told; all others follow the loads.
    """

    system: LinearSystem
    h: float
    beta: float = 0.25
    gamma: float = 0.5
    held: Indices = field(default_factory=nowhere)

    @cached_property
    def _effective(self) -> Partitioned:
        (M, C, K), h = self.system, self.h
        terms = ((1.0, M), (self.gamma * h, C), (self.beta * h**2, K))
        effective = Partitioned(combined(terms), self.held)  # K*, Eq. (35)
        try:
            _ = effective.factor
        except np.linalg.LinAlgError as error:
            raise np.linalg.LinAlgError(f"M + γhC + βh²K is {error}.") from error
        return effective

    def solve(self, f: Array) -> Array:
        """K*⁻¹ f on the dofs that are not held, Eq. (34); columns are allowed."""
        return self._effective.factor.solve(f)

    def accelerate(self, f: Array, told: Array) -> tuple[Array, Array]:
        """a with K* a = f + efforts, `told` on the held dofs; and the efforts there."""
        return self._effective.solve(f, told)

    def predict(self, now: Kinematics) -> tuple[Array, Array]:
        """ũ and ṽ, Eq. (36)."""
        (u, v, a), h = now, self.h
        u_p = u + h * v + 0.5 * h**2 * (1.0 - 2.0 * self.beta) * a
        return u_p, v + h * (1.0 - self.gamma) * a

    def correct(self, predicted: tuple[Array, Array], a: Array) -> Kinematics:
        """Kinematics at tₙ₊₁ from the accelerations there, Eq. (33)."""
        (u_p, v_p), h = predicted, self.h
        return Kinematics(u_p + self.beta * h**2 * a, v_p + self.gamma * h * a, a)

    def follow(self, now: Kinematics, f: Array, x: Array) -> tuple[Kinematics, Array]:
        """Kinematics and efforts at tₙ₊₁ under `f`, the held dofs being led to `x`.

        Only the position is told: velocity and acceleration follow from Eq. (33), as
        they do in the whole structure.
        """
        predicted = self.predict(now)
        led = (x - predicted[0][self.held]) / (self.beta * self.h**2)
        return self._reach(predicted, f, led)

    def lead(self, now: Kinematics, f: Array, told: Array) -> tuple[Kinematics, Array]:
        """The same, the held dofs arriving with the x, v and a in the rows of `told`.

        A motion that is not made by Eq. (33) itself must be told whole: accelerations
        found from its positions step by step ring, with a double eigenvalue −1.
        """
        (u_p, v_p), (x, v, a) = self.predict(now), told
        u_p[self.held] = x - self.beta * self.h**2 * a
        v_p[self.held] = v - self.gamma * self.h * a
        return self._reach((u_p, v_p), f, a)

    def _reach(
        self, predicted: tuple[Array, Array], f: Array, led: Array
    ) -> tuple[Kinematics, Array]:
        (_, C, K), (u_p, v_p) = self.system, predicted
        elastic = symmetric_product(C, v_p) + symmetric_product(K, u_p)
        a, effort = self.accelerate(f - elastic, led)  # f*, Eq. (35)
        return self.correct(predicted, a), effort

    def step(self, now: Kinematics, f: Array) -> Kinematics:
        """Kinematics at tₙ₊₁ under the load `f` at tₙ₊₁; no dof is held."""
        return self.follow(now, f, f[:0])[0]

    @property
    def response(self) -> tuple[float, float, float]:
        """∂(u, v, a)/∂a at tₙ₊₁, Eq. (33): how a unit response spreads over levels."""
        return self.beta * self.h**2, self.gamma * self.h, 1.0
