"""How often a partner asked for the same window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import floor
from typing import TypeAlias

from bondline.remote.owner.trail import Moved

_Key: TypeAlias = tuple[str, float, int]  # method, length, place

_KEPT = 4096  # windows that are remembered; more where blocks are long


@dataclass
class Rollbacks:
    """Counts of one session, by method, length and place of a window.

    Windows that start within the same step are the same: a start that is a little off
    makes no new one. It forgets the oldest windows; going back behind those counts as
    too often.
    """

    _asked: dict[_Key, int] = field(default_factory=dict)
    _behind: float = float("-inf")
    _kept: int = _KEPT

    def allow(self, method: str, windows: Sequence[Moved], allowed: int) -> bool:
        """Whether all windows of a call may be asked for (again); it counts nothing."""
        if any(w.t0 < self._behind for w in windows):
            return False
        if len(windows) == 1:  # as in every window of a run that takes no blocks
            return self._asked.get(_key(method, windows[0]), 0) <= allowed
        again = Counter(_key(method, w) for w in windows)
        return all(self._asked.get(k, 0) + n <= allowed + 1 for k, n in again.items())

    def count(self, method: str, windows: Sequence[Moved]) -> None:
        """They are asked for."""
        self._kept = max(self._kept, 8 * len(windows))  # a block is never half known
        for window in windows:
            key = _key(method, window)
            self._asked[key] = self._asked.get(key, 0) + 1
        if len(self._asked) > self._kept:
            self._forget()

    def _forget(self) -> None:
        self._behind = sorted(map(_start, self._asked))[self._kept // 2]
        self._asked = {k: n for k, n in self._asked.items() if _start(k) > self._behind}


def _key(method: str, window: Moved) -> _Key:
    length = _length(window.step)
    return method, length, floor(window.t0 / length + 1e-6)


@lru_cache(maxsize=256)
def _length(step: float) -> float:
    """Without the digits in which windows of one grid differ."""
    return float(f"{step:.6g}")


def _start(key: _Key) -> float:
    return key[1] * (key[2] + 0.5)
