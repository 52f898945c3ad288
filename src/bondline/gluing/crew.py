"""Parts side by side: threads where their kernels release the interpreter."""

from __future__ import annotations

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

    Results come in the order of the jobs, so sums over them have the same bits as
    with one thread.
    """

    count: int

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.count, thread_name_prefix="part")

    def call(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """What each job returns, in the order of the jobs."""
        return list(self._pool.map(_do, jobs))


def _do(job: Callable[[], T]) -> T:
    return job()


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
