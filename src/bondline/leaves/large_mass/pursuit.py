"""One window: loads that make a corrector follow a motion, liu (1)-(4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, NamedTuple

import numpy as np

from bondline.core import Correcting, Motion, Rejected, Trial, Vector, Window
from bondline.leaves.large_mass.secant import improved, increment, nominal
from bondline.leaves.large_mass.told import accelerations, behind, sizes
from bondline.leaves.large_mass.weights import spread

_EPS = float(np.finfo(np.float64).eps)
_ROUND_OFF = 16.0  # places of the last digit that a phi may be off by
_STALLED = 0.5  # a residual that falls by less has reached its floor ...
_SMALL = 1e-4  # ... where it is below this


class Reached(NamedTuple):
    """The corrector where it follows, under which loads, and what was learned."""

    trial: Trial
    f_e: Vector
    C: Vector
    stalled: bool


@dataclass(frozen=True, eq=False)
class Pursuit:
    """A leaf with large masses on some ports, and what of its motion is to agree."""

    leaf: Correcting[Any]
    pieces: Mapping[str, slice]  # of the stacked dofs, by port
    mass: Vector  # M_L, or J_L, of each
    weights: Vector  # of x, v, a
    window: Window
    tolerances: tuple[float, float]  # of the residual, and of φ
    patience: int
    fixed: bool = False  # C is given in full, and stays
    felt: float = 0.0  # the largest force so far over the mass of the part, m/s²

    @property
    def reach(self) -> Vector:
        """∂(x, v, a)/∂a."""
        return spread(self.window.h, self.leaf.balance)

    @property
    def alone(self) -> Vector:
        """C of the large masses alone."""
        way = self.leaf.balance
        gain = (1.0 - way.alpha_f) / (1.0 - way.alpha_m)
        return nominal(self.weights, self.reach, gain, self.mass)

    def phi(self, aim: Mapping[str, Motion], trial: Trial) -> Vector:
        """w₁ (q'' − r'') + w₂ (q' − r') + w₃ (q − r), liu (1)."""
        rows = [behind(aim[p], trial.motions[p]) for p in self.pieces]
        found: Vector = self.weights @ np.hstack(rows)
        return found

    def follow(
        self,
        trial: Trial,
        aim: Mapping[str, Motion],
        first: Vector,
        C: Vector,
        others: Mapping[str, Vector],
    ) -> Reached | Rejected:
        """Correct loads and structure together until both agree."""
        f_e, before, last, alone = first, None, inf, self.alone
        for k in range(self.patience):
            done = self.leaf.correct(trial, {**others, **self.split(f_e)})
            if isinstance(done, Rejected):
                return done
            trial, phi = done, self.phi(aim, done)
            if not isfinite(float(phi @ phi)):
                return self._lost(f"its motion is not finite after {k + 1} corrections")
            near = bool((np.abs(phi) <= self._allowed(aim, trial, f_e)).all())
            stalled = _STALLED * last < trial.residual < _SMALL
            if near and (trial.residual <= self.tolerances[0] or stalled):
                return Reached(trial, f_e, C, trial.residual > self.tolerances[0])
            if before is not None and not self.fixed:
                C = improved(C, alone, (before[0], f_e), (before[1], phi))
            before, last = (f_e, phi), trial.residual
            f_e = f_e + increment(C, phi)  # liu (2)
        return self._lost(
            f"after {self.patience} corrections the residual is {trial.residual:.2g} "
            f"and the motion {np.abs(phi / (self.weights @ self.reach)).max():.2g} "
            "m/s² off; round-off of the large masses alone is "
            f"{_EPS * np.abs(f_e).max():.2g} N"
        )

    def split(self, f: Vector) -> dict[str, Vector]:
        """Stacked forces by port."""
        return {p: f[w] for p, w in self.pieces.items()}

    def _allowed(self, aim: Mapping[str, Motion], trial: Trial, f_e: Vector) -> Vector:
        """How large a φ may be: a share of the accelerations there are, or round-off.

        Or of those that the forces there are would give to the part: what a smaller φ
        changes in them is nothing beside them. Turns and translations have sizes of
        their own, whatever the port.
        """
        seen = np.hstack([sizes(aim[p]) for p in self.pieces])
        own = np.abs(accelerations(trial, self.pieces))
        large = np.maximum(np.maximum(seen[2], own), np.abs(f_e) / self.mass)
        turns = self.mass != self.mass[0]
        for kind, least in ((turns, 0.0), (~turns, self.felt)):
            large[kind] = large[kind].max(initial=least)
        round_off: Vector = _ROUND_OFF * _EPS * (self.weights @ seen)
        enough: Vector = self.tolerances[1] * float(self.weights @ self.reach) * large
        return enough + round_off

    def _lost(self, reason: str) -> Rejected:
        model = str(getattr(self.leaf, "name", "the leaf"))
        return Rejected(model, reason, self.window.at(0.5))
