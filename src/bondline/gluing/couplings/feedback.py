"""How strongly followers answer their leaders over a window, and what that allows.

The leaders feel F, the followers ask for F*. Over one window ∂F*/∂F = −M_app(h) D: D is
what a unit of force does to the leaders' acceleration, M_app(h) what an acceleration
asks of the followers, with all that the window lets it reach. An error of a force that
is held obeys λ = −μ, of one that is continued along a line λ² + 2μλ − μ = 0, with the
eigenvalues μ of M_app D: stable for μ < 1 and μ < 1/3, whatever the window is besides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bondline.core import InterfaceProblem, Rejected, Vector
from bondline.errors import SettingError
from bondline.gluing.couplings.motion_schemes import FORCE_SCHEMES, ForceScheme

CHOICES = ("linear/explicit", "hold/explicit", "newmark/f")
_BELOW = (0.3, 0.9, np.inf)  # a tenth below the limits


class Feedback(NamedTuple):
    """The largest eigenvalue of M_app(h) D, and what it cost to know."""

    ratio: float
    h: float
    solves: int

    @property
    def choice(self) -> int:
        """Which of `CHOICES`: the line, then hold, then iterations."""
        return next(k for k, most in enumerate(_BELOW) if self.ratio < most)

    @property
    def scheme(self) -> ForceScheme:
        """The cheapest scheme that is stable."""
        return FORCE_SCHEMES[CHOICES[self.choice]]


def feedback(problem: InterfaceProblem, guess: Vector) -> Feedback | Rejected:
    """From one sweep, and one advance more of each part for each force it feels."""
    here = problem.sweep(guess)
    if isinstance(here, Rejected):
        return here
    slope = problem.slope(guess, here)
    if isinstance(slope, Rejected):
        return slope
    each = np.linalg.eigvals(slope.matrix - np.eye(problem.size))
    ratio = float(np.abs(each).max(initial=0.0))
    return Feedback(ratio, problem.h, here.solves + slope.solves)


def note(found: Feedback) -> str:
    """The choice, with the number."""
    return (
        f"X-T coupling: over windows of {found.h:.3g} s the followers have "
        f"{found.ratio:.3g} times the leaders' inertia, max eig(M_mbd^-1 M_app), so "
        f"{found.scheme.name} was chosen (below 0.3 linear/explicit, below 0.9 "
        "hold/explicit, else newmark/f, iterated)."
    )


def refuse(place: str, scheme: ForceScheme, found: Feedback) -> None:
    """Raise `SettingError` where one pass with this scheme is unstable."""
    if found.ratio < scheme.limit:
        return
    raise SettingError(
        f"{place}: scheme {scheme.name}, windows of {found.h:.3g} s",
        f"the followers have {found.ratio:.3g} times the leaders' inertia over a "
        f"window, max eig(M_mbd^-1 M_app), and in one pass errors grow above "
        f"{scheme.limit:.3g}.",
        f"Use {found.scheme.name}, or auto; or shorten the step: it is less then.",
    )
