"""Waiting for a partner who is away, or at work: said in a while, then sparingly.

It is said to the log `bondline.partners` of this side, for whoever shows it; nobody
else hears of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock, Timer
from time import monotonic

from bondline.remote.client.troubles import Partner

log = logging.getLogger("bondline.partners")
FIRST, AGAIN = 1.5, 15.0  # s until it is said, and between two times

_WORDS = {
    "": "no answer yet",
    "refused": "nobody listens there",
    "reset": "the connection was cut",
    "hung": "it is connected, but silent",
    "died": "its process ended",
    "full": "it takes no more for now",
    "tls": "the connection could not be made safe",
}
_NO_WAY = "there is no way to it"
_START = "Ask its owner whether the server runs"
_REMEDIES = {
    "refused": _START,
    "reset": _START,
    "died": _START,
    "hung": "Ask its owner whether the solver hangs",
    "full": "Ask its owner who else is served",
}
_LOOK = "Check the address and the network, and ask its owner whether the server runs"


@dataclass
class Absence:
    """One partner, from when nothing came of asking until it answers, or is given up.

    Times are those of `clock`, in seconds; `until` is when it is given up. Nothing is
    said of a process of our own: it is started again, and may read its model for long.
    """

    partner: Partner
    until: float
    clock: Callable[[], float] = monotonic
    since: float | None = None  # when it was away first
    _cause: str = ""
    _said: float | None = None
    _over: bool = False
    _lock: Lock = field(default_factory=Lock)

    def still(self, cause: str, since: float) -> None:
        """It is away, since then at least: said if that is long, and sparingly."""
        with self._lock:
            self._cause = cause
            self.since = since if self.since is None else self.since
            now = self.clock()
            due = self.since + FIRST if self._said is None else self._said + AGAIN
            if now >= due:
                self._say(now)

    def over(self) -> None:
        """It answered: said to those who were told that it did not."""
        with self._lock:
            if self._said is not None and self.since is not None:
                took = self.clock() - self.since
                log.warning("%s: it answers again, after %.0f s.", self.partner, took)
            self._over = True

    def late(self, began: float) -> None:
        """Nothing came since then: said, unless it was, or an answer came first."""
        with self._lock:
            if self._said is None and not self._over:  # a timer may lose that race
                self.since = began if self.since is None else self.since
                self._say(self.clock())

    @contextmanager
    def from_now(self) -> Iterator[None]:
        """Say it also while one attempt at the first answer takes long."""
        timer = Timer(FIRST, self.late, [self.clock()])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _say(self, now: float) -> None:
        if self.partner.here:
            return
        self._said = now
        log.warning("%s", self._sentence(now))

    def _sentence(self, now: float) -> str:
        assert self.since is not None, "only who is away is waited for"
        then = datetime.now().astimezone() - timedelta(seconds=now - self.since)
        why = _WORDS.get(self._cause, _NO_WAY)
        remedy, left = _REMEDIES.get(self._cause, _LOOK), max(0.0, self.until - now)
        return (
            f"{self.partner}: it does not answer since {then:%H:%M:%S} "
            f"({why}); it is waited for, {left:.0f} s more. "
            f"{remedy}; grace in the placement file says how long to wait."
        )


@dataclass
class Work:
    """One partner that works on one request for long, by what it says itself.

    It says no more than that: whether it computes, or waits for somebody it asks, is
    its owner's to know.
    """

    partner: Partner
    since: float  # by `clock`: when it was asked
    until: float  # when it is given up
    clock: Callable[[], float] = monotonic
    _said: float | None = None

    def still(self) -> None:
        """It said so now."""
        now = self.clock()
        if self._said is None or now >= self._said + AGAIN:
            self._said = now
            log.warning("%s", self._sentence(now))

    def over(self) -> None:
        """It answered; that is said if anything was."""
        if self._said is not None:
            took = self.clock() - self.since
            log.warning("%s: it has answered, after %.0f s.", self.partner, took)

    def _sentence(self, now: float) -> str:
        took, left = now - self.since, max(0.0, self.until - now)
        return (
            f"{self.partner}: it says that it is at work on what it was asked "
            f"{took:.0f} s ago; it is waited for, {left:.0f} s more. Ask its owner if "
            "that is long; work in the placement file says how long to wait."
        )
