"""Jobs that wait for others far away, in turns on one thread.

Each goes on until it has asked for something and would wait; then the next one begins.
When all have asked, each in turn takes what came for it. So a window waits for its
slowest partner only, and no thread has to be woken for anybody.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")


@dataclass(slots=True)
class _Job:
    """What one is to do, and what it gave or what went wrong."""

    do: Callable[[], Any]
    gave: Any = None
    wrong: Exception | None = None


class _Turn(greenlet):
    """Does one job after the other, until one has to wait: the rest is for others."""

    def __init__(self, todo: deque[_Job]) -> None:
        super().__init__(self._do)
        self.gr_context = copy_context()
        self.away = 0.0  # s that it let others go on
        self._todo = todo

    def _do(self) -> None:
        while self._todo:
            job = self._todo.popleft()
            try:
                job.gave = job.do()
            except Exception as error:
                job.wrong = error


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
    every = [_Job(job) for job in jobs]
    todo, waiting = deque(every), list[_Turn]()
    try:
        while todo:
            turn = _Turn(todo)
            waiting.append(turn)
            turn.switch()
        while waiting := [turn for turn in waiting if not turn.dead]:
            others_first()  # of the jobs around this one, which has asked, too
            for turn in waiting:
                turn.switch()
    finally:
        for turn in waiting:
            if not turn.dead:
                turn.throw()
    for job in every:
        if job.wrong is not None:
            raise job.wrong
    return [job.gave for job in every]


class OneAtATime:
    """What one turn may be at; the next one lets it finish first."""

    def __init__(self) -> None:
        self._taken = False

    def __enter__(self) -> bool:
        """Whether another one was at it."""
        met = self._taken
        while self._taken:
            if not isinstance(getcurrent(), _Turn):
                raise RuntimeError("Whoever is at it goes on only in turns with others")
            others_first()
        self._taken = True
        return met

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._taken = False
