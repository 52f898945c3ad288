"""The writer: puts accepted windows into a run, a batch at a time.

Every commit holds its windows *and* the checkpoint of the last of them, in one
transaction: whenever the process dies, the record ends at a window from which the run
can go on.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, TypeGuard

from bondline.core import Frame, Model, Serialising
from bondline.errors import BondlineError, CorruptRun, Interrupted, StorageError
from bondline.run import database
from bondline.run.chain import checkpoint_seal, digest, link
from bondline.run.layout import Layout
from bondline.run.lock import only_writer
from bondline.run.plan import seed
from bondline.run.store import Run, read_facts, read_layouts

KEPT_CHECKPOINTS = 3


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to commit: after so many windows, or so many seconds."""

    windows: int = 64
    seconds: float = 0.5


@dataclass(frozen=True, slots=True)
class Head:
    """The last link of the chain; n = -1 before the start."""

    n: int
    hash: bytes


class Writer:
    """A recorder over one open connection.

    `head` is what is stored, `at` where the frames that arrive are. While a run is
    replayed `at` is behind, and every window must repeat the stored one; `exact` is
    False for a replay on another machine, which cannot.
    """

    def __init__(self, db: sqlite3.Connection, run: Run, model: Model) -> None:
        self.db, self.run = db, run
        self.dump = model.dump if serialises(model) else None
        self.pace = Pace()
        self.exact = True
        self.layouts = _Layouts(db, run)
        self.start = Head(-1, seed(read_facts(db, run.file)))
        self.head = self.at = _stored_head(db) or self.start
        self.replayed, self.going = 0, False
        self.pending: list[tuple[int, float, int, bytes, bytes]] = []
        self.latest: tuple[int, Any] = (-1, None)
        self.committed = time.monotonic()

    def go(self, until: float) -> None:
        """From here on the run is `running`, towards `until`."""
        sql = "UPDATE run SET status = 'running', message = '', until = ?"
        with database.explained(self.run.file), database.transaction(self.db):
            self.db.execute(sql, (until,))
            self.db.execute("DELETE FROM certificate")  # it spoke of an earlier end
        self.going = True

    def write(self, frame: Frame, state: Any) -> None:
        """Take one frame; commit when the batch is full or old enough."""
        k, blob, layout = self.layouts.place(frame)
        self.at = Head(frame.n, link(self.at.hash, frame.n, frame.t, layout, blob))
        if frame.n <= self.head.n:
            self._compare(frame)
            return
        self.latest = (frame.n, state)
        self.pending.append((frame.n, frame.t, k, blob, self.at.hash))
        if self._due():
            self.flush()

    def flush(self) -> None:
        """Commit what is pending, with the checkpoint that belongs to it."""
        if not self.pending:
            return
        with database.explained(self.run.file), database.transaction(self.db):
            self._put()
        self._settled()

    def settle(self, status: str, message: str) -> None:
        """Commit what is pending, and how the run stands."""
        if not self.going:
            return  # refused before its first window: it stands as it stood
        with database.explained(self.run.file), database.transaction(self.db):
            self._put()
            self.db.execute("UPDATE run SET status = ?, message = ?", (status, message))
        self._settled()

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
        full = len(self.pending) >= self.pace.windows
        return full or time.monotonic() - self.committed >= self.pace.seconds

    def _put(self) -> None:
        if not self.pending:
            return
        self.layouts.put()
        # OR IGNORE: a Ctrl-C right after a commit makes us offer the same rows again
        self.db.executemany(
            "INSERT OR IGNORE INTO windows VALUES (?, ?, ?, ?, ?)", self.pending
        )
        n, t, _, _, head = self.pending[-1]
        self.db.execute("UPDATE run SET head = ?, hash = ?", (n, head))
        if self.dump is not None and self.latest[0] == n:
            self._put_checkpoint(n, t, head, self.dump(self.latest[1]))

    def _put_checkpoint(self, n: int, t: float, head: bytes, state: bytes) -> None:
        row = (n, t, state, checkpoint_seal(head, n, t, state))
        self.db.execute("INSERT OR IGNORE INTO checkpoints VALUES (?, ?, ?, ?)", row)
        self.db.execute(
            "DELETE FROM checkpoints WHERE n NOT IN "
            "(SELECT n FROM checkpoints ORDER BY n DESC LIMIT ?)",
            (KEPT_CHECKPOINTS,),
        )

    def _settled(self) -> None:
        if self.pending:
            self.head = Head(self.pending[-1][0], self.pending[-1][4])
        self.pending = []
        self.committed = time.monotonic()

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


class _Layouts:
    """Numbers the layouts of a run; new ones are stored with their first window."""

    def __init__(self, db: sqlite3.Connection, run: Run) -> None:
        self.db = db
        stored = read_layouts(db, run.file)
        self.known = {layout: (k, _sha(layout)) for k, layout in stored.items()}
        self.fresh: list[tuple[int, str]] = []

    def place(self, frame: Frame) -> tuple[int, bytes, bytes]:
        """Number of the frame's layout, the frame's numbers, digest of the layout."""
        layout = Layout.of(frame)
        if layout not in self.known:
            k = len(self.known)
            self.known[layout] = (k, _sha(layout))
            self.fresh.append((k, layout.dump()))
        k, sha = self.known[layout]
        return k, layout.pack(frame), sha

    def put(self) -> None:
        """Store the new ones."""
        self.db.executemany("INSERT OR IGNORE INTO layouts VALUES (?, ?)", self.fresh)


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


def serialises(model: Model) -> TypeGuard[_Dumping]:
    """Whether a state of `model` can be put away as bytes."""
    return model.capabilities.serialises and isinstance(model, Serialising)


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
    except BaseException as error:
        name = "" if isinstance(error, BondlineError) else f"{type(error).__name__}: "
        writer.settle("failed", f"{name}{error}")
        raise
    writer.settle("done", "")


def _stored_head(db: sqlite3.Connection) -> Head | None:
    row = db.execute("SELECT head, hash FROM run").fetchone()
    return None if row[0] is None else Head(*row)


def _hash_of(db: sqlite3.Connection, n: int) -> bytes:
    row = db.execute("SELECT hash FROM windows WHERE n = ?", (n,)).fetchone()
    return bytes(row[0]) if row else b""


def _sha(layout: Layout) -> bytes:
    return digest(layout.dump().encode())
