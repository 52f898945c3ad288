"""Failed handshakes in the owner's log: not more of them than a disk can bear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

from bondline.errors import StorageError
from bondline.remote.log.audit import AuditLog
from bondline.remote.log.audit_read import Record
from bondline.remote.trust.handshakes import Failed

KIND = "handshake"
MOST = 10  # records in one minute, and one more that counts the others
_MINUTE = 60.0  # s
_APART = 16  # hosts and reasons that a count tells apart


@dataclass
class Knocks:
    """Writes down who was refused before anything was asked."""

    log: AuditLog
    clock: Callable[[], float] = monotonic
    lament: Callable[[str], None] = lambda text: None
    _began: float = float("-inf")  # the minute
    _written: int = 0  # in it
    _more: Counter[tuple[str, str]] = field(default_factory=Counter)  # not written yet
    _lamented: bool = False

    @property
    def due(self) -> float | None:
        """Seconds until the minute is over; None if nobody waits for that."""
        if not self._more:
            return None
        return max(0.0, self._began + _MINUTE - self.clock())

    def enter(self, failed: Failed) -> None:
        """One more; it is written down, or counted."""
        self.settle()
        if self.clock() >= self._began + _MINUTE:
            self._began, self._written = self.clock(), 0
        self._written += 1
        if self._written <= MOST and self._wrote(**failed._asdict()):
            return
        key = (failed.host, failed.reason)
        known = key in self._more or len(self._more) < _APART
        self._more[key if known else ("", failed.reason)] += 1

    def settle(self, over: bool = False) -> None:
        """If the minute is over, say how many more there were."""
        if not self._more or (not over and self.due):
            return
        self._began = self.clock()  # also if it fails: not again at once
        if self._wrote(more=[[*key, times] for key, times in self._more.items()]):
            self._more.clear()
            self._written = 1

    def close(self) -> None:
        """Say what is left to say."""
        self.settle(over=True)
        try:
            self.log.close()
        except (StorageError, OSError) as error:
            self.lament(str(error))

    def _wrote(self, **what: object) -> bool:
        """Whether the log has it; what it has not is counted."""
        try:
            self.log.write(KIND, **what)
        except StorageError as error:
            if not self._lamented:
                self.lament(str(error))
            self._lamented = True
            return False
        self._lamented = False
        return True


class Told(NamedTuple):
    """Handshakes with one host that failed for one reason."""

    host: str  # "": not told, or one of too many
    reason: str
    times: int
    last: str


def knocked(records: Iterable[Record]) -> list[Told]:
    """All handshakes that failed, by host and reason."""
    found: dict[tuple[str, str], Told] = {}
    for record in records:
        if record["kind"] == KIND:
            for host, reason, times in _each(record):
                before = found.get((host, reason))
                times += before.times if before else 0
                found[host, reason] = Told(host, reason, times, str(record["at"]))
    return list(found.values())


def _each(record: Record) -> list[tuple[str, str, int]]:
    """Hosts, reasons, and how often."""
    if "more" in record:
        return [(str(h), str(why), int(n)) for h, why, n in record["more"]]
    failed = Failed(str(record["peer"]), str(record["reason"]))
    return [(failed.host, failed.reason, 1)]
