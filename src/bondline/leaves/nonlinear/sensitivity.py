"""What port forces do to the end of a window, from the tangents of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bondline.core import Flexibility
from bondline.leaves.nonlinear.corrector import Corrector, Step
from bondline.leaves.nonlinear.elements.block import Array
from bondline.leaves.nonlinear.model import Place
from bondline.leaves.nonlinear.sockets import Sockets
from bondline.leaves.nonlinear.turning import left_jacobians


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Derivatives carried through steps, by their tangents: one column a unit force."""

    corrector: Corrector
    ends: Sockets

    def flexibility(self, taken: Sequence[Step], powers: int) -> Flexibility:
        """G over the first `powers` coefficients."""
        columns, count = self.ends.columns, len(taken)
        levels = np.zeros((3, len(columns), powers, columns.shape[1]))
        for power in range(powers):
            u = v = a = np.zeros_like(columns)
            if count > 1:
                a = self.corrector.accelerate(columns) * float(power == 0)
            for k, step in enumerate(taken):
                s = [((k + j) / count) ** power for j in (0, 1)]
                u, v, a = self._carry(step, (u, v, a), (s[0], s[1]))
            levels[:, :, power, :] = self._spun(taken[-1], u), v, a
        return self.ends.flexibility(levels, len(taken) * columns.shape[1])

    def _carry(
        self, step: Step, now: tuple[Array, Array, Array], felt: tuple[float, float]
    ) -> tuple[Array, Array, Array]:
        """The linearised step: S δa₁ = δp_f − (what δu, δv, δa bring with them)."""
        m, h, (u, v, a) = self.corrector.method, step.h, now
        times = self.corrector.model.pattern.times
        u_p = u + h * v + h**2 * (0.5 - m.beta) * a
        v_p = v + h * (1.0 - m.gamma) * a
        late, inner = 1.0 - m.alpha_f, step.inner
        rhs = (late * felt[1] + m.alpha_f * felt[0]) * self.ends.columns
        if u.any() or v.any() or a.any():
            old = self.corrector.model.balance(
                Place(step.start.u, step.start.v, step.start.turns), step.start.history
            )
            rhs = rhs - late * (times(inner.stiffness, u_p) + times(inner.damping, v_p))
            before = times(old.stiffness, u) + times(old.damping, v)
            rhs = rhs - m.alpha_f * before - m.alpha_m * times(self.corrector.heavy, a)
        solve = self.corrector.model.pattern.factor(self.corrector.tangent(step))
        a_new = solve(rhs)
        return u_p + m.beta * h**2 * a_new, v_p + h * m.gamma * a_new, a_new

    def _spun(self, step: Step, u: Array) -> Array:
        """Increments of rotation vectors as spins: what a frame shows."""
        model = self.corrector.model
        if step.place.since is None:
            return u
        J, u = left_jacobians(step.place.since), u.copy()
        numbers = model.dofs.index[model.turning][:, 3:]
        wide = np.concatenate([u, np.zeros_like(u[:1])])[numbers]
        spun = np.einsum("nij,njc->nic", J, wide)
        u[numbers[numbers >= 0]] = spun[numbers >= 0]
        return u
