"""How strongly followers answer their leaders over a window, and what that allows.

The leaders feel F, the followers ask for F*. Over one window ∂F*/∂F = −M_app(h) D: D is
what a unit of force does to the leaders' acceleration, M_app(h) what an acceleration
asks of the followers, with all that the window lets it reach. The largest eigenvalue μ
of M_app D decides whether one pass is stable: see `one_pass_limits`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bondline.core import InterfaceProblem, Rejected, Vector
from bondline.errors import SettingError
from bondline.gluing.couplings.motion_schemes import FORCE_SCHEMES, ForceScheme
from bondline.gluing.couplings.one_pass_limits import EXACT, limits

CHOICES = ("linear/explicit", "hold/explicit", "newmark/f")
SAFE = 0.9  # of a limit


class Feedback(NamedTuple):
    """The largest eigenvalue of M_app(h) D, and what `CHOICES` allow."""

    ratio: float
    h: float
    limits: tuple[float, float, float]

    @property
    def choice(self) -> int:
        """Which of `CHOICES`: the line, then hold, then iterations."""
        below = (self.ratio < SAFE * most for most in self.limits[:2])
        return next((k for k, stable in enumerate(below) if stable), 2)

    @property
    def scheme(self) -> ForceScheme:
        """The cheapest scheme that is stable."""
        return FORCE_SCHEMES[CHOICES[self.choice]]


def feedback(
    problem: InterfaceProblem,
    guess: Vector,
    weights: Sequence[tuple[float, float, float]],
) -> Feedback | Rejected:
    """From one sweep, and one advance more of each part for each force it feels.

    `weights` are those of followers that weigh x, v h and a h² of what they are told.
    """
    here = problem.sweep(guess)
    if isinstance(here, Rejected):
        return here
    slope = problem.slope(guess, here)
    if isinstance(slope, Rejected):
        return slope
    each = np.linalg.eigvals(slope.matrix - np.eye(problem.size))
    ratio = float(np.abs(each).max(initial=0.0))
    return Feedback(ratio, problem.h, least(weights))


def least(weights: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """The limits that hold for all of these followers."""
    line, hold, iterated = zip(*map(limits, (EXACT, *weights)), strict=True)
    return min(line), min(hold), min(iterated)


def note(found: Feedback) -> str:
    """The choice, with the numbers."""
    line, hold = (SAFE * most for most in found.limits[:2])
    return (
        f"X-T coupling: over windows of {found.h:.3g} s the followers have "
        f"{found.ratio:.3g} times the leaders' inertia, max eig(M_mbd^-1 M_app), so "
        f"{found.scheme.name} was chosen (below {line:.3g} linear/explicit, below "
        f"{hold:.3g} hold/explicit, else newmark/f, iterated)."
    )


def refuse(place: str, scheme: ForceScheme, found: Feedback) -> None:
    """Raise `SettingError` where one pass with this scheme is unstable."""
    most = found.limits[CHOICES.index(scheme.name)]
    if found.ratio < most:
        return
    raise SettingError(
        f"{place}: scheme {scheme.name}, windows of {found.h:.3g} s",
        f"the followers have {found.ratio:.3g} times the leaders' inertia over a "
        f"window, max eig(M_mbd^-1 M_app), and in one pass errors grow above "
        f"{most:.3g}.",
        f"Use {found.scheme.name}, or auto; or shorten the step: it is less then.",
    )
