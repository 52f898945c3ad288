"""Laws of the shelf: runs are made whole, found by name, written by one."""

from __future__ import annotations

import fcntl
import math
import os
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from run_models import Swing, double_pendulum
from run_stories import PLAN, child, whole

from bondline.errors import CorruptRun, StorageError, UsageError, VersionMismatch
from bondline.run import (
    Plan,
    Run,
    begin,
    create,
    find,
    fingerprint,
    open_run,
    resume,
    summaries,
    verify,
)
from bondline.run.fingerprint import threads
from bondline.run.lock import is_held, only_writer


def test_two_writers_are_refused_by_pid(tmp_path: Path) -> None:
    run = create(tmp_path, Swing(), PLAN)
    with only_writer(run.path), pytest.raises(StorageError) as caught:
        resume(run, Swing())
    assert caught.value.place == str(run.path)
    assert f"process {os.getpid()} is writing" in caught.value.finding
    assert "Wait" in caught.value.remedy
    resume(run, Swing())


def test_one_who_only_asks_does_not_turn_a_writer_away(tmp_path: Path) -> None:
    run = create(tmp_path, Swing(), PLAN)
    resume(run, Swing())
    asking = os.open(run.path / "lock", os.O_RDONLY)
    fcntl.flock(asking, fcntl.LOCK_SH)
    with only_writer(run.path, pause=lambda _: os.close(asking)):
        assert is_held(run.path)
    assert not is_held(run.path)


def test_a_writer_is_waited_for_a_second_and_no_longer(tmp_path: Path) -> None:
    run, waited = create(tmp_path, Swing(), PLAN), list[float]()
    with (
        only_writer(run.path),
        pytest.raises(StorageError, match="is writing"),
        only_writer(run.path, waited.append),
    ):
        pass
    assert sum(waited) == pytest.approx(1.0)


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(StorageError) as caught:
        create(tmp_path / "runs", Swing(), PLAN)
    assert caught.value.place == str(tmp_path / "runs")
    assert "cannot be written" in caught.value.finding
    assert "may write there" in caught.value.remedy


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_run_can_be_read_and_not_written(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    (run.path / "lock").unlink()
    run.path.chmod(0o555)
    try:
        assert verify(run).windows == 10
        with pytest.raises(StorageError, match="cannot be locked"):
            resume(run, Swing(), 2.0)
    finally:
        run.path.chmod(0o755)


def test_ids_name_the_second_and_are_unique(tmp_path: Path) -> None:
    ids = [create(tmp_path, Swing(), PLAN).id for _ in range(20)]
    assert len(set(ids)) == 20
    assert all(re.fullmatch(r"r-\d{8}-\d{6}-[0-9a-f]{4}", name) for name in ids)


def test_a_run_may_have_a_name(tmp_path: Path) -> None:
    run = create(tmp_path, Swing(), PLAN, "baseline")
    assert find(tmp_path, "baseline").path == run.path == tmp_path / "baseline"
    resume(run, Swing())
    moved = Run(run.path.rename(tmp_path / "first"))
    assert verify(moved).windows == 10
    with pytest.raises(UsageError) as caught:
        create(tmp_path, Swing(), PLAN, "first")
    assert caught.value.place == "run 'first'"
    assert "one of this name" in caught.value.finding
    assert "resume" in caught.value.remedy
    for name in ("../x", ".x", "latest", ""):
        with pytest.raises(UsageError, match="cannot be the name"):
            create(tmp_path, Swing(), PLAN, name)


def test_a_run_that_could_not_be_made_leaves_nothing(tmp_path: Path) -> None:
    class Nameless(Swing):
        @property
        def parts(self) -> Any:
            raise RuntimeError("cannot count")

    with pytest.raises(RuntimeError):
        create(tmp_path, Nameless(), PLAN)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_create_left_behind_is_in_nobodys_way(tmp_path: Path) -> None:
    left = [f".first{end}" for end in ("", ".0a1b2c3d.draft", ".draft", ".x.draft")]
    for name in left:
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.ssp").write_bytes(b"half")
    create(tmp_path, Swing(), PLAN, "first")
    assert {p.name for p in tmp_path.iterdir()} == {"first", *left}


def test_old_drafts_are_cleared_away_and_nothing_else(tmp_path: Path) -> None:
    names = (".a.0a1b2c3d.draft", ".b.0a1b2c3d.draft", ".a", "a.0a1b2c3d.draft")
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.ssp").write_bytes(b"half")
        os.utime(tmp_path / name, (0.0, 0.0))
    os.utime(tmp_path / names[1])
    create(tmp_path, Swing(), PLAN, "first")
    assert {p.name for p in tmp_path.iterdir()} == {"first", *names[1:]}


def test_folders_that_are_made_for_a_run_survive_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = []
    fsync = os.fsync

    def noting(fd: int) -> None:
        synced.append(os.fstat(fd).st_ino)
        fsync(fd)

    monkeypatch.setattr(os, "fsync", noting)
    create(tmp_path / "new" / "runs", Swing(), PLAN)
    for made in (tmp_path, tmp_path / "new", tmp_path / "new" / "runs"):
        assert made.stat().st_ino in synced


def test_the_facts_say_what_was_run_and_where(tmp_path: Path) -> None:
    facts = create(tmp_path, double_pendulum(), PLAN).facts
    assert facts["model"] == "double_pendulum"
    assert facts["leaves"] == 2
    assert facts["settings"] == PLAN.settings
    computing = {"bondline", "python", "numpy", "scipy", "pymetis", "cvxopt"}
    assert set(facts["versions"]) == {*computing, "kernels", "sparse solver"}
    assert facts["fingerprint"] == fingerprint()
    assert facts["fingerprint"]["libc"]
    assert facts["threads"] == threads()


@pytest.mark.parametrize("name", ["sin", "cos", "exp", "pow", "atan2", "hypot"])
def test_a_c_library_that_rounds_otherwise_has_another_fingerprint(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    here, exact = fingerprint(), getattr(math, name)
    monkeypatch.setattr(math, name, lambda *x: math.nextafter(exact(*x), math.inf))
    there = fingerprint()
    assert {key for key in here if here[key] != there[key]} == {"sample"}


def test_other_blas_threads_are_noted_and_not_refused(tmp_path: Path) -> None:
    run = create(tmp_path / "runs", Swing(), PLAN)
    other = str(int(threads()) + 1)
    _, err = child(run, "swing", OPENBLAS_NUM_THREADS=other).communicate(timeout=60)
    assert run.summary.status == "done", err
    assert [e.kind for e in run.events] == ["threads"]
    warning = run.certificate["warnings"][0]
    assert f"{other} threads here, {threads()} where the run was made" in warning
    assert run.summary.sha256 == whole(tmp_path)


def test_settings_that_are_not_plain_are_refused() -> None:
    with pytest.raises(UsageError) as caught:
        Plan(1.0, 0.1, settings={"tol": object()})
    assert caught.value.place == "settings of the run"
    assert "JSON" in caught.value.finding
    assert "finite numbers" in caught.value.remedy


def test_a_run_is_found_by_path_id_piece_or_latest(tmp_path: Path) -> None:
    runs = [create(tmp_path, Swing(), PLAN) for _ in range(3)]
    last = runs[-1]
    for text in (str(last.path), str(last.file), last.id, last.id[-4:], "latest"):
        assert find(tmp_path, text).id == last.id
    assert find(tmp_path, f"r-…{last.id[-4:]}").id == last.id
    assert find(tmp_path, f"r-...{last.id[-4:]}").id == last.id
    good, bad = summaries(tmp_path)
    assert [s.id for s in good] == [run.id for run in runs]
    assert not bad


def test_a_whole_name_beats_the_beginning_of_another(tmp_path: Path) -> None:
    for name in ("a", "ab", "ba"):
        create(tmp_path, Swing(), PLAN, name)
    assert find(tmp_path, "a").id == "a"
    with pytest.raises(UsageError, match="2 runs fit"):
        find(tmp_path, "b")


def test_an_unknown_run_shows_the_nearest(tmp_path: Path) -> None:
    run = create(tmp_path, Swing(), PLAN)
    wrong = run.id[:-1] + "x"
    with pytest.raises(UsageError) as caught:
        find(tmp_path, wrong)
    assert caught.value.place == f"run {wrong!r}"
    assert "no run" in caught.value.finding
    assert f"Did you mean {run.id!r}?" in caught.value.remedy
    with pytest.raises(UsageError, match="no runs in"):
        find(tmp_path / "empty", "latest")


def test_a_piece_that_fits_two_runs_is_refused(tmp_path: Path) -> None:
    ids = [create(tmp_path, Swing(), PLAN).id for _ in range(2)]
    with pytest.raises(UsageError) as caught:
        find(tmp_path, "r-")
    assert all(name in caught.value.finding for name in ids)
    assert "more of the id" in caught.value.remedy


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        open_run(tmp_path)
    assert caught.value.place == str(tmp_path)
    assert "no run.sqlite" in caught.value.finding
    assert "bondline runs" in caught.value.remedy
    with pytest.raises(StorageError, match=r"no run\.sqlite"):
        _ = Run(tmp_path).summary


def test_a_damaged_run_does_not_hide_the_others(tmp_path: Path) -> None:
    good, sick = (create(tmp_path, Swing(), PLAN) for _ in range(2))
    sick.file.write_bytes(b"not a database, but long enough to be read as one" * 10)
    known, broken = summaries(tmp_path)
    assert [s.id for s in known] == [good.id]
    assert [type(e) for e in broken] == [CorruptRun]


def test_another_schema_is_refused(tmp_path: Path) -> None:
    run = create(tmp_path, Swing(), PLAN)
    with sqlite3.connect(run.file) as db:
        db.execute("PRAGMA user_version = 7")
    db.close()
    with pytest.raises(VersionMismatch) as caught:
        _ = run.summary
    assert caught.value.place == str(run.file)
    assert "schema 7" in caught.value.finding
    assert "version of Bondline" in caught.value.remedy
