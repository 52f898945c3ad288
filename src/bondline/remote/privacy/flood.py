"""Refusals that come by the thousand: not more records of them than a disk can bear."""

from __future__ import annotations

from dataclasses import dataclass, field

_KEPT = 4096  # partners, models and rules that are told apart


@dataclass
class Flood:
    """Lets the 1st, 2nd, 4th, 8th ... refusal of a kind be written down, with a count.

    Whoever sends what the server refuses costs the owner a line for every doubling.
    """

    _seen: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def times(self, kind: tuple[str, str, str]) -> int:
        """How many refusals the record of this one stands for; 0: no record.

        >>> flood = Flood()
        >>> [flood.times(("me", "rail", "limits")) for _ in range(8)]
        [1, 1, 0, 2, 0, 0, 0, 4]
        """
        seen = self._seen.pop(kind, 0) + 1
        self._seen[kind] = seen  # the last one asked for goes last
        if len(self._seen) > _KEPT:
            del self._seen[next(iter(self._seen))]
        return max(1, seen // 2) if seen & (seen - 1) == 0 else 0
