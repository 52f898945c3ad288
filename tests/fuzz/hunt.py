"""Very many trials, each of which must end well, soon, and in little memory."""

from __future__ import annotations

import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

SLOW = 2.0  # s of one trial
GROWTH = 512 * 2**20  # bytes of memory of all of them
_STUCK = 60  # s after which one is given up

Trial = Callable[[Random], None]  # raises what should not have come


@dataclass
class Hunt:
    """What was found; a seed and a number make each again."""

    what: str
    trials: int = 0
    slowest: float = 0.0
    growth: int = 0
    finds: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        mb = self.growth / 2**20
        return (
            f"{self.what}: {self.trials} trials, {len(self.finds)} finds, slowest "
            f"{self.slowest:.3f} s, memory + {mb:.0f} MB"
        )


def hunt(what: str, trial: Trial, count: int, seed: int = 0) -> Hunt:
    """So many trials; the n-th of a seed is always the same."""
    found, before = Hunt(what), _memory()
    for n in range(count):
        began = time.process_time()
        try:
            with _alarm():
                trial(Random(f"{seed}/{n}"))
        except Exception:
            found.finds.append(f"{what} {seed}/{n}\n{traceback.format_exc()}")
        seconds = time.process_time() - began
        if seconds > SLOW:
            found.finds.append(f"{what} {seed}/{n}: {seconds:.1f} s")
        found.slowest = max(found.slowest, seconds)
        found.trials += 1
    found.growth = _memory() - before
    if found.growth > GROWTH:
        found.finds.append(f"{what}: {found.growth} bytes more")
    return found


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


class Stuck(Exception):
    """A trial did not come back."""


def _give_up(*_: object) -> None:
    raise Stuck


@contextmanager
def _alarm() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(_STUCK)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
