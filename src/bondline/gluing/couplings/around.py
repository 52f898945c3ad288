"""A T-T problem in another's hands: the same but for its slope."""

from __future__ import annotations

from dataclasses import dataclass

from bondline.core import Rejected, Sweep, Vector
from bondline.gluing.couplings.tt_problem import TTProblem


@dataclass(frozen=True)
class AroundProblem:
    """All that stays as it is in the window; who wraps it knows the slope."""

    inner: TTProblem

    @property
    def size(self) -> int:
        """Unknowns of the window."""
        return self.inner.size

    @property
    def h(self) -> float:
        """Length of the window."""
        return self.inner.h

    @property
    def noise(self) -> float:
        """As in the inner problem."""
        return self.inner.noise

    @property
    def floor(self) -> float:
        """As in the inner problem."""
        return self.inner.floor

    @property
    def symmetric(self) -> bool:
        """As in the inner problem."""
        return self.inner.symmetric

    @property
    def affine(self) -> bool:
        """As in the inner problem."""
        return self.inner.affine

    @property
    def labels(self) -> tuple[str, ...]:
        """As in the inner problem."""
        return self.inner.labels

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """As in the inner problem."""
        return self.inner.sweep(z)

    def forecast(self, z: Vector) -> Vector:
        """The conditions at t₁ if every acceleration stayed as it was at t₀."""
        return self.inner.forecast(z)
