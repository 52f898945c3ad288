"""The writer: puts accepted windows into a run, a batch at a time.

A commit holds its windows *and* the checkpoint of the last of them, in one transaction:
whenever the process dies, the record ends at a window from which the run can go on.
Some have none: inside blocks of windows there is no going on, and where parts are
elsewhere a checkpoint is a round trip. What was stored after the last checkpoint is
then computed again, and compared.
"""

from __future__ import annotations

import contextlib
import math
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, TypeGuard

from bondline.core import Frame, Model, Serialising, Waiting
from bondline.errors import (
    GONE,
    BondlineError,
    CorruptRun,
    Interrupted,
    StorageError,
)
from bondline.run import database
from bondline.run.blocks import in_blocks
from bondline.run.chain import Packed, checkpoint_seal, digest, link
from bondline.run.layouts import Layouts
from bondline.run.lock import only_writer
from bondline.run.plan import seed
from bondline.run.skins import Skins, moved_seal
from bondline.run.store import Run, read_facts
from bondline.run.vitals import Vitals
from bondline.wire.durable import sync
from bondline.wire.turns import away

KEPT_CHECKPOINTS = 3


@dataclass(frozen=True, slots=True)
class Commits:
    """How often to commit: after so many windows, or so many seconds."""

    windows: int = 64
    seconds: float = 0.25  # who watches sees windows that are not older
    share: float = 0.1  # of the time for checkpoints, where these are round trips


@dataclass(frozen=True, slots=True)
class Head:
    """The last link of the chain; n = -1 before the start."""

    n: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class _Row:
    """A window on its way to the disk; `layout` is the number of its layout."""

    n: int
    t: float
    layout: int
    packed: Packed
    hash: bytes
    skins: bytes


@dataclass(frozen=True, slots=True)
class _Place:
    """A window that a run can be taken up after, and the state there."""

    n: int
    t: float
    hash: bytes
    state: Any


class Writer:
    """A recorder over one open connection.

    `head` is what is stored, `at` where the frames that arrive are. While a run is
    replayed `at` is behind, and every window must repeat the stored one; `exact` is
    False for a replay on another machine, which cannot.
    """

    def __init__(self, db: sqlite3.Connection, run: Run, model: Model) -> None:
        self.db, self.run = db, run
        self.dump = model.dump if serialises(model) else None
        self.commits = Commits()
        self.exact = True
        self.layouts = Layouts(db, run)
        self.facts = read_facts(db, run.file)
        self.start = Head(-1, seed(self.facts))
        self.skins = Skins(model)
        self.vitals: Vitals | None = None
        self.head = self.at = _stored_head(db) or self.start
        self.replayed, self.going = 0, False
        self.pending: list[_Row] = []
        self.latest: _Place | None = None
        self.kept = _last_checkpoint(db)
        self.clock: Callable[[], float] = time.monotonic
        self.committed = self.clock()
        self.asks = _asks(model)
        self.last_dump = (-math.inf, 0.0)  # when it was made, and what it took, s
        self._took_before = math.inf  # the one before it, s

    def go(self, until: float) -> None:
        """From here on the run is `running`, towards `until`."""
        sql = "UPDATE run SET status = 'running', message = '', until = ?"
        with database.explained(self.run.path):
            sync(self.run.path)  # the log of SQLite, whose own sync may fail
        with database.explained(self.run.file), database.transaction(self.db):
            self.db.execute(sql, (until,))
            self.db.execute("DELETE FROM certificate")  # it spoke of an earlier end
            # what could not be taken up must not be in the way of those that follow
            self.db.execute("DELETE FROM checkpoints WHERE n > ?", (self.kept,))
            self.skins.put(self.db, self.start.hash)
        self.skins.plan(self.facts["start"], self.facts["step"], until)
        self.going = True

    def write(self, frame: Frame, state: Any) -> None:
        """Take one frame; commit when the batch is full or old enough."""
        self._take(frame, state)
        if frame.n > self.kept:
            self.latest = _Place(frame.n, frame.t, self.at.hash, state)
        self._commit_in_time()

    def hold(self, frame: Frame, state: Any) -> None:
        """The same without a checkpoint: inside a block there is no going on."""
        self._take(frame, state)
        self._commit_in_time()

    def _take(self, frame: Frame, state: Any) -> None:
        k, packed = self.layouts.place(frame)
        self.at = Head(frame.n, link(self.at.hash, frame.n, frame.t, packed))
        if frame.n <= self.head.n:
            self._compare(frame)
            return
        skins = self.skins.take(frame.n, frame.t, state)
        self.pending.append(_Row(frame.n, frame.t, k, packed, self.at.hash, skins))

    def _commit_in_time(self) -> None:
        if self.pending and self._due():
            self._commit(self._dumped() if self._affordable() else None)

    def flush(self) -> None:
        """Commit what is pending, and a checkpoint of where the run stands."""
        state = self._dumped()
        if self.pending or state is not None:
            self._commit(state)

    def _commit(self, state: bytes | None) -> None:
        with database.explained(self.run.file), database.transaction(self.db):
            self._put(state)
        self._settled(state is not None)

    def settle(self, status: str, message: str, ask: bool = True) -> None:
        """Commit what is pending, and how the run stands.

        Without a checkpoint unless the model may be asked for its state: a partner who
        is gone would be waited for once more.
        """
        if not self.going:
            return  # refused before its first window: it stands as it stood
        state = None
        if not ask:
            self.dump = None
        with contextlib.suppress(Exception):  # windows count more than a checkpoint
            state = self._dumped()
        with database.explained(self.run.file), database.transaction(self.db):
            self._put(state)
            self.db.execute("UPDATE run SET status = ?, message = ?", (status, message))
        self._settled(state is not None)

    def tell(self, kind: str, text: str) -> None:
        """Note an event; wall-clock time, outside the chain."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        with database.explained(self.run.file):
            self.db.execute(
                "INSERT INTO events (at, n, kind, text) VALUES (?, ?, ?, ?)",
                (now, max(self.head.n, 0), kind, text),
            )

    def certify(self, text: str) -> None:
        """Store the certificate, tied to the last window."""
        seal = digest(b"certificate", self.head.hash, text.encode())
        with database.explained(self.run.file), database.transaction(self.db):
            self.db.execute("DELETE FROM certificate")
            row = (self.head.n, text, seal)
            self.db.execute("INSERT INTO certificate VALUES (?, ?, ?)", row)

    def _due(self) -> bool:
        full = len(self.pending) >= self.commits.windows
        return full or self.clock() - self.committed >= self.commits.seconds

    def _affordable(self) -> bool:
        """Whether a checkpoint would not hold the run up for more than its share.

        By the lesser of the last two: that a partner had to come back is no price.
        """
        at, took = self.last_dump
        least = min(took, self._took_before) / self.commits.share
        return not self.asks or self.clock() - at >= least

    def _dumped(self) -> bytes | None:
        """The state after the last window to go on from; no failure is repeated.

        None where it is kept already, or cannot be.
        """
        if self.dump is None or self.latest is None or self.latest.n <= self.kept:
            return None
        began, others = self.clock(), away()
        try:
            dumped = self.dump(self.latest.state)
        except Exception as error:
            self.dump = None
            n = self.latest.n
            why = f"the state after window {n} cannot be put away: {error!r}"
            self.tell("no-checkpoint", why)
            raise
        now, waited = self.clock(), away() - others  # for a window that is under way
        self._took_before = self.last_dump[1] or math.inf
        self.last_dump = (now, now - began - waited)
        return dumped

    def _put(self, state: bytes | None) -> None:
        if self.pending:
            self._put_windows()
        if state is not None and self.latest is not None:
            self._put_checkpoint(self.latest, state)

    def _put_windows(self) -> None:
        self.layouts.put()
        # OR IGNORE: a Ctrl-C right after a commit makes us offer the same rows again
        windows = [(r.n, r.t, r.layout, r.packed.numbers, r.hash) for r in self.pending]
        shapes = [(r.n, r.packed.shapes) for r in self.pending if r.packed.shapes]
        put = self.db.executemany
        put("INSERT OR IGNORE INTO windows VALUES (?, ?, ?, ?, ?)", windows)
        put("INSERT OR IGNORE INTO shapes VALUES (?, ?)", shapes)
        moved = [
            (r.n, r.skins, moved_seal(r.hash, r.n, r.skins))
            for r in self.pending
            if r.skins
        ]
        if moved:
            put("INSERT OR IGNORE INTO moved VALUES (?, ?, ?)", moved)
        last = self.pending[-1]
        self.db.execute("UPDATE run SET head = ?, hash = ?", (last.n, last.hash))
        if self.vitals is not None:
            self.vitals.put(self.db, last.n)

    def _put_checkpoint(self, last: _Place, state: bytes) -> None:
        seal = checkpoint_seal(last.hash, last.n, last.t, state)
        row = (last.n, last.t, state, seal)
        self.db.execute("INSERT OR IGNORE INTO checkpoints VALUES (?, ?, ?, ?)", row)
        self.db.execute(
            "DELETE FROM checkpoints WHERE n NOT IN "
            "(SELECT n FROM checkpoints ORDER BY n DESC LIMIT ?)",
            (KEPT_CHECKPOINTS,),
        )

    def _settled(self, kept: bool) -> None:
        if kept and self.latest is not None:
            self.kept = self.latest.n
        if self.pending:
            self.head = Head(self.pending[-1].n, self.pending[-1].hash)
        self.pending = []
        self.committed = self.clock()

    def _compare(self, frame: Frame) -> None:
        self.replayed += 1
        stored = _hash_of(self.db, frame.n)
        if self.exact and stored != self.at.hash:
            raise CorruptRun(
                f"{self.run.id}, window {frame.n}, t = {frame.t:.9g} s",
                "replaying the run gives other bits than those stored.",
                "`bondline verify` says whether the record is damaged. If it is not, "
                "the model does not repeat itself: run it again from its start.",
            )
        if not self.exact:
            self.at = Head(frame.n, stored)


@contextlib.contextmanager
def writing(run: Run, model: Model) -> Iterator[Writer]:
    """The only writer of `run`; once set going, the run says how it ended."""
    with only_writer(run.path):
        with database.explained(run.file):
            db = database.for_writing(run.file)
        with closing(db):
            with database.explained(run.file):
                writer = Writer(db, run, model)
            yield from _watched(writer)
            with database.explained(run.file):
                database.copy_over(db)


def serialises(model: Model) -> TypeGuard[_Dumping]:
    """Whether a state of `model` can be put away as bytes."""
    return model.capabilities.serialises and isinstance(model, Serialising)


def _asks(model: Model) -> bool:
    """Whether checkpoints are round trips of their own; in blocks they come along."""
    return isinstance(model, Waiting) and model.waits and not in_blocks(model)


class _Dumping(Protocol):
    def dump(self, state: Any) -> bytes: ...

    def load(self, data: bytes) -> Any: ...


def _watched(writer: Writer) -> Iterator[Writer]:
    try:
        yield writer
    except (Interrupted, KeyboardInterrupt) as stop:
        writer.settle("interrupted", str(stop) or "stopped by Ctrl-C")
        raise
    except (StorageError, sqlite3.Error):
        raise  # the disk said no: what is committed is safe, more cannot be written
    except GONE as gone:
        writer.settle("failed", str(gone), ask=False)
        raise
    except BaseException as error:
        name = "" if isinstance(error, BondlineError) else f"{type(error).__name__}: "
        writer.settle("failed", f"{name}{error}")
        raise
    writer.settle("done", "")


def _stored_head(db: sqlite3.Connection) -> Head | None:
    row = db.execute("SELECT head, hash FROM run").fetchone()
    return None if row[0] is None else Head(*row)


def _last_checkpoint(db: sqlite3.Connection) -> int:
    (n,) = db.execute("SELECT max(n) FROM checkpoints").fetchone()
    return -1 if n is None else int(n)


def _hash_of(db: sqlite3.Connection, n: int) -> bytes:
    row = db.execute("SELECT hash FROM windows WHERE n = ?", (n,)).fetchone()
    return bytes(row[0]) if row else b""
