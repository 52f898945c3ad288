"""What goes into a linear structure and is lost in it, step by step.

A step multiplies its balance of forces by Δu. With M a for the inertia forces in it,
u_s and v_s for the displacements and velocities, and f for the loads, what is stored
changes by Δ(½ vᵀM v + ½ uᵀK u) = Δuᵀf + W − D, where W is the work of the ports and

    D = Δuᵀ C v_s + Δuᵀ M a − v̄ᵀ M Δv + Δuᵀ K (u_s − ū)                       (1)

with means v̄ and ū. The first term is damping, the others are the method's: they vanish
for the trapezoidal rule. Where the balance holds at both ends of a step, as Newmark's,
a, v_s, u_s and f are the means. Else they are those of its only balance, and f is moved
to the mean, together with its part of D: what a load does is not lost.

The trapezoidal rule moves by Δu = h v̄. So over its only step D = h v̄ᵀC v̄, (2), a form
as that of the energy stored: all three are found at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from bondline.core import Energy, Vector
from bondline.numerics import Kinematics, LinearSystem, Method
from bondline.numerics.factor import Form, symmetric_product
from bondline.numerics.halves import Halves

Forms: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Flows:
    """The energy of one structure under one method."""

    system: LinearSystem
    method: Method
    halves: Halves | None = None  # of the system, where it is sparse: quicker

    def stored(self, now: Kinematics) -> float:
        """½ uᵀK u + ½ vᵀM v."""
        strain, kinetic, _ = self.forms(now, now)
        return strain + kinetic

    def over(self, forms: Forms, h: float) -> Energy:
        """Of a step of `h` of the trapezoidal rule, without loads of its own."""
        strain, kinetic, damped = forms
        return Energy(strain + kinetic, 2.0 * h * damped)  # (2)

    def along(
        self, points: Sequence[Kinematics], own: Sequence[Vector] | None, h: float
    ) -> Energy:
        """What is stored where a path ends, and went in and out on the way.

        `own` are loads at its points, `h` is the length of a step.
        """
        if len(points) == 2 and self.method.is_trapezoidal:
            done = self.over(self.forms(*points), h)
        else:
            lost = sum(self._lost(now, after) for now, after in pairwise(points))
            done = Energy(self.stored(points[-1]), lost)
        return done if own is None else self.loaded(done, points, own)

    def loaded(
        self, done: Energy, points: Sequence[Kinematics], own: Sequence[Vector]
    ) -> Energy:
        """With what the structure's own loads did."""
        supplied, late = 0.0, 0.0 if self.method.one_instant else self._late
        lost = done.dissipated
        for (now, after), (f0, f1) in zip(pairwise(points), pairwise(own), strict=True):
            du = after.u - now.u
            supplied += float(du @ (0.5 * (f0 + f1)))
            if late:
                lost -= late * float(du @ (f1 - f0))
        return Energy(done.stored, lost, supplied)

    def forms(self, now: Kinematics, after: Kinematics) -> Forms:
        """½ uᵀK u and ½ vᵀM v after a step, ½ v̄ᵀC v̄ of its mean velocity."""
        if self.halves is not None:
            return self.halves.energies(after.u, now.v, after.v)
        (M, C, K), v_mean = self.system, 0.5 * (now.v + after.v)
        return _half(K, after.u), _half(M, after.v), _half(C, v_mean)

    @property
    def _late(self) -> float:
        """How much later than its balance the middle of a step is."""
        return 0.5 - self.method.alpha_f

    def _lost(self, now: Kinematics, after: Kinematics) -> float:
        """D of (1) for one step."""
        (M, C, K), way, du = self.system, self.method, after.u - now.u
        v_mean, dv = 0.5 * (now.v + after.v), after.v - now.v
        if self.method.is_trapezoidal:
            return float(du @ symmetric_product(C, v_mean))
        one = way.one_instant
        f, m = (0.5, 0.5) if one else (way.alpha_f, way.alpha_m)
        v_s, a = _between(f, now.v, after.v), _between(m, now.a, after.a)
        lost = float(du @ (symmetric_product(C, v_s) + symmetric_product(M, a)))
        lost -= float(v_mean @ symmetric_product(M, dv))
        return lost if one else lost + self._late * float(du @ symmetric_product(K, du))


def _half(A: Form, x: Vector) -> float:
    return 0.5 * float(x @ symmetric_product(A, x))


def _between(alpha: float, now: Vector, after: Vector) -> Vector:
    return np.asarray((1.0 - alpha) * after + alpha * now, dtype=np.float64)
