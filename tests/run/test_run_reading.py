"""Laws of reading a run: in pages, shapes on demand, in nobody's way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from run_models import Swing
from run_stories import PLAN

from bondline.core import Frame
from bondline.errors import CorruptRun
from bondline.run import Commits, Plan, Run, Watch, begin, create, resume
from bondline.run.store import PAGE


def test_pages_join_without_a_seam(tmp_path: Path) -> None:
    last = 2 * PAGE + 7
    run = begin(tmp_path, Swing(), Plan(until=last * 1e-3, step=1e-3)).run
    frames = list(run.frames())
    assert [f.n for f in frames] == list(range(last + 1))
    assert frames[0].window is None
    for before, frame in pairwise(frames):
        assert frame.window is not None
        assert (frame.window.t0, frame.window.t1) == (before.t, frame.t)


@pytest.mark.parametrize("after", [-1, 0, 4, 9, 10, 99])
def test_frames_after_a_window_are_the_rest_of_all_frames(
    tmp_path: Path, after: int
) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    rest = [(f.n, f.window, f.values) for f in run.frames() if f.n > after]
    assert [(f.n, f.window, f.values) for f in run.frames(after)] == rest


def test_whoever_does_not_ask_for_shapes_does_not_read_them(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    assert all(set(f.shapes) == {"rod"} for f in run.frames(shapes=True))
    assert run.results().shapes["rod"].shape == (11, 2, 2)
    _change(run, "UPDATE shapes SET blob = x'00'")
    assert [f.shapes for f in run.frames()] == [{}] * 11
    assert run.results(shapes=False).t.tolist() == [0.1 * k for k in range(11)]


def test_shapes_that_are_missing_are_named(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    _change(run, "DELETE FROM shapes WHERE n = 3")
    with pytest.raises(CorruptRun) as caught:
        list(run.frames(shapes=True))
    assert caught.value.place == f"{run.file}, window 3"
    assert "do not fit its layout" in caught.value.finding
    assert "verify" in caught.value.remedy


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE run SET facts = CAST(x'ff80' AS TEXT)",
        "UPDATE sqlite_master SET name = CAST(x'6cff' AS TEXT), sql = 'CREATE TABLE x' "
        "WHERE name = 'layouts'",
    ],
)
def test_text_that_is_none_is_damage(tmp_path: Path, damage: str) -> None:
    """In a table SQLite objects itself, in the schema its own message is unreadable."""
    run = begin(tmp_path, Swing(), PLAN).run
    with closing(sqlite3.connect(run.file)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(damage)
    with pytest.raises(CorruptRun) as caught:
        _ = run.summary
    assert caught.value.place == str(run.file)
    assert "SQLite cannot read the file" in caught.value.finding
    assert "Restore it from a copy" in caught.value.remedy


def test_a_slow_reader_does_not_keep_the_log_from_shrinking(tmp_path: Path) -> None:
    run = create(tmp_path, Swing(), PLAN)
    slow, seen, busy = run.frames(), [], []

    def read_slowly(frame: Frame) -> None:
        if frame.n == 3:
            seen.append(next(slow))
        if frame.n == 6:
            busy.append(_shrink_log(run))

    resume(run, Swing(), watch=Watch(read_slowly, commits=Commits(1, 1e9)))
    assert busy == [0]
    assert [f.n for f in [*seen, *slow]] == [0, 1, 2, 3]


def _shrink_log(run: Run) -> int:
    """0, or 1 if somebody stands in the way."""
    with closing(sqlite3.connect(run.file)) as db:
        busy: int = db.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()[0]
    return busy


def _change(run: Run, sql: str) -> None:
    with closing(sqlite3.connect(run.file)) as db, db:
        assert db.execute(sql).rowcount != 0
