"""Verify: recompute the hash chain of a run and name the first window that is wrong."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass, field
from typing import Any

from bondline.errors import CorruptRun
from bondline.run.chain import Packed, checkpoint_seal, digest, link
from bondline.run.plan import seed
from bondline.run.skins import moved_seal, skin_seal, there
from bondline.run.store import Run, read_facts, read_layouts

_REMEDY = "Restore the run from a copy, or run the model again."


@dataclass(frozen=True, slots=True)
class Verdict:
    """A run whose every bit matches its hashes; `sha256` stands for all of them."""

    run: str
    windows: int  # -1 for a run without even a start
    t: float | None
    checkpoints: int
    sha256: str


def verify(run: Run) -> Verdict:
    """Check file, facts, model, chain, checkpoints and certificate of a run.

    `CorruptRun` names the first thing that does not match.
    """
    with run.reading() as db:
        _check_file(run, db)
        facts = read_facts(db, run.file)
        _check_package(run, facts)
        links = _check_chain(run, db, seed(facts))
        _check_skins(run, db, seed(facts))
        _check_head(run, db, links)
        _check_strays(run, db)
        checkpoints = _check_checkpoints(run, db, links)
        _check_certificate(run, db, links)
        _check_end(run, db, facts, links)
    return Verdict(run.id, links.n, links.t, checkpoints, links.hash.hex())


@dataclass(slots=True)
class _Links:
    """The end of the chain, and the links on the way that something is tied to."""

    hash: bytes
    n: int = -1
    t: float | None = None
    tied: dict[int, bytes] = field(default_factory=dict)


def _bad(place: str, finding: str) -> CorruptRun:
    return CorruptRun(place, finding, _REMEDY)


def _check_file(run: Run, db: sqlite3.Connection) -> None:
    answer = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if answer != "ok":
        raise _bad(str(run.file), f"SQLite finds the file damaged ({answer}).")
    (page,) = db.execute("PRAGMA page_size").fetchone()
    if run.file.stat().st_size % page and not _pending(run):
        raise _bad(str(run.file), "the file ends in the middle of a page.")


def _pending(run: Run) -> bool:
    """Whether SQLite has a log to copy from: then its file may end anywhere.

    The power failed while it was copied; what was asked above was read from the log.
    """
    log = run.file.with_name(f"{run.file.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _check_package(run: Run, facts: dict[str, Any]) -> None:
    if hashlib.sha256(run.package).hexdigest() != facts["package"]:
        raise _bad(f"{run.id}, model.ssp", "the model is not the one that was run.")


def _check_chain(run: Run, db: sqlite3.Connection, start: bytes) -> _Links:
    layouts = _known_layouts(run, db)
    ties = db.execute("SELECT n FROM checkpoints UNION SELECT n FROM certificate")
    tied = {n for (n,) in ties}
    links = _Links(start)
    for n, t, k, blob, shapes, found in db.execute(_WINDOWS):
        place = f"{run.id}, window {n}, t = {t} s"
        if n != links.n + 1:
            raise _bad(place, f"window {links.n + 1} is missing.")
        if not isinstance(t, float) or k not in layouts:
            raise _bad(place, "the row is not a window.")
        packed = _packed(place, layouts[k], blob, shapes)
        if link(links.hash, n, t, packed) != found:
            raise _bad(place, "the window does not match its hash.")
        links.hash, links.n, links.t = found, n, t
        if n in tied:
            links.tied[n] = found
    return links


_WINDOWS = (
    "SELECT w.n, t, layout, w.blob, coalesce(s.blob, x''), hash FROM windows w "
    "LEFT JOIN shapes s ON s.n = w.n ORDER BY w.n"
)


@dataclass(frozen=True, slots=True)
class _Known:
    """A layout's digest, and how many bytes go with it."""

    sha: bytes
    numbers: int
    shapes: int


def _known_layouts(run: Run, db: sqlite3.Connection) -> dict[int, _Known]:
    texts = dict(db.execute("SELECT k, text FROM layouts"))
    return {
        k: _Known(digest(texts[k].encode()), 8 * layout.size, 8 * layout.shapes_size)
        for k, layout in read_layouts(db, run.file).items()
    }


def _packed(place: str, known: _Known, blob: Any, shapes: Any) -> Packed:
    if not isinstance(blob, bytes) or not isinstance(shapes, bytes):
        raise _bad(place, "the row is not a window.")
    if len(blob) != known.numbers:
        raise _bad(place, f"it has {len(blob)} bytes instead of {known.numbers}.")
    if len(shapes) != known.shapes:
        raise _bad(
            place, f"its shapes have {len(shapes)} bytes instead of {known.shapes}."
        )
    return Packed(known.sha, blob, shapes)


def _check_strays(run: Run, db: sqlite3.Connection) -> None:
    unused = "SELECT k FROM layouts WHERE k NOT IN (SELECT layout FROM windows)"
    for (k,) in db.execute(unused):
        raise _bad(f"{run.id}, layout {k}", "no window uses this layout.")
    lone = "SELECT n FROM shapes WHERE n NOT IN (SELECT n FROM windows) ORDER BY n"
    for (n,) in db.execute(lone):
        raise _bad(f"{run.id}, shapes of window {n}", "there is no such window.")


def _check_head(run: Run, db: sqlite3.Connection, links: _Links) -> None:
    n, found = db.execute("SELECT head, hash FROM run").fetchone()
    if (-1 if n is None else n) != links.n or (n is not None and found != links.hash):
        raise _bad(
            f"{run.id}, window {links.n}",
            f"the record ends at window {links.n}, but was committed up to {n}.",
        )


def _check_checkpoints(run: Run, db: sqlite3.Connection, links: _Links) -> int:
    rows = db.execute("SELECT n, t, state, seal FROM checkpoints ORDER BY n").fetchall()
    for n, t, state, seal in rows:
        whole = isinstance(t, float) and isinstance(state, bytes) and n in links.tied
        if not whole or checkpoint_seal(links.tied[n], n, t, state) != seal:
            raise _bad(
                f"{run.id}, checkpoint of window {n}, t = {t} s",
                "the checkpoint does not match its hash.",
            )
    return len(rows)


def _check_certificate(run: Run, db: sqlite3.Connection, links: _Links) -> None:
    for n, text, seal in db.execute("SELECT n, text, seal FROM certificate"):
        head = links.tied.get(n, b"")
        if digest(b"certificate", head, str(text).encode()) != seal:
            raise _bad(f"{run.id}, certificate", "it does not match its hash.")


def _check_skins(run: Run, db: sqlite3.Connection, start: bytes) -> None:
    """Surfaces are sealed to the run, and how they move to the windows of it."""
    if not there(db):
        return
    for name, blob, seal in db.execute("SELECT name, blob, seal FROM skins"):
        whole = isinstance(blob, bytes)
        if not whole or skin_seal(start, str(name), blob) != seal:
            raise _bad(f"{run.id}, surface {name}", "it does not match its hash.")
    sql = (
        "SELECT m.n, m.blob, seal, coalesce(hash, x'') FROM moved m "
        "LEFT JOIN windows w ON w.n = m.n ORDER BY m.n"
    )
    for n, blob, seal, head in db.execute(sql):
        if not isinstance(blob, bytes) or moved_seal(head, n, blob) != seal:
            place = f"{run.id}, surfaces of window {n}"
            raise _bad(place, "they do not match their hash.")


def _check_end(
    run: Run, db: sqlite3.Connection, facts: dict[str, Any], links: _Links
) -> None:
    status, until = db.execute("SELECT status, until FROM run").fetchone()
    t = links.t
    if status == "done" and (t is None or abs(t - until) > 1e-6 * facts["step"]):
        raise _bad(
            f"{run.id}, t = {t} s", f"the run claims to be done at t = {until} s."
        )
