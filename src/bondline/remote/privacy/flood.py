"""Refusals that come by the thousand: not more records of them than a disk can bear."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic

from bondline.remote.owner.gate import Call, Denied

MOST = 10  # records of one kind in one minute; the next one counts the others
_MINUTE = 60.0  # s
_KEPT = 1024  # partners, models, methods and rules that are told apart

Kind = tuple[str, str, str, str]


@dataclass
class _Minute:
    began: float
    written: int = 0
    more: int = 0  # not written down
    last: tuple[Call, Denied] | None = None


@dataclass
class Flood:
    """Who is refused again and again is written down at first, and counted then."""

    clock: Callable[[], float] = monotonic
    _minutes: dict[Kind, _Minute] = field(default_factory=dict)

    def times(self, call: Call, denied: Denied) -> int:
        """How many refusals the record of this one stands for; 0: it is counted."""
        # a model that is not granted is the partner's word: it may have many of them
        model = "" if denied.rule in ("who", "model") else call.model
        one = self._minute((call.identity, model, call.method, denied.rule))
        if self.clock() >= one.began + _MINUTE:
            one.began, one.written = self.clock(), 0
        if one.written < MOST:
            stands, one.written, one.more = 1 + one.more, one.written + 1, 0
            return stands
        one.more += 1
        one.last = (Call(call.identity, call.model, call.method), denied)
        return 0

    def rest(self) -> Iterator[tuple[Call, Denied, int]]:
        """What was counted and not written down, once."""
        for one in self._minutes.values():
            if one.more and one.last is not None:
                yield (*one.last, one.more)
                one.more = 0

    def _minute(self, kind: Kind) -> _Minute:
        if kind not in self._minutes and len(self._minutes) >= _KEPT:
            kind = ("", "", "", kind[-1])  # of too many to tell apart
        return self._minutes.setdefault(kind, _Minute(self.clock()))
