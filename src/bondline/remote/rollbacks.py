"""How often a partner asked for the same window."""

from __future__ import annotations

from dataclasses import dataclass, field

_KEPT = 4096  # windows that are remembered


@dataclass
class Rollbacks:
    """Counts of one session, by method and start of a window.

    It forgets the oldest windows; going back behind those counts as too often.
    """

    _asked: dict[tuple[str, float], int] = field(default_factory=dict)
    _behind: float = float("-inf")

    def ask(self, method: str, t0: float, allowed: int) -> bool:
        """Whether this window may be asked for (again)."""
        if t0 < self._behind:
            return False
        times = self._asked.get((method, t0), 0)
        if times > allowed:
            return False
        self._asked[method, t0] = times + 1
        if len(self._asked) > _KEPT:
            self._forget()
        return True

    def _forget(self) -> None:
        cut = sorted(t0 for _, t0 in self._asked)[_KEPT // 2]
        self._behind = cut
        self._asked = {key: n for key, n in self._asked.items() if key[1] >= cut}
