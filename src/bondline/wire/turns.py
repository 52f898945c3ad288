"""Jobs that wait for others far away, in turns on one thread.

Each goes on until it has asked for something and would wait; then the next one begins.
When all have asked, each in turn takes what came for it. So a window waits for its
slowest partner only, and no thread has to be woken for anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import copy_context
from time import monotonic
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")


class _Turn(greenlet):
    """One of the jobs, with what it gave or what went wrong."""

    def __init__(self, job: Callable[[], Any]) -> None:
        super().__init__(self._do)
        self.gr_context = copy_context()
        self.away = 0.0  # s that it let others go on
        self._job = job
        self.gave: Any = None
        self.wrong: Exception | None = None

    def _do(self) -> None:
        try:
            self.gave = self._job()
        except Exception as error:
            self.wrong = error


def others_first() -> None:
    """Let the other jobs go on; called by whoever has asked and would wait now."""
    here = getcurrent()
    if isinstance(here, _Turn) and here.parent is not None:
        since = monotonic()
        here.parent.switch()
        here.away += monotonic() - since


def away() -> float:
    """For how long this job has let others go on, s: no time of its own."""
    here = getcurrent()
    return here.away if isinstance(here, _Turn) else 0.0


def in_turns(jobs: Sequence[Callable[[], T]]) -> list[T]:
    """What each job returns, in their order; the first error, when all are done.

    Who is interrupted waits for nobody: the other jobs end where they are.
    """
    turns = [_Turn(job) for job in jobs]
    try:
        while waiting := [turn for turn in turns if not turn.dead]:
            for turn in waiting:
                turn.switch()
            others_first()  # of the jobs around this one, which has asked, too
    finally:
        for turn in turns:
            if not turn.dead:
                turn.throw()
    for turn in turns:
        if turn.wrong is not None:
            raise turn.wrong
    return [turn.gave for turn in turns]
