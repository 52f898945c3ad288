"""The scene: what the parts of a run show, and how it moves, as bundles of arrays."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bondline.core import Skin
from bondline.errors import CorruptRun
from bondline.run import Run
from bondline.run.layout import Layout
from bondline.run.skins import numbers, read_skins, there
from bondline.run.space import lifted, upright
from bondline.run.store import read_layouts
from bondline.web.bundle import bundle

T = TypeVar("T")
MOST_BYTES = 24_000_000  # of one answer

_WINDOWS = "SELECT n FROM windows WHERE n > ? ORDER BY n"
_MOVED = "SELECT n FROM moved WHERE n > ? ORDER BY n"
_LAST_WINDOW = "SELECT max(n) FROM windows"
_LAST_MOVED = "SELECT max(n) FROM moved"
_LINES = (
    "SELECT w.t, w.layout, s.blob FROM windows w LEFT JOIN shapes s ON s.n = w.n "
    "WHERE w.n = ?"
)
_SURFACES = "SELECT blob FROM moved WHERE n = ?"


@dataclass(frozen=True, eq=False)
class Shown:
    """What a run shows: lines with their points and dimensions, and surfaces."""

    lines: Mapping[str, tuple[int, int]]
    skins: Mapping[str, Skin]

    @property
    def planar(self) -> bool:
        """Whether there is nothing but planar mechanisms: these stand upright."""
        planes = all(dims == 2 for _, dims in self.lines.values())
        return not self.skins and planes

    @property
    def size(self) -> int:
        """Bytes of an instant."""
        lines = sum(3 * points for points, _ in self.lines.values())
        return 4 * (lines + sum(numbers(s) for s in self.skins.values())) or 1


def shown(db: sqlite3.Connection, run: Run) -> Shown:
    """Lines of parts that show a surface, too, are left out."""
    skins = read_skins(db, str(run.file)) if there(db) else {}
    layouts = read_layouts(db, run.file)
    shapes = next(iter(layouts.values())).shapes if layouts else ()
    every = {name: (points, dims) for name, points, dims in shapes}
    return Shown(beside(skins, every), skins)


def beside(skins: Mapping[str, Skin], lines: Mapping[str, T]) -> dict[str, T]:
    """The lines of parts that show no surface."""
    hidden = tuple(f"{name}." for name in skins)
    return {n: x for n, x in lines.items() if not f"{n}.".startswith(hidden)}


def shown_by(run: Run) -> Shown:
    """The same; not before the first window of a run, which says what lines are."""
    with run.reading() as db:
        return shown(db, run)


def geometry(run: Run) -> bytes:
    """Everything at rest: triangles, edges, ports; and which lines there are."""
    return bundle(*still(shown_by(run)))


def still(seen: Shown) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The same as words and arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    parts = []
    for k, (name, skin) in enumerate(seen.skins.items()):
        arrays[f"{k}.points"] = skin.points.astype(np.float32)
        arrays[f"{k}.triangles"] = _triangles(skin).astype(np.uint32)
        arrays[f"{k}.bars"] = skin.bars.reshape(-1, 2).astype(np.uint32)
        ports = {name: _middle(skin, rows) for name, rows in skin.ports.items()}
        parts.append(
            {
                "name": name,
                "kind": "surface",
                "points": len(skin.points),
                "stressed": skin.stressed,
                "strained": skin.strained,
                "ports": ports,
            }
        )
    for name, (points, _) in seen.lines.items():
        parts.append({"name": name, "kind": "line", "points": points})
    return {"parts": parts, "planar": seen.planar}, arrays


def _triangles(skin: Skin) -> NDArray[np.intp]:
    q = skin.quads.reshape(-1, 4)
    pieces = [skin.triangles.reshape(-1, 3), q[:, [0, 1, 2]], q[:, [0, 2, 3]]]
    return np.concatenate(pieces)


def _middle(skin: Skin, rows: NDArray[np.intp]) -> list[float]:
    middle: list[float] = skin.points[rows].mean(axis=0).tolist() if len(rows) else []
    return middle


def motion(run: Run, after: int = -1, most: int = 300) -> bytes:
    """The instants later than `after`, thinned to `most`.

    Points of lines where they are, of surfaces how far they moved; float32.
    """
    with run.reading() as db:
        seen = shown(db, run)
        sql = _MOVED if seen.skins else _WINDOWS
        every = [n for (n,) in db.execute(sql, (after,))]
        chosen = _thinned(every, seen.size, most)
        return _pictures(db, run, seen, chosen, every[-1] if every else after)


def latest(run: Run, seen: Shown) -> bytes:
    """The last instant only; nothing before there is one."""
    with run.reading() as db:
        sql = _LAST_MOVED if seen.skins else _LAST_WINDOW
        (last,) = db.execute(sql).fetchone()
        return b"" if last is None else _pictures(db, run, seen, [last], last)


def _pictures(
    db: sqlite3.Connection, run: Run, seen: Shown, chosen: Sequence[int], head: int
) -> bytes:
    layouts = read_layouts(db, run.file)
    frames = [_frame(db, run, seen, layouts, n) for n in chosen]
    t = np.array([frame[0] for frame in frames])
    arrays = {"t": t, "n": np.array(chosen, dtype=np.uint32)}
    for k, name in enumerate([*seen.skins, *seen.lines]):
        if frames:
            arrays[f"{k}.x"] = np.stack([frame[1][name] for frame in frames])
    return bundle({"head": head}, arrays)


def _thinned(every: Sequence[int], size: int, most: int) -> list[int]:
    count = max(2, min(most, MOST_BYTES // size))
    if len(every) <= count:
        return list(every)
    picks = np.linspace(0, len(every) - 1, count).round().astype(int)
    return [every[k] for k in dict.fromkeys(picks.tolist())]


def _frame(
    db: sqlite3.Connection, run: Run, seen: Shown, layouts: Mapping[int, Layout], n: int
) -> tuple[float, dict[str, NDArray[np.float32]]]:
    t, k, blob = db.execute(_LINES, (n,)).fetchone()
    try:
        lines = layouts[k].unpack_shapes(blob or b"") if seen.lines else {}
        chosen = {name: lines[name] for name in seen.lines}
        found = placed(chosen, seen.planar)
        if seen.skins:
            found |= _split(db.execute(_SURFACES, (n,)).fetchone()[0], seen.skins)
    except (KeyError, ValueError) as error:
        raise CorruptRun(
            f"{run.file}, window {n}",
            f"its shapes do not fit ({error}).",
            "`bondline verify` names the first bad window.",
        ) from error
    return t, found


def placed(
    lines: Mapping[str, NDArray[np.float64]], planar: bool
) -> dict[str, NDArray[np.float32]]:
    """Where the page draws them; beside others, planar ones lie in the plane z = 0."""
    whole = upright(lines) if planar else {n: lifted(x) for n, x in lines.items()}
    return {name: points.astype(np.float32) for name, points in whole.items()}


def _split(blob: bytes, skins: Mapping[str, Skin]) -> dict[str, NDArray[np.float32]]:
    """A row a point: displacement, then stress and plastic strain where shown."""
    whole, at, found = np.frombuffer(blob, "<f4"), 0, {}
    for name, skin in skins.items():
        points, size = len(skin.points), numbers(skin)
        own = whole[at : at + size]
        u, more = own[: 3 * points].reshape(-1, 3), own[3 * points :]
        rest = more.reshape(-1, points).T
        found[name] = np.concatenate([u, rest], axis=1)
        at += size
    return found
