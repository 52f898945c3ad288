"""The grid of windows: from integers, so that no sum of steps drifts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bondline.core import Window, uniform
from bondline.errors import UsageError


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal windows from `start`; the last one ends at `until`, shorter if it must.

    The next window follows from the time alone, so a resumed run takes the windows
    that an uninterrupted one would have taken. A run that ended inside a grid cell
    continues with the rest of that cell.

    >>> grid = Grid(0.0, 0.1, 0.25)
    >>> grid.after(0.2), grid.after(0.25), grid.count(0.0)
    (Window(t0=0.2, t1=0.25), None, 3)
    """

    start: float
    step: float
    until: float

    def __post_init__(self) -> None:
        """Refuse a grid that leads nowhere."""
        for name in ("start", "step", "until"):
            if not math.isfinite(getattr(self, name)):
                raise _unusable(f"{name} is {getattr(self, name)!r}.")
        if self.step <= 0.0:
            raise _unusable(f"The step is {self.step!r} s; it must be positive.")
        if self.until < self.start:
            raise _unusable(
                f"The end, t = {self.until!r} s, lies before the start, "
                f"t = {self.start!r} s."
            )
        if self.start + self.step == self.start or self.until + self.step == self.until:
            raise _unusable(
                f"The step of {self.step!r} s is too small to tell "
                f"t = {self.until!r} s from the next instant."
            )

    @property
    def slack(self) -> float:
        """How far two instants may differ and still be the same."""
        return 1e-9 * self.step + 4.0 * math.ulp(max(abs(self.until), abs(self.start)))

    def after(self, t: float) -> Window | None:
        """The window that starts at `t`; None at the end."""
        if t >= self.until - self.slack:
            return None
        cell = round((t - self.start) / self.step)
        if abs(self.start + cell * self.step - t) > self.slack:
            cell = math.floor((t - self.start) / self.step)
        end = uniform(self.start, self.step, cell).t1
        return Window(t, self.until if end > self.until + self.slack else end)

    def count(self, t: float) -> int:
        """How many windows are left after `t`."""
        left = (self.until - t) / self.step
        return max(0, math.ceil(left - self.slack / self.step))


def _unusable(finding: str) -> UsageError:
    return UsageError(
        "simulate", finding, "Give a finite start, a positive step and a later end."
    )
