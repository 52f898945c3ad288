"""Implicit one-step methods for linear structures: Newmark, HHT-α, generalized-α.

With x_α = (1 − α) xₙ₊₁ + α xₙ the balance of forces holds once in every step,

    M a_m + C v_f + K u_f = f_f                                               (1)

at α_m for accelerations and α_f for all else; wang2003 (33) and (36) connect u, v, a.
Newmark's methods have α_m = α_f = 0: their balance is at tₙ₊₁.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bondline.errors import SettingError

_GROWTH = 1e-6  # what eigenvalues of defective 3 × 3 matrices are off by
_STABLE = (
    "2β ≥ γ ≥ 1/2 for Newmark's methods; or use Method.hht, Method.generalized_alpha"
)


@dataclass(frozen=True)
class Method:
    """Weights of a method that is stable however long the step.

    With `conditional` it need be so only up to `limit`, which nobody checks against
    the model. Explicit methods (β = 0) are refused: a joint could not lead a dof of
    theirs anywhere within a step.
    """

    beta: float = 0.25
    gamma: float = 0.5
    alpha_m: float = 0.0
    alpha_f: float = 0.0
    conditional: bool = False

    def __post_init__(self) -> None:
        if not self.beta > 0.0 or not max(self.alpha_m, self.alpha_f) < 1.0:
            raise SettingError(
                "Method",
                f"{self} is explicit: forces of a step do not move anything in it.",
                f"Take β > 0 and α_m, α_f < 1. Stable methods: {_STABLE}.",
            )
        if self.limit == 0.0 or (self.limit < np.inf and not self.conditional):
            short = self.limit > 0.0
            upto = f"only for ωh up to {self.limit:.3g}" if short else "for no step"
            instead = "; or say conditional=True." if short else "."
            raise SettingError(
                "Method", f"{self} is stable {upto}.", f"Take {_STABLE}{instead}"
            )

    @classmethod
    def trapezoidal(cls) -> Method:
        """β = 1/4, γ = 1/2: keeps energy, the default."""
        return cls()

    @classmethod
    def newmark(cls, beta: float, gamma: float, conditional: bool = False) -> Method:
        """Newmark's method; γ > 1/2 damps, and makes it of first order.

        `conditional` also admits those that are stable for short steps only.

        >>> round(Method.newmark(1 / 6, 1 / 2, conditional=True).limit, 1)  # √12
        3.5
        """
        return cls(beta, gamma, conditional=conditional)

    @classmethod
    def hht(cls, alpha: float) -> Method:
        """Hilber, Hughes and Taylor's method, α from −1/3 (damps most) to 0.

        >>> round(Method.hht(-0.05).rho_inf, 4)
        0.9048
        """
        if not -1.0 / 3.0 <= alpha <= 0.0:
            raise SettingError(
                "Method.hht: alpha",
                f"it is {alpha:g}.",
                "Give -1/3 to 0; -0.05 damps a little.",
            )
        return cls((1.0 - alpha) ** 2 / 4.0, 0.5 - alpha, 0.0, -alpha)

    @classmethod
    def generalized_alpha(cls, rho: float) -> Method:
        """Chung and Hulbert's method, which leaves the share ρ of the fastest motions.

        Of all methods of second order that do so it damps slow motions least.

        >>> Method.generalized_alpha(0.5).order
        2
        """
        if not 0.0 <= rho <= 1.0:
            raise SettingError(
                "Method.generalized_alpha: rho",
                f"it is {rho:g}.",
                "Give 0 (damps most) to 1.",
            )
        m, f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        return cls((1.0 - m + f) ** 2 / 4.0, 0.5 - m + f, m, f)

    def __str__(self) -> str:
        weights = (self.beta, self.gamma, self.alpha_m, self.alpha_f)
        return "β = {:g}, γ = {:g}, α_m = {:g}, α_f = {:g}".format(*weights)

    @property
    def one_instant(self) -> bool:
        """Whether the balance (1) is at tₙ₊₁, as Newmark's."""
        return self.alpha_m == 0.0 and self.alpha_f == 0.0

    @property
    def is_trapezoidal(self) -> bool:
        """Whether it is the trapezoidal rule."""
        return self.one_instant and self.gamma == 0.5 and self.beta == 0.25

    @property
    def order(self) -> int:
        """2 where γ = 1/2 − α_m + α_f, else 1."""
        return 2 if abs(self.gamma - 0.5 + self.alpha_m - self.alpha_f) < 1e-12 else 1

    @property
    def rho_inf(self) -> float:
        """The share of the fastest motions that is left after a step."""
        return float(_radius(self.amplification(np.inf)))

    def amplification(self, omega_h: float, zeta: float = 0.0) -> NDArray[np.float64]:
        """(u, h v, h² a) after a step from those before it, of one free mode."""
        b, g, m, f = self.beta, self.gamma, self.alpha_m, self.alpha_f
        P = np.array([[1.0, 1.0, 0.5 - b], [0.0, 1.0, 1.0 - g]])  # ũ and ṽ
        felt = (1.0 - f) * P + f * np.eye(2, 3)
        if np.isinf(omega_h):
            row = -felt[0] / ((1.0 - f) * b)
        else:
            law = np.array([omega_h**2, 2.0 * zeta * omega_h])
            row = -(law @ felt + m * np.eye(1, 3, 2)[0])
            row /= (1.0 - m) + (1.0 - f) * (law @ [b, g])
        return np.vstack([P + np.outer([b, g], row), row])

    @property
    def _known(self) -> bool:
        """Whether it is one of those proven stable (Newmark; Chung and Hulbert)."""
        if self.one_instant:
            return 2.0 * self.beta >= self.gamma >= 0.5
        ordered = self.alpha_m <= self.alpha_f <= 0.5 and self.order == 2
        return ordered and 2.0 * self.beta >= self.gamma * (1.0 - 1e-12)

    @cached_property
    def limit(self) -> float:
        """The largest ωh up to which nothing grows: infinite for stable methods."""
        if self._known:
            return np.inf
        where = [0.0, *np.logspace(-2.0, 4.0, 601).tolist(), np.inf]
        first = next((k for k, x in enumerate(where) if k and self._grows(x)), None)
        if first is None:
            return np.inf
        if first == 1:
            return 0.0
        stable, grown = where[first - 1], min(where[first], 2.0 * where[first - 1])
        return self._last_stable(stable, grown)

    def _last_stable(self, stable: float, grown: float) -> float:
        """Bisected; less what `_GROWTH` lets through beyond the limit."""
        while stable < (middle := 0.5 * (stable + grown)) < grown:
            if self._grows(middle):
                grown = middle
            else:
                stable = middle
        return stable * (1.0 - _GROWTH)

    def _grows(self, omega_h: float) -> bool:
        return _radius(self.amplification(omega_h)) > 1.0 + _GROWTH


def _radius(A: NDArray[np.float64]) -> float:
    return float(np.abs(np.linalg.eigvals(A)).max())
