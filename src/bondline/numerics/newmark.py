"""Newmark's method for linear structures, wang2003 (33)-(36)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


class LinearSystem(NamedTuple):
    """M a + C v + K u = f."""

    M: Array
    C: Array
    K: Array


class Kinematics(NamedTuple):
    """u, v, a of every dof at one instant."""

    u: Array
    v: Array
    a: Array


@dataclass(frozen=True)
class Newmark:
    """One method, one system, one step size: the factors are found once."""

    system: LinearSystem
    h: float
    beta: float = 0.25
    gamma: float = 0.5

    @cached_property
    def _factor(self) -> Array:
        from scipy.linalg.lapack import dpotrf  # scipy.linalg takes 0.2 s to import

        (M, C, K), h = self.system, self.h
        K_eff = M + self.gamma * h * C + self.beta * h**2 * K  # K*, Eq. (35)
        factor, failed = dpotrf(K_eff, lower=1)
        if failed:
            raise np.linalg.LinAlgError(
                f"M + γhC + βh²K is not positive definite (row {failed})."
            )
        return np.asarray(factor, dtype=np.float64)

    def solve(self, f: Array) -> Array:
        """K*⁻¹ f for one right-hand side or several columns, Eq. (34)."""
        from scipy.linalg.lapack import dpotrs

        solution, _ = dpotrs(self._factor, f, lower=1)
        return np.asarray(solution, dtype=np.float64)

    def step(self, now: Kinematics, f: Array) -> Kinematics:
        """Kinematics at tₙ₊₁ under the load `f` at tₙ₊₁."""
        (_, C, K), (u, v, a), h = self.system, now, self.h
        u_p = u + h * v + 0.5 * h**2 * (1.0 - 2.0 * self.beta) * a  # ũ, Eq. (36)
        v_p = v + h * (1.0 - self.gamma) * a  # ṽ, Eq. (36)
        a_new = self.solve(f - C @ v_p - K @ u_p)  # f*, Eqs. (34), (35)
        return Kinematics(
            u=u_p + self.beta * h**2 * a_new,  # Eq. (33)
            v=v_p + self.gamma * h * a_new,
            a=a_new,
        )

    @property
    def response(self) -> tuple[float, float, float]:
        """∂(u, v, a)/∂a at tₙ₊₁, Eq. (33): how a unit response spreads over levels."""
        return self.beta * self.h**2, self.gamma * self.h, 1.0
