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

CHOICES = ("linear/explicit", "hold/explicit", "linear/f", "newmark/f")
SAFE = 0.9  # of a limit
FALLS = 0.6  # of the ratio over half a window: a leader on its own spring, ωh = 1.5
UNSURE = 0.95  # likewise: below this nothing is known of the share of springs
SPRINGS = (0.1, 4e-4, 2.7, np.inf)  # share of springs that each bears, see below
RINGS = (0.7, 0.0256)  # share refused in one pass: grows against 10 and 8 % of damping


class Feedback(NamedTuple):
    """The largest eigenvalue of M_app(h) D, and what `CHOICES` allow.

    `springs` is the share of it that grows with h²: (ωh)²/4 of a spring between the
    parts. One pass feeds energy into springs, hold by that share in every window, the
    line by a third of its square. A damping ratio ζ takes 2ζ√share out of them, so 1 %
    bears 4e-4 and 0.15; 10 % bears 0.7 along a line, and 8 % bears 0.0256 held. On a
    suspension we saw hold make up 0.8 % of what is lost at 0.024, 1 % at 0.028, 2 % at
    0.035. Iterated, the line is stable for (ωh)² < 12: a share of 3.

    A ratio that falls from half a window to the whole has leaders with modes of their
    own. Nothing is known of the share then, so what is iterated is newmark/f. Where it
    falls much, the window does not resolve those modes, and no choice is sure to help:
    undamped, newmark/f grows from ωh = 1.5 on, linear/f from 2.5. `rehearsal` tells.
    """

    ratio: float
    h: float
    limits: tuple[float, ...]  # one a choice
    springs: float = 0.0
    keeps: float = 1.0  # the ratio over that of half the window

    @property
    def falls(self) -> bool:
        """Whether leaders have modes that the window does not resolve."""
        return self.keeps < FALLS

    @property
    def choice(self) -> int:
        """Which of `CHOICES`: in one pass if that is stable, else iterated."""
        unsure = np.inf if self.keeps < UNSURE else self.springs
        shares = (self.springs, self.springs, unsure, 0.0)
        each = zip(self.limits, SPRINGS, shares, strict=True)
        fits = (self.ratio < SAFE * most and share < k for most, k, share in each)
        return next(n for n, good in enumerate(fits) if good)

    @property
    def scheme(self) -> ForceScheme:
        """The cheapest scheme that is stable."""
        return FORCE_SCHEMES[CHOICES[self.choice]]


def feedback(
    problems: tuple[InterfaceProblem, InterfaceProblem],
    guess: Vector,
    weights: Sequence[tuple[float, float, float]],
) -> Feedback | Rejected:
    """From a window and half of it: what grows fourfold is due to springs.

    `weights` are those of followers that weigh x, v h and a h² of what they are told.
    """
    found = [_ratio(problem, guess) for problem in problems]
    for one in found:
        if isinstance(one, Rejected):
            return one
    whole, half = (one for one in found if isinstance(one, float))
    keeps = whole / half if half > 0.0 else 1.0
    springs = max(0.0, (whole - half) * 4.0 / 3.0)
    return Feedback(whole, problems[0].h, least(weights), springs, keeps)


def _ratio(problem: InterfaceProblem, guess: Vector) -> float | Rejected:
    """One sweep, and one advance more of each part for each force it feels."""
    here = problem.sweep(guess)
    if isinstance(here, Rejected):
        return here
    slope = problem.slope(guess, here)
    if isinstance(slope, Rejected):
        return slope
    each = np.linalg.eigvals(slope.matrix - np.eye(problem.size))
    return float(np.abs(each).max(initial=0.0))


def least(weights: Sequence[tuple[float, float, float]]) -> tuple[float, ...]:
    """The limits that hold for all of these followers."""
    return tuple(map(min, zip(*map(limits, (EXACT, *weights)), strict=True)))


def note(found: Feedback) -> str:
    """The choice, with the numbers."""
    line, hold = (SAFE * most for most in found.limits[:2])
    return (
        f"X-T coupling: over windows of {found.h:.3g} s the followers have "
        f"{found.ratio:.3g} times the leaders' inertia, max eig(M_mbd^-1 M_app), of it "
        f"{_shared(found)} by springs, so {found.scheme.name} was chosen: "
        f"linear/explicit below {line:.3g} with {SPRINGS[0]:g} by springs, "
        f"hold/explicit below {hold:.3g} with {SPRINGS[1]:g}, else iterated, linear/f "
        f"up to {SPRINGS[2]:g} by springs, newmark/f beyond.{_coarse(found)}"
    )


def _shared(found: Feedback) -> str:
    """The share of springs in words."""
    unsure = found.keeps < UNSURE
    return "an unknown share" if unsure else f"{found.springs:.2g}"


def _coarse(found: Feedback) -> str:
    """A warning where the leaders themselves are not resolved."""
    if not found.falls:
        return ""
    return (
        " It is far more over half a window: the leaders have modes of their own too "
        "quick for this one. Shorten the step, or make light bodies heavier."
    )


def refuse(place: str, scheme: ForceScheme, found: Feedback, h: float) -> None:
    """Raise `SettingError` where one pass over `h` with this scheme is unstable.

    `found` may be of a shorter window.
    """
    which = CHOICES.index(scheme.name)
    most, rings = found.limits[which], RINGS[which]
    if found.ratio >= most:
        grows = f"max eig(M_mbd^-1 M_app), and in one pass errors grow above {most:.3g}"
    elif found.springs >= rings:
        grows = (
            f"{found.springs:.2g} of it by springs, and in one pass those grow above "
            f"{rings:g}, even with {(0.1, 0.08)[which]:.0%} of critical damping"
        )
    else:
        return
    raise SettingError(
        f"{place}: scheme {scheme.name}, windows of {h:.3g} s",
        f"the followers have {found.ratio:.3g} times the leaders' inertia over "
        f"{'a window' if found.h == h else f'{found.h:.3g} s already'}, {grows}.",
        f"Use {found.scheme.name}, or auto; or shorten the step: it is less then.",
    )


def growing(scheme: ForceScheme, found: Feedback) -> tuple[str, ...]:
    """What to note of a scheme that was asked for, and feeds energy into springs."""
    which = CHOICES.index(scheme.name)
    if found.springs < SPRINGS[which]:
        return ()
    rate = (found.springs, found.springs**2 / 3.0)[which == 0] / found.h
    return (
        f"X-T coupling, {scheme.name}: springs between the parts grow by about "
        f"{rate:.2g} a second where nothing damps them ({_shared(found)} of what "
        f"the leaders feel over a window is due to them, {SPRINGS[which]:g} is safe); "
        "shorten the step, or iterate: auto.",
    )
