"""How often a partner asked for the same window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import floor

from bondline.remote.owner.gate import Moved

_KEPT = 4096  # windows that are remembered; more where blocks are long


@dataclass
class Rollbacks:
    """Counts of one session, by method, length and place of a window.

    Windows that start within the same step are the same: a start that is a little off
    makes no new one. It forgets the oldest windows; going back behind those counts as
    too often.
    """

    _asked: dict[tuple[str, float, int], int] = field(default_factory=dict)
    _behind: float = float("-inf")
    _kept: int = _KEPT

    def ask_all(self, method: str, windows: Sequence[Moved], allowed: int) -> bool:
        """Whether all windows of a block may be asked for (again)."""
        self._kept = max(self._kept, 8 * len(windows))  # a block is never half known
        return all([self.ask(method, w.t0, w.step, allowed) for w in windows])

    def ask(self, method: str, t0: float, step: float, allowed: int) -> bool:
        """Whether this window may be asked for (again)."""
        length = float(f"{step:.6g}")
        key = (method, length, floor(t0 / length + 1e-6))
        times = self._asked.get(key, 0)
        if t0 < self._behind or times > allowed:
            return False
        self._asked[key] = times + 1
        if len(self._asked) > self._kept:
            self._forget()
        return True

    def _forget(self) -> None:
        self._behind = sorted(map(_start, self._asked))[self._kept // 2]
        self._asked = {k: n for k, n in self._asked.items() if _start(k) > self._behind}


def _start(key: tuple[str, float, int]) -> float:
    return key[1] * (key[2] + 0.5)
