"""Parts side by side: on threads where their kernels release the interpreter, or in
turns where they wait for others far away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar
from weakref import finalize

from bondline.core import Advance, Assembly, Rejected, Signal, Window
from bondline.gluing.pool import Pool
from bondline.wire.turns import in_turns

T = TypeVar("T")


@dataclass(frozen=True)
class Threads:
    """Up to `count` jobs at a time; the pool lives as long as this does.

    Who calls works along with the pool: to wake a thread for every job would take as
    long as a small one. In a job of another crew that has as many threads, those are
    the pool: the layers of a nested model share them, unless its jobs are to wait for
    others far away (`waits`). Results come in the order of the jobs, so sums over them
    have the same bits as with one thread.
    """

    count: int
    waits: bool = False

    @cached_property
    def _pool(self) -> Pool:
        pool = Pool(self.count, shared=not self.waits)
        finalize(self, pool.close)
        return pool

    def call(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """What each job returns, in the order of the jobs."""
        shared = None if self.waits else Pool.here(self.count)
        return (shared or self._pool).call(jobs)


@dataclass(frozen=True)
class Turns:
    """All jobs on the thread that calls, which asks every partner before it waits."""

    def call(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """What each job returns, in the order of the jobs."""
        return in_turns(jobs)


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
