"""Sub-suppliers: a server whose models have parts at partners' is their client, too.

What they send is written down as a run would, in one log for all models and sessions
of the server, and heads are exchanged with them at checkpoints and at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bondline.core import Model
    from bondline.remote.client.asking import Asking
    from bondline.remote.client.placement import Place
    from bondline.remote.log.audit import AuditLog

SIDE = "supplier"  # of the log: neither the owner of these parts, nor a run
NAME = "audit-partners.jsonl"


class Downstream:
    """Connections to sub-suppliers, and the log of what they sent."""

    def __init__(self, places: Mapping[str, Place], log: AuditLog | None) -> None:
        self.places, self.log = places, log
        self.busy = False  # whether somebody is still at work, so that nobody waits
        self._made: list[Asking] = []

    def connected(self) -> Mapping[str, Model]:
        """Models of all placed parts, for one model that is served."""
        from bondline.remote.client.placement import connected

        there = connected(self.places)
        for model in there.values():
            self._made.append(model)
            if self.log is not None:
                model.link.ledger.begin(self.log)
        return there

    def close(self) -> None:
        """Tell everybody that it is over, with the head of the log."""
        for model in self._made:
            model.hang_up() if self.busy else model.close()
        if self.log is not None:
            self.log.close()


@contextmanager
def downstream(placement: Path | None, log: Path) -> Iterator[Downstream]:
    """The partners that a file names; nobody, and no log, without one."""
    if placement is None:
        yield Downstream({}, None)
        return
    from bondline.remote.client.placement import read_placement
    from bondline.remote.log.audit import AuditLog

    places = read_placement(placement)  # before there is a log of nothing
    below = Downstream(places, AuditLog(log, SIDE))
    try:
        yield below
    finally:
        below.close()


def log_of(given: Path | None, audit: Path | None, store: Path) -> Path:
    """Where the log is: as told, beside that of the server, or in its store."""
    if given is not None:
        return given
    if audit is None:
        return store / NAME
    return audit.with_name(f"{audit.stem}-partners{audit.suffix}")
