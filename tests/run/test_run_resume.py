"""Laws of resume: it goes on where it may, replays where it must, else refuses."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from run_models import Bare, Forgetful, Swing
from run_stories import PLAN, interrupted, stop_after, whole

from bondline.errors import CorruptRun, Interrupted, UsageError, VersionMismatch
from bondline.run import Commits, Plan, Run, Watch, begin, create, resume, verify


def test_extending_from_inside_a_step_says_so(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), Plan(0.25, 0.1)).run
    assert not run.events
    resume(run, Swing(), 0.4)
    assert [f.t for f in run.frames()] == [0.0, 0.1, 0.2, 0.25, 0.1 * 3, 0.4]
    assert [e.kind for e in run.events] == ["off-grid"]
    assert "inside a step" in run.certificate["warnings"][0]
    verify(run)


def test_an_end_that_lies_behind_is_refused(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    with pytest.raises(UsageError) as caught:
        resume(run, Swing(), 0.5)
    assert caught.value.place == run.id
    assert "already reached t = 1 s" in caught.value.finding
    assert "later --until" in caught.value.remedy
    assert run.summary.status == "done"
    assert run.summary.until == 1.0


def test_a_model_that_cannot_serialise_replays_and_says_so(tmp_path: Path) -> None:
    golden = whole(tmp_path, Forgetful())
    run = interrupted(tmp_path, 6, Forgetful())
    done = resume(run, Forgetful())
    assert (done.taken_up, done.replayed) == (None, 7)
    assert [e.kind for e in run.events] == ["replay"]
    assert "swing cannot put away its state" in run.events[0].text
    assert verify(run).sha256 == golden
    assert verify(run).checkpoints == 0


def test_a_replay_with_other_bits_is_a_corrupt_run(tmp_path: Path) -> None:
    class Later(Swing):
        def observe(self, state: Any) -> Any:
            return Swing().observe(state + (1e-12 if state[0] > 0.25 else 0.0))

    run = interrupted(tmp_path, 6, Forgetful())
    with pytest.raises(CorruptRun) as caught:
        resume(run, Forgetful(Later()))
    assert "window 3, t = 0.3 s" in caught.value.place
    assert "other bits" in caught.value.finding
    assert "verify" in caught.value.remedy
    assert verify(run).windows == 6


def test_a_damaged_checkpoint_falls_back_to_the_one_before(tmp_path: Path) -> None:
    golden = whole(tmp_path)
    run = create(tmp_path / "runs", Swing(), PLAN)
    with pytest.raises(Interrupted):
        resume(run, Swing(), watch=stop_after(7, Commits(2, 1e9)))
    with sqlite3.connect(run.file) as db:
        db.execute("UPDATE checkpoints SET state = x'00' WHERE n = 7")
    db.close()
    done = resume(run, Swing())
    assert (done.taken_up, done.replayed) == (5, 2)
    assert [e.kind for e in run.events] == ["damaged", "replay"]
    assert run.summary.sha256 == golden


def test_only_the_last_checkpoints_are_kept(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN, Watch(commits=Commits(1, 1e9))).run
    assert verify(run).checkpoints == 3


def test_who_is_stopped_where_all_checkpoints_are_damaged_keeps_how_far_it_came(
    tmp_path: Path,
) -> None:
    golden = whole(tmp_path)
    run = create(tmp_path / "runs", Swing(), PLAN)
    with pytest.raises(Interrupted):
        resume(run, Swing(), watch=stop_after(9, Commits(2, 1e9)))
    with sqlite3.connect(run.file) as db:
        db.execute("UPDATE checkpoints SET state = x'00'")
    db.close()
    for n in (3, 6):
        with pytest.raises(Interrupted):
            resume(run, Swing(), watch=stop_after(n))
    done = resume(run, Swing())
    assert (done.taken_up, done.replayed) == (6, 3)
    assert verify(run).sha256 == golden


def test_a_damaged_last_window_stops_a_resume(tmp_path: Path) -> None:
    run = interrupted(tmp_path, 6)
    with sqlite3.connect(run.file) as db:
        db.execute("UPDATE windows SET t = 0.61 WHERE n = 6")
    db.close()
    with pytest.raises(CorruptRun) as caught:
        resume(run, Swing())
    assert "window 6" in caught.value.place
    assert "does not match its hash" in caught.value.finding
    assert "verify" in caught.value.remedy


def test_another_model_is_refused(tmp_path: Path) -> None:
    run = interrupted(tmp_path, 3)
    with pytest.raises(UsageError) as caught:
        resume(run, Bare())
    assert caught.value.place == run.id
    assert "'swing', not 'bare'" in caught.value.finding
    assert "new run" in caught.value.remedy


def test_a_changed_model_file_is_refused(tmp_path: Path) -> None:
    run = interrupted(tmp_path, 3)
    other = Plan(1.0, 0.1, settings=PLAN.settings, package=b"y")
    with pytest.raises(VersionMismatch) as caught:
        resume(run, Swing(), expect=other)
    assert caught.value.place == run.id
    assert "model has changed" in caught.value.finding
    assert "model.ssp" in caught.value.remedy


@pytest.mark.parametrize(
    ("other", "finding"),
    [
        (Plan(1.0, 0.2, settings=PLAN.settings, package=b"x"), "step is 0.2"),
        (
            Plan(1.0, 0.1, settings={**PLAN.settings, "tol": 1.0}, package=b"x"),
            "tol is 1.0",
        ),
        (
            Plan(1.0, 0.1, settings={"tol": 1e-10}, package=b"x"),
            "the run has settings of set, which the model does not have",
        ),
        (
            Plan(1.0, 0.1, settings={**PLAN.settings, "set": {"a": 2.0}}, package=b"x"),
            "set.a is 2.0, the run was made with 1.5",
        ),
        (
            Plan(1.0, 0.1, settings={**PLAN.settings, "tool": 1}, package=b"x"),
            "no setting 'tool'",
        ),
    ],
)
def test_changed_settings_are_refused_by_name(
    tmp_path: Path, other: Plan, finding: str
) -> None:
    run = interrupted(tmp_path, 3)
    with pytest.raises(UsageError) as caught:
        resume(run, Swing(), expect=other)
    assert caught.value.place == run.id
    assert finding in caught.value.finding
    assert "{" not in caught.value.finding, "a table is not for reading"
    assert "new run" in caught.value.remedy
    resume(run, Swing(), expect=PLAN)


def elsewhere(run: Run) -> None:
    """Make the run look as if another machine had made it, seal and all."""
    from bondline.run.chain import canonical, digest

    facts = run.facts
    facts["fingerprint"]["machine"] = "vax"
    text = canonical(facts)
    with sqlite3.connect(run.file) as db:
        seal = digest(run.id.encode(), text.encode())
        db.execute("UPDATE run SET facts = ?, seal = ?", (text, seal))
    db.close()


@pytest.mark.parametrize("model", [Swing(), Forgetful()])
def test_another_machine_is_refused_unless_forced(tmp_path: Path, model: Any) -> None:
    run = interrupted(tmp_path, 3, model)
    elsewhere(run)
    with pytest.raises(VersionMismatch) as caught:
        resume(run, model)
    assert caught.value.place == run.id
    assert "was vax" in caught.value.finding
    assert "--force" in caught.value.remedy
    resume(run, model, force=True)
    assert run.events[0].kind == "forced"
    assert "bit equality is no longer promised" in run.certificate["warnings"][0]
    verify(run)


def test_a_state_that_cannot_be_read_is_a_version_mismatch(tmp_path: Path) -> None:
    class Newer(Swing):
        def load(self, data: bytes) -> Any:
            raise ValueError("state format 2 expected")

    run = interrupted(tmp_path, 3)
    with pytest.raises(VersionMismatch) as caught:
        resume(run, Newer())
    assert caught.value.place == f"{run.id}, last checkpoint"
    assert "state format 2 expected" in caught.value.finding
    assert "version that wrote" in caught.value.remedy
