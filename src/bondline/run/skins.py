"""Surfaces in the record of a run: where they rest, once, and how they move, at times.

They are for looking at: single precision, and not in every window of a long run. What
is there is sealed to its window (chain.py), but the SHA-256 of a run does not depend on
how much of it may be looked at.
"""

from __future__ import annotations

import io
import json
import math
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from bondline.core import Deformed, Model, Skin, Skinned, Vector
from bondline.errors import CorruptRun, NonFinite
from bondline.run.chain import canonical, digest

MOST_STATES = 240
MOST_BYTES = 64_000_000

SCHEMA = """
CREATE TABLE IF NOT EXISTS skins (name TEXT PRIMARY KEY, blob BLOB NOT NULL,
    seal BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS moved (n INTEGER PRIMARY KEY,
    blob BLOB NOT NULL,      -- little-endian float32, skins in order of their names
    seal BLOB NOT NULL);
"""
_MAPS = ("ports", "sets")


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The surfaces of a run at one instant, by part."""

    n: int
    t: float
    parts: Mapping[str, Deformed]


def every(skins: Mapping[str, Skin], windows: float) -> int:
    """How many windows lie between those whose surfaces are kept."""
    size = max(4 * sum(numbers(s) for s in skins.values()), 1)
    states = max(2, min(MOST_STATES, MOST_BYTES // size))
    return max(1, math.ceil(windows / states))


def numbers(skin: Skin) -> int:
    """How many numbers a state of it has."""
    return len(skin.points) * (3 + skin.stressed + skin.strained)


class Skins:
    """Takes the surfaces of a model as windows arrive."""

    def __init__(self, model: Model) -> None:
        self.model = model if isinstance(model, Skinned) else None
        found = self.model.skins() if self.model else {}
        self.skins = dict(sorted(found.items()))
        self.stride, self.until = 1, math.inf
        self.due = False  # whether there was nothing to see when they were to be kept

    def plan(self, start: float, step: float, until: float) -> None:
        """Say how far the run goes; the last instant is always kept."""
        self.stride = every(self.skins, (until - start) / step)
        self.until = until - 1e-6 * step

    def take(self, n: int, t: float, state: Any) -> bytes:
        """The surfaces after window `n`, if they are to be kept; or nothing.

        All or none: a part that stood still among others that move would mislead. Where
        one cannot be seen, as inside a block, the next window that shows all is kept.
        """
        if self.model is None or not self.skins:
            return b""
        self.due |= n % self.stride == 0 or t >= self.until
        if not self.due:
            return b""
        moved = self.model.deformed(state, t)
        self.due = not self.skins.keys() <= moved.keys()
        return b"" if self.due else _packed(n, t, self.skins, moved)

    def put(self, db: sqlite3.Connection, seed: bytes) -> None:
        """Store where they rest, if that is not there yet."""
        if not self.skins:
            return
        for statement in SCHEMA.split(";")[:-1]:
            db.execute(statement)
        for name, skin in self.skins.items():
            blob = dump(skin)
            row = (name, blob, skin_seal(seed, name, blob))
            db.execute("INSERT OR IGNORE INTO skins VALUES (?, ?, ?)", row)


def skin_seal(seed: bytes, name: str, blob: bytes) -> bytes:
    """Ties a surface to its run."""
    return digest(b"skin", seed, name.encode(), blob)


def moved_seal(head: bytes, n: int, blob: bytes) -> bytes:
    """Ties surfaces to the window after which they are like that."""
    return digest(b"moved", head, str(n).encode(), blob)


def dump(skin: Skin) -> bytes:
    """A surface as bytes; equal bytes for equal surfaces."""
    arrays = {f.name: getattr(skin, f.name) for f in fields(skin)}
    names: dict[str, list[str]] = {}
    for kind in _MAPS:
        given = arrays.pop(kind)
        names[kind] = list(given)
        arrays |= {f"{kind}.{k}": rows for k, rows in enumerate(given.values())}
    head = np.frombuffer(canonical(names).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, head=head, **arrays)
    return buffer.getvalue()


def load(data: bytes) -> Skin:
    """The surface that `dump` wrote; ValueError, KeyError or OSError if not."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        names = json.loads(file["head"].tobytes())
        ports, sets = (
            {str(name): file[f"{kind}.{k}"] for k, name in enumerate(names[kind])}
            for kind in _MAPS
        )
        return Skin(
            points=file["points"],
            triangles=file["triangles"],
            quads=file["quads"],
            bars=file["bars"],
            ids=file["ids"],
            ports=ports,
            sets=sets,
            held=file["held"],
            loaded=file["loaded"],
            pushes=file["pushes"],
            stressed=bool(file["stressed"]),
            strained="strained" in file and bool(file["strained"]),
        )


def read_skins(db: sqlite3.Connection, place: str) -> dict[str, Skin]:
    """The surfaces of a run where they rest, by part; a run may have none."""
    if not there(db):
        return {}
    rows = db.execute("SELECT name, blob FROM skins ORDER BY name")
    try:
        return {name: load(blob) for name, blob in rows}
    except Exception as error:
        raise CorruptRun(
            f"{place}, table skins",
            f"a surface cannot be read ({error!r}).",
            "Restore the file from a copy, or run the model again.",
        ) from error


def read_moved(
    db: sqlite3.Connection, place: str, skins: Mapping[str, Skin]
) -> Iterator[Seen]:
    """How they moved, in order of time."""
    if not there(db):
        return
    sql = "SELECT m.n, t, m.blob FROM moved m JOIN windows w ON w.n = m.n ORDER BY m.n"
    for n, t, blob in db.execute(sql):
        yield Seen(n, t, _unpacked(f"{place}, window {n}", skins, blob))


def there(db: sqlite3.Connection) -> bool:
    """Whether a run has surfaces at all."""
    sql = "SELECT count(*) FROM sqlite_master WHERE name IN ('skins', 'moved')"
    return bool(db.execute(sql).fetchone()[0] == 2)


def _packed(
    n: int, t: float, skins: Mapping[str, Skin], moved: Mapping[str, Deformed]
) -> bytes:
    pieces = []
    for name, skin in skins.items():
        pieces.append(moved[name].displacement.ravel())
        if skin.stressed:
            pieces.append(_or_zero(moved[name].mises, len(skin.points)))
        if skin.strained:
            pieces.append(_or_zero(moved[name].plastic, len(skin.points)))
    whole = np.concatenate(pieces)
    if not np.isfinite(whole).all():
        raise NonFinite(
            f"t = {t:.9g} s, window {n}",
            "a point of a surface is nowhere.",
            "The window before it is kept. Try a shorter step.",
        )
    return whole.astype("<f4").tobytes()


def _or_zero(values: Vector | None, points: int) -> Vector:
    return np.zeros(points) if values is None else values


def _unpacked(
    place: str, skins: Mapping[str, Skin], blob: bytes
) -> dict[str, Deformed]:
    whole = np.frombuffer(blob, dtype="<f4").astype(np.float64)
    if len(whole) != sum(numbers(skin) for skin in skins.values()):
        raise CorruptRun(
            place,
            f"its surfaces have {len(blob)} bytes, which do not fit.",
            "`bondline verify` names the first bad window.",
        )
    found, at = {}, 0
    for name, skin in skins.items():
        own = whole[at : at + numbers(skin)].reshape(-1, len(skin.points))
        u, more = own[:3].reshape(-1, 3), list(own[3:])
        mises = more.pop(0) if skin.stressed else None
        found[name] = Deformed(u, mises, more[0] if skin.strained else None)
        at += numbers(skin)
    return found
