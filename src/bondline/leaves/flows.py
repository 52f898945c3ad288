"""What goes into a linear structure and is lost in it, step by step.

A step multiplies its balance of forces by Δu. With M a for the inertia forces in it,
u_s and v_s for the displacements and velocities, and f for the loads, what is stored
changes by Δ(½ vᵀM v + ½ uᵀK u) = Δuᵀf + W − D, where W is the work of the ports and

    D = Δuᵀ C v_s + Δuᵀ M a − v̄ᵀ M Δv + Δuᵀ K (u_s − ū)                       (1)

with means v̄ and ū. The first term is damping, the others are the method's: they vanish
for the trapezoidal rule. Where the balance holds at both ends of a step, as Newmark's,
a, v_s, u_s and f are the means. Else they are those of its only balance, and f is moved
to the mean, together with its part of D: what a load does is not lost.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bondline.core import Energy, Vector
from bondline.numerics import Kinematics, LinearSystem, Method
from bondline.numerics.factor import symmetric_product


def flows(
    system: LinearSystem,
    method: Method,
    points: Sequence[Kinematics],
    own: Sequence[Vector] | None,
) -> Energy:
    """Energy dissipated and supplied along a path; `own` are loads at its points."""
    dissipated = supplied = 0.0
    for k in range(len(points) - 1):
        now, after = points[k], points[k + 1]
        du = after.u - now.u
        dissipated += _lost(system, method, now, after)
        if own is not None:
            supplied += float(du @ (0.5 * (own[k] + own[k + 1])))
            if not method.one_instant:
                late = 0.5 - method.alpha_f
                dissipated -= late * float(du @ (own[k + 1] - own[k]))
    return Energy(0.0, dissipated, supplied)


def _lost(
    system: LinearSystem, method: Method, now: Kinematics, after: Kinematics
) -> float:
    """D of (1) for one step."""
    (M, C, K), du = system, after.u - now.u
    if method.gamma == 0.5 and method.beta == 0.25 and method.one_instant:
        return float(du @ symmetric_product(C, 0.5 * (now.v + after.v)))
    one = method.one_instant
    f, m = (0.5, 0.5) if one else (method.alpha_f, method.alpha_m)
    v_s, a = _between(f, now.v, after.v), _between(m, now.a, after.a)
    lost = float(du @ (symmetric_product(C, v_s) + symmetric_product(M, a)))
    v_mean, dv = 0.5 * (now.v + after.v), after.v - now.v
    lost -= float(v_mean @ symmetric_product(M, dv))
    return lost if one else lost + (0.5 - f) * float(du @ symmetric_product(K, du))


def _between(alpha: float, now: Vector, after: Vector) -> Vector:
    return np.asarray((1.0 - alpha) * after + alpha * now, dtype=np.float64)
