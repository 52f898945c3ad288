"""Windows: the intervals over which interface forces are exchanged once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Window:
    """The interval from `t0` to `t1` (wang2003: one time step of the coordinator)."""

    t0: float
    t1: float

    def __post_init__(self) -> None:
        if not self.t1 > self.t0:
            raise ValueError(
                f"A window must move forward: found t0 = {self.t0!r}, "
                f"t1 = {self.t1!r}; t1 must be the larger one."
            )

    @property
    def h(self) -> float:
        """Length of the window."""
        return self.t1 - self.t0

    @property
    def nominal(self) -> float:
        """The length without the last digits, in which it wobbles along a grid.

        >>> {uniform(0.0, 0.1, n).nominal for n in range(100)}
        {0.1}
        """
        return float(f"{self.h:.12g}")

    def like(self, other: Window) -> bool:
        """Whether both have one length, but for the last digits.

        >>> Window(0.0, 0.1).like(uniform(0.0, 0.1, 7))
        True
        >>> Window(0.0, 0.1).like(Window(0.1, 0.3))
        False
        """
        return abs(self.h - other.h) <= 1e-9 * self.h

    def at(self, s: float) -> float:
        """Time at the fraction `s` of the window, exact at both ends."""
        return self.t1 if s == 1.0 else self.t0 + s * (self.t1 - self.t0)

    def split(self, pieces: int) -> Iterator[Window]:
        """Cut into equal windows that share their end points exactly.

        >>> [w.t1 for w in Window(0.0, 1.0).split(4)]
        [0.25, 0.5, 0.75, 1.0]
        """
        cuts = [self.t0 + self.h * k / pieces for k in range(pieces)] + [self.t1]
        return (Window(a, b) for a, b in pairwise(cuts))


def uniform(t0: float, h: float, n: int) -> Window:
    """Window number `n` of a uniform grid, from integers so that no sum drifts."""
    return Window(t0 + n * h, t0 + (n + 1) * h)
