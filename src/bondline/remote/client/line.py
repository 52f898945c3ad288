"""What carries requests to a server and replies back: a stream, or a pipe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Busy = Callable[[], bool]


def never() -> bool:
    """Nobody says that the other end is busy."""
    return False


class LineDown(Exception):
    """A reply did not come.

    `cause` is `refused` (nobody there), `reset` (cut), `hung` (connected, but silent),
    `network` (no way to it, says gRPC), `unreachable` (the same, and we looked), `tls`
    (somebody does not trust somebody), or `died` (a process of ours). If it is `final`,
    nobody needs to try again.
    """

    def __init__(self, cause: str, detail: str = "", final: bool = False) -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause, self.detail, self.final = cause, detail, final


class Line(Protocol):
    """One connection; raises `LineDown` where nothing comes back."""

    @property
    def place(self) -> str:
        """Where the other end is, for messages."""
        ...

    def exchange(self, raw: bytes, patience: float, busy: Busy = never) -> bytes:
        """The reply to a request, within `patience` seconds.

        When they are over, `busy` is asked: as long as it says that the other end
        works on it, they begin again.
        """
        ...

    def describe(self, raw: bytes, patience: float) -> bytes:
        """The reply to a `DescribeRequest`."""
        ...

    def pulse(self, raw: bytes, patience: float) -> bytes:
        """The reply to a `PulseRequest`."""
        ...

    def explain(self) -> tuple[str, str] | None:
        """Why nobody trusts anybody, and what to do; None: that is not the trouble."""
        ...

    def while_idle(self, every: float, call: Callable[[], None]) -> None:
        """Call that from time to time, while nothing is asked."""
        ...

    def hang_up(self) -> None:
        """Drop the stream; the next exchange opens a new one."""
        ...

    def close(self) -> None:
        """For good."""
        ...
