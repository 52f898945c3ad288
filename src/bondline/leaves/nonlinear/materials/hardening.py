"""How the yield stress grows with equivalent plastic strain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.errors import SettingError

Array: TypeAlias = NDArray[np.float64]
_SOFT = "a material that softens has no unique answer here"
_TRIES = 50
_EXACT = 1e-14  # of the yield stress


class Hardening(Protocol):
    """An isotropic law: yield stress, its slope, and the work per volume up to p."""

    def at(self, p: Array) -> tuple[Array, Array]:
        """σ_y(p) and dσ_y/dp."""
        ...

    def work(self, p: Array) -> Array:
        """∫₀ᵖ σ_y dp."""
        ...


@dataclass(frozen=True)
class Linear:
    """σ_y + H p; H = 0 is perfect plasticity."""

    sigma_y: float
    H: float = 0.0

    def __post_init__(self) -> None:
        _yields("Linear", self.sigma_y)
        if not (np.isfinite(self.H) and self.H >= 0.0):
            raise SettingError(
                "hardening Linear",
                f"H is {self.H:g} Pa.",
                f"Give 0 or more: {_SOFT}.",
            )

    def at(self, p: Array) -> tuple[Array, Array]:
        """σ_y(p) and H."""
        return self.sigma_y + self.H * p, np.full_like(p, self.H)

    def work(self, p: Array) -> Array:
        """∫₀ᵖ σ_y dp."""
        return np.asarray(p * (self.sigma_y + 0.5 * self.H * p))


@dataclass(frozen=True)
class Swift:
    """K (ε₀ + p)ⁿ."""

    K: float
    e0: float
    n: float

    def __post_init__(self) -> None:
        numbers = np.isfinite([self.K, self.e0, self.n]).all() and self.e0 > 0.0
        if not numbers or self.n < 0.0:
            raise SettingError(
                "hardening Swift",
                f"K is {self.K:g} Pa, e0 {self.e0:g}, n {self.n:g}.",
                f"Give finite numbers, e0 above 0, n of 0 or more: {_SOFT}.",
            )
        _yields("Swift", self.K * self.e0**self.n)

    def at(self, p: Array) -> tuple[Array, Array]:
        """σ_y(p) and dσ_y/dp."""
        sigma = self.K * (self.e0 + p) ** self.n
        return sigma, self.n * sigma / (self.e0 + p)

    def work(self, p: Array) -> Array:
        """∫₀ᵖ σ_y dp."""
        m = self.n + 1.0
        return np.asarray(self.K * ((self.e0 + p) ** m - self.e0**m) / m)


@dataclass(frozen=True)
class Table:
    """Straight lines through points (p, σ_y), the first at p = 0; then level."""

    p: Sequence[float]
    sigma: Sequence[float]

    def __post_init__(self) -> None:
        rising = (np.diff(np.asarray(self.p)) > 0.0).all()
        whole = len(self.p) == len(self.sigma) > 0 and self.p[0] == 0.0
        if not rising or not whole:
            raise SettingError(
                "hardening Table",
                f"its plastic strains are {list(self.p)}.",
                "Give as many as stresses, rising from 0.",
            )
        _yields("Table", self.sigma[0])
        falls = np.flatnonzero(~(np.diff(np.asarray(self.sigma)) >= 0.0))
        if falls.size:
            k = int(falls[0]) + 1
            raise SettingError(
                "hardening Table",
                f"at p = {self.p[k]:g} it yields at {self.sigma[k]:g} Pa, after "
                f"{self.sigma[k - 1]:g} Pa.",
                f"Give stresses that do not fall: {_SOFT}.",
            )

    def at(self, p: Array) -> tuple[Array, Array]:
        """σ_y(p) and dσ_y/dp, that of the line to the right."""
        x, y = np.asarray(self.p), np.asarray(self.sigma)
        slopes = np.append(np.diff(y) / np.diff(x), 0.0)
        k = np.clip(np.searchsorted(x, p, side="right") - 1, 0, None)
        return y[k] + slopes[k] * (p - x[k]), slopes[k]

    def work(self, p: Array) -> Array:
        """∫₀ᵖ σ_y dp."""
        x, y = np.asarray(self.p), np.asarray(self.sigma)
        done = np.append(0.0, np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(x)))
        k = np.clip(np.searchsorted(x, p, side="right") - 1, 0, None)
        return np.asarray(done[k] + 0.5 * (y[k] + self.at(p)[0]) * (p - x[k]))


def _yields(law: str, sigma: float) -> None:
    if not sigma > 0.0:
        raise SettingError(
            f"hardening {law}",
            f"it yields at {sigma:g} Pa.",
            "Give a yield stress of more than zero at p = 0.",
        )


def multiplier(
    law: Hardening, over: Array, p: Array, stiff: Array | float
) -> tuple[Array, Array]:
    """Δp ≥ 0 with over − stiff Δp = σ_y(p + Δp), by Newton; and dσ_y/dp there.

    For concave laws Newton's steps come from one side and cannot miss.
    """
    dp = np.zeros_like(over)
    sigma, H = law.at(p)
    excess = over - sigma
    yields = excess > 0.0
    if not yields.any():
        return dp, H
    for _ in range(1 if isinstance(law, Linear) else _TRIES):
        dp = np.where(yields, np.maximum(dp + excess / (stiff + H), 0.0), 0.0)
        sigma, H = law.at(p + dp)
        excess = over - stiff * dp - sigma
        if not (np.abs(excess[yields]) > _EXACT * over[yields]).any():
            break
    return dp, H
