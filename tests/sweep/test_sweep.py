"""What a sweep keeps, and that nothing of it is done twice."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from bondline.build import Given, open_model, plan_of
from bondline.errors import Interrupted, UsageError, VersionMismatch
from bondline.run import begin, open_run, verify
from bondline.run.lock import only_writer
from bondline.sweep import (
    Here,
    Sweep,
    Watching,
    all_sweeps,
    cancel,
    carry,
    find_sweep,
    take_up,
)
from bondline.sweep.page import page
from bondline.sweep.record import FILE, PACKAGE
from bondline.sweep.table import table, write_table
from bondline.sweep.work import Answer, Task, _await, perform


def test_every_variant_is_the_run_that_bondline_run_makes(swept, pendulum, tmp_path):
    home, sweep = swept
    given = Given(set={"upper.mass": "8kg", "lower.mass": "20kg"})
    opened = open_model(pendulum, given)
    alone = begin(tmp_path, opened.model, plan_of(opened, 0.05)).run
    variant = sweep.variants()[1]
    run = open_run(home.runs / variant.run)
    assert verify(run).windows == 5
    ours, theirs = run.results(), alone.results()
    for name, values in theirs.signals.items():
        assert np.array_equal(ours.signals[name], values)
    F = theirs.signals["joint.A.Fx"]
    assert variant.results["joint.A.Fx:absmax"] == np.abs(F).max()
    assert variant.results["lower.com.x:final"] == theirs.signals["lower.com.x"][-1]
    assert variant.results["certificate.gap"] == alone.certificate["gap"]


def test_failures_are_kept_with_their_reasons(swept):
    _, sweep = swept
    standing = sweep.standing
    assert (standing.status, standing.total) == ("done", 6)
    assert standing.counts == {"done": 4, "failed": 2}
    failed = sweep.variants("failed")
    assert [v.parameters["lower.mass"] for v in failed] == ["-3kg", "-3kg"]
    assert all(v.reason["kind"] == "DescriptionError" for v in failed)
    assert all("lower.mass is -3 kg" in v.why for v in failed)
    assert all(v.tries == 1 for v in failed)  # it would be the same again


def test_the_table_has_numbers_units_and_reasons(swept, tmp_path):
    _, sweep = swept
    path = write_table(sweep, tmp_path / "t.csv")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [r["upper.mass [kg]"] for r in rows] == ["8.0"] * 3 + ["12.0"] * 3
    assert [r["status"] for r in rows] == ["done", "done", "failed"] * 2
    force = sweep.variants()[0].results["joint.A.Fy:absmax"]
    assert float(rows[0]["joint.A.Fy:absmax [N]"]) == force
    assert rows[2]["joint.A.Fy:absmax [N]"] == ""
    assert "lower.mass is -3 kg" in rows[2]["reason"]


def test_parquet_is_the_same_table(swept, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    _, sweep = swept
    found = table(sweep)
    kept = parquet.read_table(write_table(sweep, tmp_path / "t.parquet")).to_pydict()
    assert kept == {found.label(n): list(col) for n, col in found.columns.items()}


def test_a_table_of_another_kind_is_refused(swept, tmp_path):
    with pytest.raises(UsageError, match=r"\.csv or \.parquet"):
        write_table(swept[1], tmp_path / "t.xlsx")


def test_the_page_shows_figures_failures_and_needs_no_network(swept):
    text = page(swept[1])
    assert text.count("<svg") == 2
    assert "lower.mass is -3 kg" in text
    assert "http" not in text.replace("http://www.w3.org", "").replace("http-equiv", "")


@dataclass
class Counting:
    """A pool that counts what it is asked for, and may be a bad one."""

    answers: list[Answer] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    shared: bool = True

    def room(self) -> int:
        return 2

    def submit(self, task: Task) -> Answer:
        self.tasks.append(task)
        if self.answers:
            return replace(self.answers.pop(0), k=task.k)
        return perform(task)

    def finished(self, tickets: Any, wait: float) -> list[Any]:
        return list(tickets)

    def answer(self, ticket: Answer, k: int) -> Answer:
        return ticket

    def drop(self, tickets: Any) -> None: ...


def lost() -> Answer:
    return Answer(0, "failed", reason={"finding": "gone"}, passing=True)


def test_lost_workers_are_retried_as_often_as_allowed(home, want):
    sweep = home.begin(want("upper.mass=8,9kg", retries=1))
    pool = Counting([lost(), lost(), lost()])
    carry(sweep, pool, home.runs)
    first, second = sweep.variants()
    assert (first.status, first.tries, first.why) == ("failed", 2, "gone")
    assert (second.status, second.tries) == ("done", 2)


def test_what_is_done_is_not_run_again_and_failures_only_if_asked(home, want):
    sweep = home.begin(want("upper.mass=8,-9kg"))
    for again, tasks in ((), 2), ((), 0), (("failed",), 1):
        pool = Counting()
        carry(sweep, pool, home.runs, again=again)
        assert len(pool.tasks) == tasks
    assert sweep.standing.counts == {"done": 1, "failed": 1}


def test_a_stopped_sweep_goes_on_to_the_same_bits(home, want, swept):
    wanted = want("upper.mass=8..12kg:2", "lower.mass=10,20kg")
    sweep = home.begin(wanted)
    finished: list[int] = []

    def stop_after_one() -> bool:
        finished.append(sweep.standing.finished)
        return finished[-1] >= 1

    standing = carry(sweep, Here(), home.runs, Watching(stopped=stop_after_one))
    assert standing.status == "interrupted"
    assert standing.counts == {"done": 1, "waiting": 3}
    assert carry(sweep, Here(), home.runs).counts == {"done": 4}
    before, there = swept
    for k, other in enumerate((0, 1, 3, 4)):
        one, two = home.run(sweep, k), before.run(there, other)
        assert one.summary.sha256 == two.summary.sha256


def test_cancel_reaches_whoever_runs_it_and_can_be_taken_back(home, want):
    sweep = home.begin(want("upper.mass=8..12kg:4"))

    def cancel_after_one(standing: Any) -> None:
        if standing.finished == 1:
            cancel(find_sweep(home.sweeps, "latest"))

    standing = carry(sweep, Here(), home.runs, Watching(cancel_after_one))
    assert (standing.status, standing.counts) == (
        "cancelled",
        {"cancelled": 3, "done": 1},
    )
    assert carry(sweep, Here(), home.runs).counts == {"done": 4}


def test_a_cancel_before_the_first_variant_counts_once_the_sweep_is_taken_up(
    home, want
):
    """Between making or taking up a sweep and its first variant, workers start."""
    sweep = home.begin(want("upper.mass=8..12kg:2"))
    for _ in range(2):
        cancel(sweep)
        standing = carry(sweep, Here(), home.runs, taken_up=True)
        assert (standing.status, standing.counts) == ("cancelled", {"cancelled": 2})
        take_up(sweep)
        assert not sweep.stop.exists()
    assert carry(sweep, Here(), home.runs, taken_up=True).counts == {"done": 2}


def test_the_record_can_be_read_while_it_is_written(home, want):
    sweep = home.begin(want("upper.mass=8..12kg:3"))
    seen = []
    watch = Watching(lambda _: seen.append(Sweep(sweep.path).standing))
    carry(sweep, Here(), home.runs, watch)
    assert {s.status for s in seen} == {"running"}
    assert [s.counts.get("done", 0) for s in seen] == [1, 2, 3]


def test_runs_travel_from_workers_that_see_no_files_of_ours(home, want):
    sweep = home.begin(want("upper.mass=8,9kg"))
    pool = Counting(shared=False)
    carry(sweep, pool, home.runs)
    assert [t.package for t in pool.tasks] == [(sweep.path / PACKAGE).read_bytes()] * 2
    assert [verify(home.run(sweep, k)).windows for k in range(2)] == [5, 5]


def test_a_worker_takes_up_what_another_one_left(home, want, pendulum):
    sweep = home.begin(want("upper.mass=8,9kg"))
    pool = Counting([lost(), lost()])
    carry(sweep, pool, home.runs, Watching(stopped=lambda: len(pool.tasks) == 2))
    task = pool.tasks[0]
    sweep.stop.touch()
    assert perform(task).status == "stopped"  # a run with no window yet
    sweep.stop.unlink()
    assert perform(task).status == "done"
    before = home.run(sweep, 0).file.stat().st_mtime_ns
    assert perform(task).status == "done"
    assert home.run(sweep, 0).file.stat().st_mtime_ns == before


def test_who_waits_for_another_worker_can_be_stopped(swept, tmp_path):
    home, sweep = swept
    run, stop = home.run(sweep, 0), tmp_path / "stop"
    with (
        only_writer(run.path),
        pytest.raises(Interrupted, match="another worker still writes it"),
    ):
        _await(run, stop, pause=lambda _: stop.touch(exist_ok=False))


def test_runs_of_another_sweep_are_not_taken_for_ours(home, want):
    sweep = home.begin(want("upper.mass=8,9kg"))
    carry(sweep, Here(), home.runs)
    for file in sweep.path.iterdir():
        file.unlink()
    sweep.path.rmdir()
    with pytest.raises(UsageError, match="runs of an earlier sweep"):
        home.begin(want("upper.mass=8,9kg"))


def test_wrong_names_are_told_before_anything_is_made(home, want):
    with pytest.raises(UsageError, match=r"Did you mean 'upper\.mass'"):
        home.begin(want("uper.mass=8,9kg"))
    with pytest.raises(UsageError, match="there is no 'biggest' of a signal"):
        home.begin(want("upper.mass=8,9kg", asked=["lower.com.x:biggest"]))
    with pytest.raises(UsageError, match=r"no signal 'joint\.A\.Fz'.* 'joint\.A\.F"):
        home.begin(want("upper.mass=8,9kg", asked=["joint.A.Fz:max"]))
    assert not home.sweeps.exists()


def test_sweeps_are_found_by_name_piece_and_path(swept):
    home, sweep = swept
    assert all_sweeps(home.sweeps) == [sweep]
    for text in ("s", "latest", str(sweep.path)):
        assert find_sweep(home.sweeps, text) == sweep
    with pytest.raises(UsageError, match="no sweep in"):
        find_sweep(home.sweeps, "other")


def test_the_record_of_another_version_is_refused(home, want):
    import sqlite3
    from contextlib import closing

    sweep = home.begin(want("upper.mass=8,9kg"))
    with closing(sqlite3.connect(sweep.path / FILE)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(VersionMismatch, match="schema 99"):
        _ = sweep.standing
