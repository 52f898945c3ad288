"""What partners used today, on the disk before they use it.

A budget that a restart forgets is none. SQLite (WAL, FULL) keeps what was taken: a
commit is on the disk when it returns, and several servers may share the file. Taking
one window at a time would cost one fsync each; a server takes small lots instead, at
most 1/16 of the day's budget and at most 64, and gives back what is left when it
closes. After kill -9 the lot it held counts as used: never too little.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from bondline.errors import StorageError
from bondline.wire.durable import make_folder

_Key: TypeAlias = tuple[str, str, str, str]  # day, who, model, kind

_LOT = 64
_SHARE = 16  # a lot is at most this part of the budget
_SMALL = 0.25  # of what was spent already: less is not worth an fsync
_SCHEMA = """
CREATE TABLE IF NOT EXISTS used (
    day TEXT NOT NULL, who TEXT NOT NULL, model TEXT NOT NULL, kind TEXT NOT NULL,
    amount REAL NOT NULL, PRIMARY KEY (day, who, model, kind)
)
"""
_ADD = """
INSERT INTO used VALUES (?, ?, ?, ?, ?)
ON CONFLICT (day, who, model, kind) DO UPDATE SET amount = amount + excluded.amount
"""
_USED = "SELECT amount FROM used WHERE day = ? AND who = ? AND model = ? AND kind = ?"
_FORGET = "DELETE FROM used WHERE day = ? AND who = ? AND model = ? AND kind = ?"
_DAY = 86400.0  # s
_KNOWN = 4096  # rows of the file that are remembered
_WAIT = 5.0  # s, for other servers
_SLOW = ("cpu_seconds", "stopped")  # read from the file when this server wrote them


def today() -> str:
    """The date in UTC."""
    return _date(time.time() // _DAY)


@lru_cache(maxsize=1)
def _date(days: float) -> str:
    """Many questions are of the same day."""
    return datetime.fromtimestamp(days * _DAY, UTC).date().isoformat()


def _prepare(db: sqlite3.Connection) -> None:
    """Durable, and with its table.

    Two servers that begin a file at once may meet where SQLite does not wait by itself.
    """
    until = time.monotonic() + _WAIT
    db.execute(f"PRAGMA busy_timeout = {1e3 * _WAIT:.0f}")
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute(_SCHEMA)
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(0.01)


class Budgets:
    """Counters of a day by partner, model and kind; safe in threads and processes.

    The day never goes back: a clock that is set back opens no budget again.
    """

    def __init__(self, path: Path, day: Callable[[], str] = today) -> None:
        self.path, self._today = path, day
        self._lock = threading.Lock()
        self._held: dict[_Key, float] = {}
        self._spent: dict[_Key, float] = {}  # and not yet written
        self._known: dict[_Key, float] = {}  # as the file was when it was last written
        with self._explained():
            make_folder(path.parent)
            self._db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False
            )
            _prepare(self._db)
            (last,) = self._db.execute("SELECT max(day) FROM used").fetchone()
        self._last: str = last or ""
        path.chmod(0o600)

    def take(
        self,
        who: str,
        model: str,
        wanted: Mapping[str, float],
        limits: Mapping[str, float],
    ) -> str | None:
        """Take all of it, or nothing; then the kind that is used up is named."""
        with self._lock:
            day, held, short = self._day(), self._held, False
            needed: dict[_Key, float] = {}
            for kind, need in wanted.items():
                if kind in limits:
                    key = (day, who, model, kind)
                    needed[key] = need
                    short |= held.get(key, 0.0) < need
            lacking = self._draw(needed, limits) if short else None
            if lacking is None:
                for key, need in needed.items():
                    held[key] = held.get(key, 0.0) - need
            return lacking

    def give_back(self, who: str, model: str, taken: Mapping[str, float]) -> None:
        """What was taken right before, and nothing came of it."""
        with self._lock:
            for kind, amount in taken.items():
                key = (self._day(), who, model, kind)
                if key in self._held:  # no budget, or another day by now: it is gone
                    self._held[key] += amount

    def spend(self, who: str, model: str, kind: str, amount: float) -> None:
        """Add what was used already, whether or not there was a budget for it.

        Less than a quarter waits for more of it, or for `close`; kill -9 loses that.
        """
        with self._lock:
            key = (self._day(), who, model, kind)
            amount += self._spent.get(key, 0.0)
            self._spent[key] = amount
            if amount >= _SMALL:
                with self._explained():
                    self._db.execute(_ADD, (*key, amount))
                del self._spent[key]
                self._known.pop(key, None)

    def used(self, who: str, model: str, kind: str) -> float:
        """What counts as used today; lots that servers hold count.

        What other servers spent shows when this one takes a lot, or writes.
        """
        with self._lock:
            key = (self._day(), who, model, kind)
            known = self._known.get(key)
            liftable = kind == "stopped" and known
            if known is None or kind not in _SLOW or liftable:
                with self._explained():
                    known = self._used(key)
                if len(self._known) >= _KNOWN:  # days go by, and names may be invented
                    self._known.clear()
                self._known[key] = known
            return known + self._spent[key] if key in self._spent else known

    def lift(self, who: str, model: str) -> bool:
        """Forget that a partner was stopped today; False if it was not."""
        with self._lock, self._explained():
            key = (self._day(), who, model, "stopped")
            self._known.pop(key, None)
            return self._db.execute(_FORGET, key).rowcount > 0

    def close(self) -> None:
        """Give back what was taken and not used."""
        with self._lock, self._explained():
            with self._transaction():
                for key, amount in self._held.items():
                    self._db.execute(_ADD, (*key, -amount))
                for key, amount in self._spent.items():
                    self._db.execute(_ADD, (*key, amount))
            self._held.clear()
            self._spent.clear()
            self._db.close()

    def _draw(
        self, needed: Mapping[_Key, float], limits: Mapping[str, float]
    ) -> str | None:
        """Take lots from the file, for all that is short, in one transaction."""
        drawn: dict[_Key, float] = {}
        self._known.clear()  # what other servers wrote shows from here on
        with self._explained(), self._transaction():
            for key, need in needed.items():
                kind, missing = key[-1], need - self._held.get(key, 0.0)
                left = limits[kind] - self._used(key)
                if missing > max(left, 0.0):
                    return kind
                if missing > 0.0:
                    lot = min(_LOT, limits[kind] // _SHARE)
                    drawn[key] = min(left, max(missing, lot))
            for key, amount in drawn.items():
                self._db.execute(_ADD, (*key, amount))
        for key, amount in drawn.items():
            self._held[key] = self._held.get(key, 0.0) + amount
        return None

    def _used(self, key: _Key) -> float:
        row = self._db.execute(_USED, key).fetchone()
        return float(row[0]) if row else 0.0

    def _day(self) -> str:
        """The latest day that this server, or the file when it was opened, has seen."""
        day = self._today()
        if day > self._last:
            self._last = day
        return self._last

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                str(self.path),
                f"the budgets cannot be kept ({error}), so that nothing is served.",
                "Check the file, your rights and the room on the disk.",
            ) from error
