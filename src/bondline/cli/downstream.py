"""Sub-suppliers: a server whose models have parts at partners' is their client, too.

What they send is written down as a run would, in one log for all models and sessions
of the server, and heads are exchanged with them at checkpoints and at the end.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from weakref import finalize

from bondline.errors import BondlineError

if TYPE_CHECKING:
    from bondline.cli.voice import Voice
    from bondline.core import Model
    from bondline.remote.client.asking import Asking
    from bondline.remote.client.placement import Place
    from bondline.remote.log.audit import AuditLog

    Maker = Callable[[Callable[[], Mapping[str, Model]]], Model]

log = logging.getLogger("bondline.leaf")
SIDE = "supplier"  # of the log: neither the owner of these parts, nor a run
NAME = "audit-partners.jsonl"


class Downstream:
    """Connections to sub-suppliers, and the log of what they sent."""

    def __init__(self, places: Mapping[str, Place], log: AuditLog | None) -> None:
        self.places, self.log = places, log
        self.busy = False  # whether somebody is still at work, so that nobody waits
        self._lock = Lock()  # of the two below
        self._used: list[list[Asking]] = []  # by the models that ask them
        # of models that are no more: those are forgotten anywhere, and wait for no lock
        self._free: deque[list[Asking]] = deque()

    def made(self, make: Maker, parts: Collection[str] | None = None) -> Model:
        """A model that may ask partners; they are let go once nobody has it any more.

        Not when it is forgotten, which may be in the middle of anything, but before
        the next one is made, when the places at partners' are needed. `make` gets
        what connects it to them; `parts` are those that it has, if not all.
        """
        self._let_go()
        asked: list[Asking] = []
        try:
            model = make(lambda: self._connected(parts, asked))
        except BaseException:
            _end(asked)
            raise
        if asked:
            with self._lock:
                self._used.append(asked)
            # an `Asking` that is served as it is renews its session until the end
            finalize(model, self._free.append, asked).atexit = False
        return model

    def close(self) -> None:
        """Tell everybody that it is over, with the head of the log."""
        with self._lock:
            every = [model for asked in self._used for model in asked]
            self._used.clear()
        try:
            _end(every, self.busy)
        finally:
            if self.log is not None:
                self.log.close()

    def _connected(
        self, parts: Collection[str] | None, asked: list[Asking]
    ) -> Mapping[str, Model]:
        """Models of the placed parts, which are asked from now on."""
        from bondline.remote.client.placement import connected

        own = {n: p for n, p in self.places.items() if parts is None or n in parts}
        there = connected(own)
        asked.extend(there.values())
        for model in there.values():
            if self.log is not None:
                model.link.ledger.begin(self.log)
        return there

    def _let_go(self) -> None:
        """Whoever comes next has no part in what goes wrong with the last one."""
        with self._lock:
            gone = [self._free.popleft() for _ in range(len(self._free))]
            over = {id(asked) for asked in gone}
            self._used[:] = [each for each in self._used if id(each) not in over]
        for asked in gone:
            try:
                _end(asked)
            except BondlineError as error:
                log.warning("a session with a partner ended badly: %s", error)


def _end(asked: Sequence[Asking], busy: bool = False) -> None:
    """Each of them, also where another one raises; towards the busy without a word."""
    with ExitStack() as every:
        for model in asked:
            every.callback(model.hang_up if busy else model.close)


@contextmanager
def downstream(placement: Path | None, log: Path, voice: Voice) -> Iterator[Downstream]:
    """The partners that a file names; nobody, and no log, without one."""
    if placement is None:
        yield Downstream({}, None)
        return
    from bondline.cli.waiting import waiting_shown
    from bondline.remote.client.placement import read_placement
    from bondline.remote.log.audit import AuditLog

    places = read_placement(placement)  # before there is a log of nothing
    below = Downstream(places, AuditLog(log, SIDE))
    try:
        with waiting_shown(voice):
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
