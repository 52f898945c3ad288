"""Rest under loads: Newton's method along a path of loads, with steps that adapt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bondline.core import Vector
from bondline.leaves.nonlinear.corrector import Newton
from bondline.leaves.nonlinear.model import Balance, NonlinearModel, Place
from bondline.leaves.nonlinear.state import Parts
from bondline.leaves.nonlinear.turning import exp, product

_FAR = 1.5  # rad in a step of the load: beyond it, another branch may be found


class Settled(NamedTuple):
    """Where it rests, and the residuals of every correction of the last load step."""

    parts: Parts
    residuals: tuple[float, ...]
    solves: int


class Stuck(NamedTuple):
    """The share of the way that was made, and why no more."""

    share: float
    reason: str


@dataclass(frozen=True, eq=False)
class Statics:
    """From one rest to another: inner forces go from f₀ to `target` along a line.

    `springs` (one number a dof) hold dofs to where they are at rest. The first step
    tries the share `first` of the way; a step that fails is halved down to `least`,
    one that succeeds is followed by one 1.5 times as long, up to `most`.
    """

    model: NonlinearModel
    newton: Newton
    springs: Vector
    first: float = 1.0
    most: float = 1.0
    least: float = 1e-4

    def settle(self, start: Parts, target: Vector) -> Settled | Stuck:
        """Rest under `target`, own loads and port loads together."""
        share, size, solves, now = 0.0, self.first, 0, start
        begin = self.inner(start, np.zeros_like(start.u))
        base = begin.force + self.springs * start.u
        reason, found = "", Settled(start, (), 0)
        while share < 1.0:
            after = min(1.0, share + size)
            tried = self._step(now, base + after * (target - base))
            if isinstance(tried, Settled):
                now, share, found = tried.parts, after, tried
                size, solves = min(1.5 * size, self.most), solves + tried.solves
                continue
            size, reason = 0.5 * size, tried.reason
            if size < self.least:
                return Stuck(share, reason)
        return found._replace(parts=now, solves=solves)

    def _step(self, now: Parts, target: Vector) -> Settled | Stuck:
        du, residuals, inner = np.zeros_like(now.u), list[float](), None
        for k in range(self.newton.patience):
            inner = self.inner(now, du)
            r = target - inner.force - self.springs * (now.u + du)
            residuals.append(self.relative(r, inner, target))
            if not np.isfinite(residuals[-1]):
                return Stuck(0.0, "numbers that are not finite")
            if k and self._rests(residuals):
                if float(np.abs(du[self.model.rotations]).max(initial=0.0)) > _FAR:
                    return Stuck(0.0, "it turns too far in one step of the load")
                parts = self.arrived(now, du, inner, target)
                return Settled(parts, tuple(residuals), len(residuals))
            try:
                change = self.solve(inner, r)
            except np.linalg.LinAlgError:
                return Stuck(0.0, "something moves without resistance")
            du = du + change
            tiny = 4.0 * np.finfo(np.float64).eps
            small = float(np.abs(change).max(initial=0.0)) < tiny * self.model.size
            if small and residuals[-1] < 1e-6:
                parts = self.arrived(now, du, self.inner(now, du), target)
                return Settled(parts, tuple(residuals), len(residuals))
        return Stuck(0.0, f"no balance after {self.newton.patience} corrections")

    def _rests(self, residuals: list[float]) -> bool:
        """In balance, and corrections help no more: rest is worth one more of them."""
        last, before = residuals[-1], residuals[-2]
        fine = last <= self.newton.tolerance
        return fine and (last <= 1e-3 * self.newton.tolerance or last > 0.1 * before)

    def solve(self, inner: Balance, r: Vector) -> Vector:
        """(K + springs)⁻¹ r; `LinAlgError` where that is singular."""
        none = [None] * len(self.model.blocks)
        pattern = self.model.pattern
        K = inner.stiffness + pattern.gather(none, self.springs)
        change = pattern.factor(K)(r)
        if not np.isfinite(change).all() or np.abs(change).max(initial=0.0) > 1e6:
            raise np.linalg.LinAlgError("singular")
        return change

    def arrived(self, now: Parts, du: Vector, inner: Balance, p: Vector) -> Parts:
        """At rest after a change of displacements, with the history of there."""
        place, still = self._place(now, du), np.zeros_like(du)
        return Parts(
            place.u,
            still,
            still,
            p,
            inner.force,
            place.turns,
            np.array([inner.stored]),
            inner.history,
        )

    def _place(self, now: Parts, du: Vector) -> Place:
        still, nodes = np.zeros_like(du), self.model.turning
        if not nodes.size:
            return Place(now.u + du, still, now.turns)
        since = self.model.dofs.spread(du)[nodes, 3:]
        return Place(now.u + du, still, product(exp(since), now.turns), since)

    def inner(self, now: Parts, du: Vector) -> Balance:
        """Inner forces after a change of displacements."""
        return self.model.balance(self._place(now, du), now.history)

    def relative(self, r: Vector, inner: Balance, target: Vector) -> float:
        """Over the largest force of an element, or load: at rest both count."""
        turn, off = self.model.rotations, np.abs(r)
        loads = np.abs(target)
        force = max(inner.largest[0], float(np.delete(loads, turn).max(initial=0.0)))
        moment = max(inner.largest[1], float(loads[turn].max(initial=0.0)))
        force = max(force, moment / self.model.size, 1e-300)
        moment = max(moment, force * self.model.element_size)
        out = float(np.delete(off, turn).max(initial=0.0)) / force
        return max(out, float(off[turn].max(initial=0.0)) / moment)
