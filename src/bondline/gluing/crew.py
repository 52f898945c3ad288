"""Parts side by side: threads where their kernels release the interpreter."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from bondline.core import Advance, Assembly, Rejected, Signal, Window

T = TypeVar("T")


@dataclass(frozen=True)
class Threads:
    """Up to `count` jobs at a time; the pool lives as long as this does.

    Who calls works along with the pool: to wake a thread for every job would take as
    long as a small one. Results come in the order of the jobs, so sums over them have
    the same bits as with one thread.
    """

    count: int

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        others = max(1, self.count - 1)
        return ThreadPoolExecutor(others, thread_name_prefix="part")

    def call(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """What each job returns, in the order of the jobs."""
        todo, done = deque(enumerate(jobs)), dict[int, T]()
        others = min(self.count, len(jobs)) - 1
        asked = [self._pool.submit(_drain, todo, done) for _ in range(others)]
        try:
            _drain(todo, done)
        finally:
            todo.clear()
            for other in asked:
                if not other.cancel():  # it has begun
                    other.result()
        return [done[k] for k in range(len(jobs))]


def _drain(todo: deque[tuple[int, Callable[[], T]]], done: dict[int, T]) -> None:
    """Do what is left to do, until nothing is."""
    while True:
        try:
            k, job = todo.popleft()
        except IndexError:  # another was quicker
            return
        done[k] = job()


def advance_all(
    assembly: Assembly,
    states: Mapping[str, Any],
    window: Window,
    inputs: Mapping[str, Mapping[str, Signal]],
    only: Iterable[str] | None = None,
) -> dict[str, Advance[Any]] | Rejected:
    """Every part over the window, or the first rejection in the order of the parts."""
    names = list(assembly.parts if only is None else only)
    done = assembly.crew.call(
        [
            partial(assembly.parts[n].advance, states[n], window, inputs[n])
            for n in names
        ]
    )
    advances: dict[str, Advance[Any]] = {}
    for n, answer in zip(names, done, strict=True):
        if isinstance(answer, Rejected):
            return replace(answer, solves=sum(map(_made, done)))
        advances[n] = answer
    return advances


def _made(answer: Advance[Any] | Rejected) -> int:
    """Advances of leaves behind an answer, also a negative one."""
    if isinstance(answer, Rejected):
        return max(1, answer.solves)
    return int(answer.stats.get("solves", 1))
