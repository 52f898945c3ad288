"""Columns: the numbers of a run as arrays, read once and added to while it grows.

A run of a million windows is read in seconds: windows with the same layout are one
matrix, and nothing is made of a single window.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector
from bondline.errors import CorruptRun
from bondline.run import Run
from bondline.run.layout import Layout
from bondline.run.signals import Limits, joined, resultants, unit_of
from bondline.run.store import read_layouts

PAGE = 20_000
_SQL = "SELECT n, t, layout, blob FROM windows WHERE n > ? ORDER BY n LIMIT ?"
_ENERGY = ("energy.stored", "energy.dissipated", "energy.supplied")
WINDOW_UNITS = {
    "gap": "m",
    "gap_rate": "m/s",
    "speed": "m/s",
    "residual": "m",
    "allowed": "m",
    "interface_work": "J",
    **dict.fromkeys(_ENERGY, "J"),
}


@dataclass(frozen=True, eq=False)
class Piece:
    """Windows in a row that have one layout; a row of `numbers` a window."""

    layout: int
    t: Vector
    numbers: Matrix


@dataclass(frozen=True, slots=True)
class About:
    """One thing to plot; `kind` is signal, force, window or energy."""

    name: str
    unit: str
    kind: str


@dataclass(eq=False)
class Columns:
    """What was read so far; `refresh` adds what came since."""

    run: Run
    head: int = -1
    layouts: dict[int, Layout] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    lock: Any = field(default_factory=Lock)

    def refresh(self) -> Columns:
        """Read what was committed since the last look; what is there now, for good.

        Others may refresh while the answer is read: it does not grow with them.
        """
        with self.lock:
            full = True
            while full:
                with self.run.reading() as db:
                    self.layouts = read_layouts(db, self.run.file)
                    rows = db.execute(_SQL, (self.head, PAGE)).fetchall()
                self._take(rows)
                full = len(rows) == PAGE
            return replace(self, pieces=list(self.pieces))

    def _take(self, rows: list[tuple[int, float, int, bytes]]) -> None:
        for k, group in groupby(rows, key=lambda row: row[2]):
            some = list(group)
            self.pieces.append(self._piece(k, some))
            self.head = some[-1][0]

    def _piece(self, k: int, rows: list[tuple[int, float, int, bytes]]) -> Piece:
        size = self.layouts[k].size if k in self.layouts else -1
        flat = np.frombuffer(b"".join(row[3] for row in rows), "<f8")
        if size < 0 or len(flat) != size * len(rows):
            raise CorruptRun(
                f"{self.run.file}, window {rows[0][0]}",
                "its numbers do not fit its layout.",
                "`bondline verify` names the first bad window.",
            )
        return Piece(k, np.array([row[1] for row in rows]), flat.reshape(-1, size))

    @property
    def t(self) -> Vector:
        """All instants."""
        if not self.pieces:
            return np.zeros(0)
        return np.concatenate([piece.t for piece in self.pieces])

    def about(self) -> list[About]:
        """Everything there is to plot, joint forces first."""
        found: dict[str, About] = {}
        used = dict.fromkeys(piece.layout for piece in self.pieces)
        for layout in (self.layouts[k] for k in used):
            for one in _named(layout):
                found.setdefault(one.name, one)
        order = ("force", "signal", "window", "energy")
        return sorted(found.values(), key=lambda one: order.index(one.kind))

    def get(self, name: str) -> Vector:
        """One column, an entry an instant; nan where a window has none of it."""
        if any(one.name == name and one.kind == "force" for one in self.about()):
            return self._force(name)
        cells = [_cells(self.layouts[p.layout]).get(name) for p in self.pieces]
        picked = [
            np.full(len(p.t), np.nan) if at is None else p.numbers[:, at]
            for p, at in zip(self.pieces, cells, strict=True)
        ]
        return np.concatenate(picked) if picked else np.zeros(0)

    def _force(self, name: str) -> Vector:
        """At the instants, by the rule of results."""
        t = self.t
        ends = [_ends(self.layouts[p.layout], p.numbers, name) for p in self.pieces]
        if len(t) < 2 or any(end is None for end in ends[1:]):
            return np.full(len(t), np.nan)
        known = [end for end in ends if end is not None]
        left = np.concatenate([end.left for end in known])[-(len(t) - 1) :]
        right = np.concatenate([end.right for end in known])[-(len(t) - 1) :]
        flat = np.concatenate([end.flat for end in known])[-(len(t) - 1) :]
        return joined(Limits(left, right, flat, known[-1].instant), t)[:, 0]


def _named(layout: Layout) -> Iterator[About]:
    for joint, components, _, _ in layout.forces:
        for component in dict.fromkeys([*resultants(components), *components]):
            name = f"{joint}.{component}"
            yield About(name, unit_of(name), "force")
    for name, unit in layout.values:
        yield About(name, unit, "signal")
    for name in layout.stats:
        unit = "J" if name.endswith(".work") else WINDOW_UNITS.get(name, "1")
        yield About(f"window.{name}", unit, "window")
    if layout.energy:
        for name in _ENERGY:
            yield About(name, "J", "energy")


def _cells(layout: Layout) -> dict[str, int]:
    """Where a number of a window is, by its name; forces apart."""
    found = {name: at for at, (name, _) in enumerate(layout.values)}
    at = layout.size - len(layout.stats) - (3 if layout.energy else 0)
    if layout.energy:
        found |= {name: at + k for k, name in enumerate(_ENERGY)}
        at += 3
    return found | {f"window.{name}": at + k for k, name in enumerate(layout.stats)}


def _ends(layout: Layout, numbers: Matrix, name: str) -> Limits | None:
    """One component of a joint, or what its nodes add up to."""
    at = len(layout.values)
    for joint, components, rows, instant in layout.forces:
        size = rows * len(components)
        if name.startswith(f"{joint}."):
            wanted = _wanted(components, name.removeprefix(f"{joint}."))
            if wanted:
                block = numbers[:, at : at + size].reshape(-1, rows, len(components))
                own = block[:, :, wanted].sum(axis=2)
                flat: NDArray[np.bool_] = np.full(len(numbers), rows == 1)
                # coefficients of powers of s: the first at 0, their sum at 1
                return Limits(own[:, :1], own.sum(axis=1)[:, None], flat, instant)
        at += size
    return None


def _wanted(components: tuple[str, ...], component: str) -> list[int]:
    if component in components:
        return [components.index(component)]
    return resultants(components).get(component, [])


class Shelf:
    """The columns of the runs somebody looked at lately."""

    def __init__(self, most: int = 4) -> None:
        self.most, self.kept = most, dict[str, Columns]()
        self.lock = Lock()

    def of(self, run: Run) -> Columns:
        """Columns of a run as it is now."""
        key = f"{run.path}:{_made(run)}"
        with self.lock:
            found = self.kept.pop(key, None) or Columns(run)
            self.kept[key] = found  # the newest last
            while len(self.kept) > self.most:
                self.kept.pop(next(iter(self.kept)))
        return found.refresh()


def _made(run: Run) -> str:
    """Tells a run from one that had its name before."""
    with run.reading() as db:
        return _seal(db)


def _seal(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT hex(seal) FROM run").fetchone()
    return str(row[0]) if row else ""
