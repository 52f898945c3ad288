"""Vitals: where the time of a run goes, and how its latest window closed.

For who watches, and only if asked: clocks are hung on the parts, and with every commit
their totals are stored. Times differ from run to run, so they stand beside the chain:
no hash depends on them, and none is checked.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeAlias, runtime_checkable

from bondline.core import Model
from bondline.wire.turns import away

MOST_ROWS = 2000  # of a run; then every other one goes
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS vitals "
    "(n INTEGER PRIMARY KEY, at REAL NOT NULL, text TEXT NOT NULL)"
)
_THIN = (
    "DELETE FROM vitals WHERE n IN (SELECT n FROM "
    "(SELECT n, row_number() OVER (ORDER BY n) AS k FROM vitals) "
    "WHERE k % 2 = 0 AND n < ?)"
)
_TIMED = (
    *("advance", "press", "respond", "realise", "linearise", "tries", "impulse"),
    *("respond_block", "try_block", "settle_block", "predict", "correct"),
)
TOGETHER = "all together"  # parts of a kind, answered in one call

Ear: TypeAlias = Callable[[Sequence[float]], None]


@runtime_checkable
class Telling(Protocol):
    """Tells the residuals of every window that it accepts, one an iteration."""

    def listen(self, ear: Ear) -> None:
        """Have `ear` called with them."""
        ...


@runtime_checkable
class Wired(Protocol):
    """A part that is elsewhere: seconds of waiting, round trips, the shortest one."""

    @property
    def wire(self) -> tuple[float, int, float]:
        """So far."""
        ...


@dataclass(slots=True)
class Clock:
    """Seconds spent in calls of one part; a call within a call counts once."""

    seconds: float = 0.0
    calls: int = 0
    inside: bool = False

    def hang(self, part: Any) -> Clock:
        """Measure the calls of `part` from now on; one without room is left alone."""
        own: dict[str, Any] = getattr(part, "__dict__", {})
        for name in _TIMED:
            if callable(call := getattr(part, name, None)):
                own[name] = self._timed(call)
        return self

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **named: Any) -> Any:
            if self.inside:
                return call(*args, **named)
            self.inside, began = True, time.perf_counter() - away()
            try:
                return call(*args, **named)
            finally:
                self.seconds += time.perf_counter() - away() - began
                self.calls += 1
                self.inside = False

        return timed


@dataclass(frozen=True, slots=True)
class Vital:
    """Totals at a commit; `residuals` of the latest window, by integrated model."""

    n: int
    at: float  # seconds since 1970
    elapsed: float  # s
    parts: Mapping[str, tuple[float, int]]  # seconds, calls
    wire: Mapping[str, tuple[float, int, float]]
    residuals: Mapping[str, Sequence[float]]


@dataclass(eq=False)
class Vitals:
    """The clocks of a run; `put` stores what they say."""

    model: Model
    clocks: dict[str, Clock] = field(default_factory=dict)
    wired: dict[str, Wired] = field(default_factory=dict)
    residuals: dict[str, Sequence[float]] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)
    rows: int = -1  # in the table; -1 before the first look
    most: int = MOST_ROWS

    def __post_init__(self) -> None:
        self._hang(self.model, self.model.name, "")

    def _hang(self, model: Any, name: str, prefix: str) -> None:
        parts = getattr(model, "parts", {})
        if isinstance(model, Telling):
            model.listen(partial(self.residuals.__setitem__, name))
        for own, part in parts.items():
            self._hang(part, f"{prefix}{own}", f"{prefix}{own}.")
        if not parts:
            self.clocks[name] = Clock().hang(model)
        if isinstance(model, Wired):
            self.wired[name] = model
        team = getattr(getattr(model, "assembly", None), "team", None)
        if team is not None:
            self.clocks[f"{prefix}{TOGETHER}"] = Clock().hang(team)

    def put(self, db: sqlite3.Connection, n: int) -> None:
        """Store the totals after window `n`, in the transaction of its commit."""
        if self.rows < 0:
            self._take_up(db)
        told = {
            "elapsed": time.perf_counter() - self.began,
            "parts": {k: (c.seconds, c.calls) for k, c in self.clocks.items()},
            "wire": {k: part.wire for k, part in self.wired.items()},
            "residuals": {k: [*map(float, e)] for k, e in self.residuals.items()},
        }
        row = (n, time.time(), json.dumps(told))
        db.execute("INSERT OR REPLACE INTO vitals VALUES (?, ?, ?)", row)
        self.rows += 1
        if self.rows > self.most:  # totals: what lies between two rows stays right
            db.execute(_THIN, (n,))
            self.rows = db.execute("SELECT count(*) FROM vitals").fetchone()[0]

    def _take_up(self, db: sqlite3.Connection) -> None:
        """Go on from the totals of the process before."""
        db.execute(SCHEMA)
        self.rows = db.execute("SELECT count(*) FROM vitals").fetchone()[0]
        for last in read_vitals(db, 1):
            self.began -= last.elapsed
            for name in self.clocks.keys() & last.parts.keys():
                seconds, calls = last.parts[name]
                self.clocks[name].seconds += seconds
                self.clocks[name].calls += calls


def read_vitals(db: sqlite3.Connection, most: int) -> list[Vital]:
    """The latest, the oldest first; a run that nobody asked for them has none."""
    there = "SELECT count(*) FROM sqlite_master WHERE name = 'vitals'"
    if not db.execute(there).fetchone()[0]:
        return []
    sql = "SELECT n, at, text FROM vitals ORDER BY n DESC LIMIT ?"
    rows = db.execute(sql, (most,)).fetchall()
    return [Vital(n, at, **json.loads(text)) for n, at, text in reversed(rows)]
