"""Force over the window and condition at its end: one choice, not two.

wang2003 leaves open how the interface force varies inside a step, and which levels of
motion must agree at its end. The two together decide whether the error dies out. The
error recursion of a rigid joint has these spectral radii, whatever h and the masses:

    condition             constant      linear     quadratic
    e                     1 (bounded)   3.73       5.3 and more
    e'                    1 (drift)     1          1.7
    e'' alone             1, 1 (drift)  1, 1       1, 1
    e + h/2 e'            0             1.72       2.7
    e + h e' + h²/3 e''   -             0          -

so only the pairs in `SCHEMES` are offered. With its own condition for each coefficient
(e, e' for a discontinuous line; e, e', e'' for a parabola) the radius is 0.

Where some parts take one Newmark step a window and others follow the force inside it,
the force goes from F₀ to F₁ along φ = 6s − 15s² + 10s³. Newmark's step sees F₁. A free
body moves under φ as it would under its mean, which is what a trapezoidal step makes
of F₀ and F₁; so both kinds answer alike, and (1 + τ d/dt)² e with τ = h/6 has radius
1/2 whatever the share of each (docs/theory/mixed_interfaces.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.numerics import work_weights


@dataclass(frozen=True)
class Scheme:
    """One pair of force basis and condition.

    The unknowns of a window are `unknowns` vectors of joint forces; `basis` turns them
    into coefficients of sᵏ (column j belongs to unknown j). Residual r is
    Σₗ conditions[r, l] hˡ e⁽ˡ⁾ at t₁: a length, whatever the levels.
    """

    name: str
    meaning: str
    basis: tuple[tuple[float, ...], ...]
    conditions: tuple[tuple[float, float, float], ...]
    shape: Literal["discontinuous", "continuous", "instant"] = "discontinuous"
    one_step: bool = False  # for parts that take one implicit step a window
    mixed: bool = False  # for such parts together with others

    @property
    def unknowns(self) -> int:
        """Force vectors per joint and window."""
        return len(self.conditions)

    @property
    def powers(self) -> int:
        """Coefficients of the force over a window."""
        return len(self.basis)

    @property
    def instant(self) -> bool:
        """Whether the force is the one at t₁, not one over the window."""
        return self.shape == "instant"

    @cached_property
    def sharp(self) -> bool:
        """Whether the force at the end of a window is the force at t₁.

        It is where accelerations agree there: the mean of the two limits at t₁ would
        be 2,000 times further off (quadratic-discontinuous/e,v,a).
        """
        return self.instant or (0.0, 0.0, 1.0) in self.conditions

    @cached_property
    def positions_only(self) -> bool:
        """Whether the residual is e itself."""
        return self.conditions == ((1.0, 0.0, 0.0),)

    @property
    def acceleration(self) -> bool:
        """Whether the condition looks at e''."""
        return any(row[2] for row in self.conditions)

    @cached_property
    def B(self) -> Matrix:
        """`basis` as an array."""
        return np.array(self.basis)

    @cached_property
    def W(self) -> Matrix:
        """`conditions` as an array."""
        return np.array(self.conditions)

    @cached_property
    def carried(self) -> Vector:
        """Coefficients of sᵏ that the force at the end of the last window adds."""
        if self.shape != "continuous":
            return np.zeros(self.powers)
        carried: Vector = -self.B[:, 0]
        carried[0] += 1.0
        return carried

    @cached_property
    def work(self) -> Matrix:
        """Weights for the work along a gap."""
        return work_weights(self.powers)

    def weights(self, h: float) -> Matrix:
        """∂residual/∂(e, e', e'')."""
        scaled: Matrix = self.W * (1.0, h, h * h)
        return scaled

    @cached_property
    def _B_inverse(self) -> Matrix:
        return np.linalg.inv(self.B).astype(np.float64)

    def unknowns_of(self, rows: Matrix) -> Vector:
        """The unknowns behind coefficients of sᵏ, of a discontinuous force."""
        z: Vector = (self._B_inverse @ rows).ravel()
        return z

    def coefficients(self, z: Vector, last: Vector) -> Matrix:
        """Coefficients of sᵏ, one row each, from the unknowns and the last force."""
        rows: Matrix = self.B @ z.reshape(self.unknowns, -1)
        if self.shape == "continuous":
            rows += np.outer(self.carried, last)
        return rows


_LEGENDRE = {  # on [0, 1]; a well-scaled basis for secant updates
    1: ((1.0,),),
    2: ((1.0, -1.0), (0.0, 2.0)),
    3: ((1.0, -1.0, 1.0), (0.0, 2.0, -6.0), (0.0, 0.0, 6.0)),
}

SCHEMES = {
    s.name: s
    for s in (
        Scheme(
            "constant/e",
            "constant force, positions agree: no interface work at all, stable with "
            "flexible parts; positions of order 4, velocities of order 2",
            _LEGENDRE[1],
            ((1.0, 0.0, 0.0),),
        ),
        Scheme(
            "linear-discontinuous/e,v",
            "a line of its own in each window, positions and velocities agree; order 4",
            _LEGENDRE[2],
            ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
        ),
        Scheme(
            "quadratic-discontinuous/e,v,a",
            "a parabola in each window, positions, velocities and accelerations agree; "
            "order 5",
            _LEGENDRE[3],
            ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        ),
        Scheme(
            "linear/deadbeat",
            "a continuous force, e + h e' + h²/3 e'' vanishes; order 4",
            ((0.0,), (1.0,)),
            ((1.0, 1.0, 1.0 / 3.0),),
            shape="continuous",
        ),
        Scheme(
            "newmark/a,v,u",
            "for parts that take one Newmark step a window: a + v/h + u/(4h²) agrees, "
            "times 4h²; holds the displacement gap where a alone drifts",
            ((1.0,),),
            ((1.0, 4.0, 4.0),),
            shape="instant",
            one_step=True,
        ),
        Scheme(
            "mixed/a,v,u",
            "for Newmark parts against parts that follow the force inside the window: "
            "a continuous cubic that both feel alike, e + h/3 e' + h²/36 e'' vanishes; "
            "order 2",
            ((0.0,), (6.0,), (-15.0,), (10.0,)),
            ((1.0, 1.0 / 3.0, 1.0 / 36.0),),
            shape="continuous",
            one_step=True,
            mixed=True,
        ),
    )
}

REFUSED = {
    "linear/e": "a continuous linear force with e = 0 multiplies its error by 3.73 in "
    "every window, whatever the window",
    "quadratic/e": "a continuous quadratic force with e = 0 multiplies its error by "
    "5.3 or more in every window",
    "quadratic/v": "a continuous quadratic force with e' = 0 multiplies its error by "
    "1.7 in every window",
    "constant/v": "matching velocities only lets the positions drift apart",
    "constant/a": "matching accelerations only lets positions and velocities drift",
    "linear/v": "matching velocities only leaves an undamped saw-tooth in the force",
    "linear/a": "matching accelerations only lets positions and velocities drift",
    "quadratic/a": "matching accelerations only lets positions and velocities drift",
}


def scheme(name: str, place: str = "scheme") -> Scheme:
    """The scheme of that name, or a `SettingError` that says why not."""
    if name in SCHEMES:
        return SCHEMES[name]
    if name in REFUSED:
        raise SettingError(
            place,
            f"{name} is refused: {REFUSED[name]}.",
            f"Use one of {', '.join(sorted(SCHEMES))}.",
        )
    raise SettingError(place, f"no scheme {name!r}.", did_you_mean(name, SCHEMES))
