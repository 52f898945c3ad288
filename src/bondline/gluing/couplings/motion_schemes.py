"""How the guessed quantity of X-X and X-T coupling runs over a window.

The condition is always the same: equilibrium at t₁. What decides whether an error dies
out is the shape between t₀ and t₁. With a mass m on a spring k at the interface and
q(s) = a₀ + (a₁ − a₀) p(s) for its acceleration, only two moments of p matter,

    v₁ = v₀ + h ((1 − γ) a₀ + γ a₁),                 γ = ∫ p ds                    (1)
    x₁ = x₀ + h v₀ + h² ((½ − β) a₀ + β a₁),         β = ∫ (1 − s) p ds            (2)

so m a₁ + k x₁ = 0 is Newmark's method. The line p = s has γ = ½, β = 1/6: the linear
acceleration method, stable for ωh < 3.46. The cubic p = 6 s − 15 s² + 10 s³ is the one
with p(0) = 0, p(1) = 1, γ = ½, β = ¼: the trapezoidal rule, stable for every ωh. A
part that takes one trapezoidal step a window finds a₁ back from x₁; a part that
integrates inside follows the path: both may meet at one interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError, did_you_mean

_NEWMARK = (0.0, 6.0, -15.0, 10.0)  # p(s)
_LINE = (0.0, 1.0)


@dataclass(frozen=True)
class MotionScheme:
    """How interface motion runs over a window: what X-X coupling guesses.

    The unknown is the acceleration at t₁, which goes there as `ramp` says (p above,
    coefficients of sᵏ); or, with no ramp, the velocity of a motion along a line.
    """

    name: str
    meaning: str
    ramp: tuple[float, ...] = ()

    @property
    def inertia(self) -> bool:
        """Whether the interface must have inertia, or must have none."""
        return bool(self.ramp)

    @cached_property
    def _path(self) -> Matrix:
        """sᵏ × (x₀, h v₀, h² a₀, unknown); the unknown times h, or h²."""
        return _path(self.ramp) if self.ramp else np.array([[1, 0, 0, 0], [0, 0, 0, 1]])

    def weights(self, h: float, known: bool = True) -> Matrix:
        """sᵏ × (x₀, v₀, a₀, unknown): the path from what is known at t₀.

        Where a₀ is not `known`, the acceleration is the same over the window.
        """
        if not self.ramp:
            return self._path * (1.0, h, h * h, h)
        path = self._path if known else _path((1.0,))
        scaled: Matrix = path * (1.0, h, h * h, h * h)
        return scaled


def _path(ramp: tuple[float, ...]) -> Matrix:
    """x₀ + h v₀ s + h² ∫∫ (a₀ + (a₁ − a₀) p); a constant p leaves no a₀."""
    path = np.zeros((max(len(ramp) + 2, 3), 4))
    path[0, 0] = path[1, 1] = 1.0
    path[2, 2] = 0.5
    for k, c in enumerate(ramp, start=2):
        path[k, 2:] += c / (k * (k - 1)) * np.array([-1.0, 1.0])
    return path


@dataclass(frozen=True)
class ForceScheme:
    """How the force on the leaders runs over a window: what X-T coupling guesses.

    The unknown is the force at t₁; `shape` turns (force at t₀, unknown) into
    coefficients of sᵏ. With `extrapolate` nothing is guessed: the efforts of the last
    windows are held, or continued along a line, and one pass is all. That is stable
    while the followers' inertia, seen from the leaders, is below `limit` times theirs.
    """

    name: str
    meaning: str
    shape: tuple[tuple[float, float], ...]
    extrapolate: Literal["", "hold", "linear"] = ""
    limit: float = np.inf

    @property
    def open(self) -> bool:
        """Whether the first window is to choose."""
        return self.name == "auto"

    @cached_property
    def _shape(self) -> Matrix:
        return np.array(self.shape)

    def coefficients(self, before: Vector, z: Vector) -> Matrix:
        """Coefficients of sᵏ, one row each."""
        rows: Matrix = self._shape @ np.stack([before, z])
        return rows

    def ahead(self, now: Vector, before: Vector, share: float) -> Vector:
        """The force to expect at t₁; `share` is this window over the last one."""
        if self.extrapolate == "linear":
            return now + share * (now - before)
        return now


def dead_beat(x: Vector, v: Vector, a: Vector, h: float) -> Vector:
    """Where an error ε of a one-step part shall be at t₁, from ε, ε', ε'' at t₀.

    Such a part finds v and a from the positions it is told. Told no error at all, it
    would keep those of its rates for ever, with a double eigenvalue −1, and round-off
    would grow with the run. With ε'' + ε'/h + ε/4h² = 0 at t₁ nothing is left after a
    few windows.
    """
    x_p, v_p = x + h * v + 0.25 * h * h * a, v + 0.5 * h * a
    a_new = -(v_p / h + x_p / (4.0 * h * h)) / (1.0 + 0.5 + 0.0625)
    there: Vector = x_p + 0.25 * h * h * a_new
    return there


def _between(ramp: tuple[float, ...]) -> tuple[tuple[float, float], ...]:
    """F₀ + (F₁ − F₀) p(s)."""
    return tuple((float(k == 0) - c, c) for k, c in enumerate(ramp))


MOTION_SCHEMES: Mapping[str, MotionScheme] = {
    s.name: s
    for s in (
        MotionScheme(
            "newmark/f",
            "x, v and a at the end follow the trapezoidal rule, a quintic leads there; "
            "order 2, stable for every window as far as the interface goes",
            _NEWMARK,
        ),
        MotionScheme(
            "cubic/f",
            "the acceleration runs along a line; order 2 with half the error, stable "
            "for ωh < 3.46 at the interface",
            _LINE,
        ),
        MotionScheme(
            "linear/f",
            "the interface moves along a line, for interfaces without inertia; order "
            "2 with springs, 1 with dampers there",
        ),
    )
}

FORCE_SCHEMES: Mapping[str, ForceScheme] = {
    s.name: s
    for s in (
        ForceScheme(
            "newmark/f",
            "the force goes along a cubic on which a mass follows the trapezoidal "
            "rule; order 2, stable for every window as far as the interface goes",
            _between(_NEWMARK),
        ),
        ForceScheme(
            "linear/f",
            "the force goes along a line; order 2, stable for ωh < 3.46 at the "
            "interface",
            _between(_LINE),
        ),
        ForceScheme(
            "hold/explicit",
            "one pass: the last effort is held; order 1, unstable where the followers "
            "have more inertia than the leaders",
            ((0.0, 1.0),),
            "hold",
            1.0,
        ),
        ForceScheme(
            "linear/explicit",
            "one pass: the efforts of two windows are continued along a line; order 2, "
            "unstable where the followers have a third of the leaders' inertia",
            _between(_LINE),
            "linear",
            1.0 / 3.0,
        ),
        ForceScheme(
            "auto",
            "one of the others, by the inertia that the leaders feel in the first "
            "window: where it is safe linear/explicit, else hold/explicit, else "
            "linear/f or newmark/f",
            _between(_NEWMARK),
        ),
    )
}

SHORT: Mapping[str, str] = {
    "hold": "hold/explicit",
    "linear": "linear/explicit",
    "newton": "linear/f",
}
"""Other words for some schemes of X-T coupling."""

REFUSED_MOTION: Mapping[str, str] = {
    "quadratic/f": "a parabola is fixed by x₀, v₀ and one unknown, so the acceleration "
    "of t₁ acts over the whole window: the error is of order 1",
    "constant/f": "a motion that jumps at t₀ has no velocity",
    "cubic/e": "equal motion is what X-X coupling starts from; equilibrium is left",
}

REFUSED_FORCE: Mapping[str, str] = {
    "constant/f": "the force of t₁ acts over the whole window: the error is of order 1",
    "quadratic/explicit": "three windows continued along a parabola are unstable above "
    "a seventh of the leaders' inertia",
}

S = TypeVar("S")


def motion_scheme(name: str, place: str = "scheme") -> MotionScheme:
    """The X-X scheme of that name, or a `SettingError` that says why not."""
    return _named(name, place, MOTION_SCHEMES, REFUSED_MOTION)


def force_scheme(name: str, place: str = "scheme") -> ForceScheme:
    """The X-T scheme of that name, or a `SettingError` that says why not."""
    return _named(SHORT.get(name, name), place, FORCE_SCHEMES, REFUSED_FORCE)


def _named(
    name: str, place: str, known: Mapping[str, S], refused: Mapping[str, str]
) -> S:
    if name in known:
        return known[name]
    if name in refused:
        raise SettingError(
            place,
            f"{name} is refused: {refused[name]}.",
            f"Use one of {', '.join(sorted(known))}.",
        )
    raise SettingError(place, f"no scheme {name!r}.", did_you_mean(name, known))
