"""Threads that share lists of jobs, also those that jobs make themselves.

A layer of a nested model is one job of the layer around it, and has jobs of its own.
Who has called waits by doing them: as many threads work as there are in the pool, at
any depth, and none waits for another that waits for it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

_here = threading.local()  # `pool`: the one whose job this thread is doing


class _List:
    """The jobs of one call: those that nobody has begun, and what the others gave."""

    def __init__(self, jobs: Sequence[Callable[[], Any]]) -> None:
        self.todo = deque(enumerate(jobs))
        self.running = 0
        self.done: dict[int, Any] = {}
        self.wrong: list[BaseException] = []

    @property
    def over(self) -> bool:
        """Whether nothing is left to do, and to wait for."""
        return not self.todo and not self.running

    def do(self, k: int, job: Callable[[], Any]) -> None:
        """One of them; what it raises is kept for whoever called."""
        try:
            self.done[k] = job()
        except BaseException as error:
            self.wrong.append(error)
            self.todo.clear()


class Pool:
    """`count` threads: whoever calls, and others that begin when they are needed.

    Without `shared` they are for its own jobs only.
    """

    def __init__(self, count: int, shared: bool = True) -> None:
        self.count = count
        self.shared = shared
        self._change = threading.Condition()
        self._lists: list[_List] = []  # those of inner layers come later
        self._others = 0
        self._closed = False

    @staticmethod
    def here(count: int) -> Pool | None:
        """The pool that this thread works for, if it shares that many."""
        pool: Pool | None = getattr(_here, "pool", None)
        if pool is None or not pool.shared or pool.count < count:
            return None
        return pool

    def call(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """What each job returns, in the order of the jobs."""
        own = _List(jobs)
        before, _here.pool = getattr(_here, "pool", None), self
        try:
            self._share(own, min(self.count, len(jobs)) - 1)
        finally:
            _here.pool = before
        if own.wrong:
            raise own.wrong[0]
        return [own.done[k] for k in range(len(jobs))]

    def _share(self, own: _List, others: int) -> None:
        with self._change:
            self._lists.append(own)
            try:
                self._wake(others)
                self._work(own)
            finally:
                own.todo.clear()
                self._lists.remove(own)

    def close(self) -> None:
        """Let the other threads go."""
        with self._change:
            self._closed = True
            self._change.notify_all()

    def _wake(self, others: int) -> None:
        while self._others < others:
            self._others += 1
            name = f"part_{self._others}"
            threading.Thread(target=self._serve, name=name, daemon=True).start()
        self._change.notify(others)

    def _serve(self) -> None:
        _here.pool = self
        with self._change:
            self._work(None)

    def _work(self, own: _List | None) -> None:
        """Do jobs until `own` is over; as one of the others, until all is."""
        while not (self._closed if own is None else own.over):
            jobs = self._begun(own)
            if jobs is None:
                self._change.wait()
                continue
            job = jobs.todo.popleft()
            jobs.running += 1
            self._change.release()
            try:
                jobs.do(*job)
            finally:
                self._change.acquire()
                jobs.running -= 1
            if jobs.over:
                self._change.notify_all()

    def _begun(self, own: _List | None) -> _List | None:
        """A list with a job for this thread: its own, or one of a layer inside.

        One of a layer outside might take longer than what it waits for.
        """
        if own is not None and own.todo:
            return own
        for jobs in reversed(self._lists):
            if jobs is own:
                return None
            if jobs.todo:
                return jobs
        return None
