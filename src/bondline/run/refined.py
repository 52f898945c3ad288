"""Refined: what shorter windows say about a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_FAR = 0.01  # estimated error, relative to the largest value: above deserves a warning
_ROUND_OFF = 1e-12  # relative
_SLOW = 0.5  # an order below this is none
TINY = 1e-6  # relative: below, differences are those of iterations, and have no order


@dataclass(frozen=True, slots=True)
class Order:
    """One signal on windows of h, h/2 and h/4.

    `order` is log₂ of the ratio of the two differences; None where both are round-off,
    or small and no smaller on shorter windows: what steps and iterations leave.
    `error` is the estimated error of the run itself, the largest over its instants; of
    a signal that does not converge, the larger difference. `largest` is over all three.
    """

    signal: str
    unit: str
    order: float | None
    error: float
    largest: float

    @property
    def share(self) -> float:
        """The error as a part of the largest value."""
        return self.error / self.largest if self.largest > 0.0 else 0.0

    @property
    def wrong(self) -> bool:
        """Whether it is far off, or is off at all and shorter windows do not help."""
        return not self.share <= (TINY if self.stuck else _FAR)

    @property
    def stuck(self) -> bool:
        """Whether shorter windows do not help."""
        return self.order is not None and self.order < _SLOW


@dataclass(frozen=True, slots=True)
class Refined:
    """The orders of all signals of a run, from three grids."""

    step: float  # of the run
    orders: tuple[Order, ...]
    exchange: int | None = None  # the order that signals between parts allow

    @classmethod
    def of(cls, tree: Mapping[str, Any]) -> Refined:
        """From plain data."""
        orders = tuple(Order(**order) for order in tree["orders"])
        return cls(tree["step"], orders, tree.get("exchange"))

    @property
    def worst(self) -> Order | None:
        """The signal with the largest error as a part of its values."""
        return max(self.orders, key=lambda o: o.share, default=None)

    @property
    def wrong(self) -> tuple[Order, ...]:
        """Every signal that deserves a warning, the largest share first."""
        found = [o for o in self.orders if o.wrong]
        return tuple(sorted(found, key=lambda o: -o.share))

    @property
    def words(self) -> str:
        """The finding in one sentence."""
        worst, known = (
            self.worst,
            sorted(o.order for o in self.orders if o.order is not None),
        )
        if worst is None:
            return "No signal was recorded."
        middle = f"order {known[len(known) // 2]:.1f} in the middle, " if known else ""
        return (
            f"Windows of h, h/2 and h/4: {middle}largest error {worst.error:.2g} "
            f"{worst.unit} ({worst.share:.2g} of the values) in {worst.signal}."
            f"{self.held}"
        )

    @property
    def held(self) -> str:
        """What order 1 comes from, where signals are held; else nothing."""
        if self.exchange != 1:
            return ""
        return " Signals between parts are held over a window: order 1 is expected."

    def lines(self) -> list[str]:
        """A table, one signal a line."""
        head = ["Richardson            h, h/2, h/4: order and estimated error"]
        if self.exchange is not None:
            how = "held" if self.exchange == 1 else "iterated"
            head.append(f"  signals between parts are {how}: order {self.exchange}")
        return head + [
            f"  {o.signal:<19} {_order(o)}, {o.error:.2g} {o.unit}" for o in self.orders
        ]


def _order(of: Order) -> str:
    if of.order is not None:
        return f"order {of.order:.2f}"
    return "round-off" if of.share <= _ROUND_OFF else "does not depend on h"
