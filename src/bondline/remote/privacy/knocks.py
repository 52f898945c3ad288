"""Failed handshakes in the owner's log: not more of them than a disk can bear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

from bondline.errors import StorageError
from bondline.remote.privacy.audit import AuditLog
from bondline.remote.privacy.audit_read import Record
from bondline.remote.trust.handshakes import Failed

KIND = "handshake"
MOST = 10  # records in one minute, and one more that counts the others
_MINUTE = 60.0  # s
_REASONS = 32  # that are told apart


@dataclass
class Knocks:
    """Writes down who was refused before anything was asked."""

    log: AuditLog
    clock: Callable[[], float] = monotonic
    lament: Callable[[str], None] = lambda text: None
    _began: float = float("-inf")  # the minute
    _written: int = 0  # in it
    _more: Counter[str] = field(default_factory=Counter)  # by reason, not written yet
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
        if self._written > MOST or not self._wrote(
            peer=failed.peer, reason=failed.reason
        ):
            known = failed.reason in self._more or len(self._more) < _REASONS
            self._more[failed.reason if known else "other reasons"] += 1

    def settle(self, over: bool = False) -> None:
        """If the minute is over, say how many more there were."""
        if not self._more or (not over and self.due):
            return
        self._began = self.clock()  # also if it fails: not again at once
        if self._wrote(more=self._more.total(), reasons=dict(self._more)):
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

    host: str  # "": not told
    reason: str
    times: int
    last: str


def knocked(records: Iterable[Record]) -> list[Told]:
    """All handshakes that failed, by host and reason."""
    found: dict[tuple[str, str], Told] = {}
    for record in records:
        if record["kind"] != KIND:
            continue
        each = dict(record.get("reasons", {})) or {record.get("reason", ""): 1}
        host = str(record.get("peer", "")).rpartition(":")[0]
        for reason, times in each.items():
            before = found.get((host, reason))
            total = int(times) + (before.times if before else 0)
            found[host, reason] = Told(host, reason, total, str(record["at"]))
    return list(found.values())
