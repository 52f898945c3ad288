"""Which window comes next: guessed to the bit, from the windows that came."""

from __future__ import annotations

from math import ulp

from bondline.core import Window


class Foresight:
    """Windows mostly lie on a grid, t₀ + n h; a wrong guess costs a round trip."""

    def __init__(self) -> None:
        self._origins = [0.0]
        self._h = 0.0  # of the grid

    def began(self, t0: float) -> None:
        """A run starts here."""
        self._origins = [t0, 0.0]

    def after(self, window: Window) -> Window:
        """The window after this one, if all goes on as it does.

        >>> Foresight().after(Window(2 * 0.1, 3 * 0.1)) == Window(3 * 0.1, 4 * 0.1)
        True
        """
        # along a grid lengths wobble by as much as instants are rounded
        slack = 2.0 * ulp(max(abs(window.t0), abs(window.t1)))
        if abs(window.h - self._h) > slack:
            self._h = _plainest(window.h, slack)
        for origin in self._origins:
            n = round((window.t1 - origin) / self._h)
            if origin + n * self._h == window.t1:
                return Window(window.t1, origin + (n + 1) * self._h)
        return Window(window.t1, window.t1 + window.h)


def _plainest(h: float, slack: float) -> float:
    """The number with the fewest digits within `slack`: a length that somebody gave."""
    for digits in range(1, 17):
        found = float(f"{h:.{digits}g}")
        if abs(found - h) <= slack:
            return found
    return h
