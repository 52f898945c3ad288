"""Which window comes next: guessed to the bit, from the windows that came."""

from __future__ import annotations

from bondline.core import Window


class Foresight:
    """Windows mostly lie on a grid, t₀ + n h; a wrong guess costs a round trip."""

    def __init__(self) -> None:
        self._origins = [0.0]
        self._length = (0.0, 0.0)  # of the last window, and without its last digits

    def began(self, t0: float) -> None:
        """A run starts here."""
        self._origins = [t0, 0.0]

    def after(self, window: Window) -> Window:
        """The window after this one, if all goes on as it does.

        >>> Foresight().after(Window(2 * 0.1, 3 * 0.1)) == Window(3 * 0.1, 4 * 0.1)
        True
        """
        if window.h != self._length[0]:
            self._length = (window.h, window.nominal)
        h = self._length[1]
        for origin in self._origins:
            n = round((window.t1 - origin) / h)
            if origin + n * h == window.t1:
                return Window(window.t1, origin + (n + 1) * h)
        return Window(window.t1, window.t1 + window.h)
