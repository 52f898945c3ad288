"""When pictures and checkpoints are asked for: mostly as they were before.

A guess costs no round trip, only what it makes the owner compute and send in vain;
what was not guessed is asked for by itself.
"""

from __future__ import annotations

from math import floor

from bondline.core import Window
from bondline.remote import bondline_pb2 as pb

_IN_VAIN = 3  # looks that come along and that nobody takes; two may be on their way


class Looks:
    """Instants at which somebody looked, and so those at which somebody will.

    In time, not in windows: windows are cut, taken back and taken in blocks, and they
    are asked for before the last ones have been looked at.
    """

    def __init__(self) -> None:
        self._last: float | None = None
        self._apart: float | None = None  # s between the last two
        self._guesses = 0  # since somebody looked
        self._window: Window | None = None
        self._times = 0  # that this window was taken
        self._once = False  # whether the one before was taken once

    def looked(self, t: float) -> None:
        """Somebody saw something at that instant."""
        if self._last is not None and t > self._last:
            self._apart = t - self._last
        self._last, self._guesses = t, 0

    def vain(self) -> None:
        """There was nothing to see, or it was not allowed: nothing will be guessed."""
        self._last = self._apart = None

    def after(self, window: Window) -> bool:
        """Whether the end of a window will be looked at.

        Not where windows are taken several times: all but one of these states are
        dropped, and it is not known which one stays.
        """
        if window == self._window:
            self._times += 1
        else:
            self._once, self._window, self._times = self._times == 1, window, 1
        due = self._times == 1 and self._once and self._due(window.t0, window.t1)
        return self._guessed(due)

    def after_block(self, start: float, end: float) -> bool:
        """Whether the end of a block will be; once looked at is enough for a guess."""
        first = self._last is not None and self._apart is None
        return self._guessed(first or self._due(start, end))

    def _guessed(self, due: bool) -> bool:
        """The same, until nobody looks any more."""
        if not due or self._guesses >= _IN_VAIN:
            return False
        self._guesses += 1
        return True

    def _due(self, start: float, end: float) -> bool:
        """Whether an instant lies in there that is as far from the last ones."""
        if self._last is None or self._apart is None:
            return False
        slack = 1e-6 * (end - start)
        if self._apart <= slack:
            return False  # the same instant, looked at twice
        count = floor((end + slack - self._last) / self._apart)
        return count >= 1 and self._last + count * self._apart > start + slack


class Keeps:
    """Checkpoints that come along with the last word on a block.

    Only if the last one was wanted: an owner keeps some of them only, and those that
    nobody wants must not take the place of others.
    """

    def __init__(self) -> None:
        self._wanted = False
        self._here: tuple[int, pb.Kept] | None = None  # of the state of that name

    def guess(self) -> bool:
        """Whether the next one will be wanted; it has to be, before one more comes."""
        guess, self._wanted = self._wanted, False
        return guess

    def came(self, state: int, kept: pb.Kept) -> None:
        """One came along."""
        self._here = (state, kept)

    def wanted(self, state: int) -> pb.Kept | None:
        """The one of that state, if it is here; given once."""
        here, self._here = self._here, None
        return here[1] if here is not None and here[0] == state else None

    def made(self) -> None:
        """Somebody got one."""
        self._wanted = True
