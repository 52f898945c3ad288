"""Laws of the store: same bits however a run was made, and nothing lost."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from run_models import Bare, Breaking, Swing, double_pendulum, nested_chains
from run_stories import PLAN, child, stop_after, whole

from bondline.core import Frame, Window
from bondline.errors import Interrupted, LeafFailed, StorageError, UsageError
from bondline.run import (
    Commits,
    Keep,
    Plan,
    Run,
    Watch,
    begin,
    create,
    resume,
    simulate,
    verify,
)
from bondline.run.writer import writing
from bondline.wire.turns import others_first


def test_a_stored_run_reads_back_to_the_bits_it_was_made_of(tmp_path: Path) -> None:
    keep = Keep()
    simulate(Swing(), 1.0, 0.1, record=keep)
    run = begin(tmp_path, Swing(), PLAN).run
    for stored, made in zip(run.frames(shapes=True), keep.frames, strict=True):
        assert (stored.n, stored.t, stored.window) == (made.n, made.t, made.window)
        assert stored.values == made.values
        assert stored.energy == made.energy
        assert stored.stats == made.stats
        assert stored.shapes["rod"].tolist() == made.shapes["rod"].tolist()
        F, G = stored.forces["joint.A"], made.forces["joint.A"]
        assert F.coefficients.tolist() == G.coefficients.tolist()
        assert (F.components, F.instant) == (G.components, G.instant)
    assert run.package == b"x"


def test_results_from_the_store_equal_those_kept_in_memory(tmp_path: Path) -> None:
    keep = Keep()
    simulate(Swing(), 1.0, 0.1, record=keep)
    mine = keep.results()
    stored = begin(tmp_path, Swing(), PLAN).run.results()
    assert list(stored.signals) == list(mine.signals)
    assert list(stored.signals) == ["joint.A.Fx", "joint.A.Fy", "angle", "spin"]
    for name in mine.signals:
        assert stored.signals[name].tolist() == mine.signals[name].tolist()
    assert stored.units == mine.units
    assert stored.settings == PLAN.settings
    assert stored.certificate["windows"] == 10


@pytest.mark.quick(4)
@pytest.mark.parametrize("n", range(11))
def test_interrupted_at_any_window_resumes_to_the_same_hash(
    tmp_path: Path, n: int
) -> None:
    golden = whole(tmp_path)
    run = create(tmp_path / "runs", Swing(), PLAN)
    if n < 10:
        with pytest.raises(Interrupted) as caught:
            resume(run, Swing(), watch=stop_after(n))
        assert f"--resume {run.id}" in caught.value.remedy
        assert run.summary.status == "interrupted"
        assert run.summary.windows == n
        assert verify(run).windows == n
    done = resume(run, Swing())
    assert done.taken_up == (n if n < 10 else None)
    assert done.replayed == 0
    assert run.summary.status == "done"
    assert verify(run).sha256 == golden


@pytest.mark.parametrize("make", [double_pendulum, nested_chains])
def test_glued_models_interrupted_after_every_window_keep_their_bits(
    tmp_path: Path, make: Any
) -> None:
    plan = Plan(until=0.12, step=0.01)
    golden = whole(tmp_path, make(), plan)
    run = create(tmp_path / "runs", make(), plan)
    for n in range(12):
        with pytest.raises(Interrupted):
            resume(run, make(), watch=stop_after(n))
        assert run.summary.windows == n
    resume(run, make())
    assert verify(run).sha256 == golden


@pytest.mark.parametrize("windows", [1, 2, 3, 7, 1000])
def test_the_batch_size_does_not_matter(tmp_path: Path, windows: int) -> None:
    run = begin(tmp_path, Swing(), PLAN, Watch(commits=Commits(windows, 1e9))).run
    assert run.summary.sha256 == whole(tmp_path)


def test_the_clock_does_not_matter(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN, Watch(commits=Commits(1000, 0.0))).run
    assert run.summary.sha256 == whole(tmp_path)


@dataclass(frozen=True)
class Far(Swing):
    """Its state is kept elsewhere: that takes 2 s, and a window takes 1 s."""

    waits: bool = True
    clock: list[float] = field(default_factory=lambda: [0.0])
    dumped: list[float] = field(default_factory=list)

    def advance(self, state: Any, window: Window, inputs: Any) -> Any:
        self.clock[0] += 1.0
        return super().advance(state, window, inputs)

    def dump(self, state: Any) -> bytes:
        self.clock[0] += 2.0
        self.dumped.append(state[0])
        return super().dump(state)


def record_far(run: Run, model: Far, watch: Watch) -> None:
    """The run by a clock that only the model moves."""
    with writing(run, model) as writer:
        writer.clock, writer.commits = lambda: model.clock[0], watch.commits
        writer.go(100.0)
        at = {"progress": watch.progress, "stopped": watch.stopped}
        simulate(model, 100.0, 1.0, record=writer, **at)


def test_checkpoints_that_take_long_are_made_in_their_share_of_the_time(
    tmp_path: Path,
) -> None:
    plan, model = Plan(100.0, 1.0), Far()
    run = create(tmp_path / "runs", model, plan)
    record_far(run, model, stop_after(1000, Commits(1, 1e9, share=0.1)))
    # 2 s are a tenth of 20 s, and a window is told while the next one is computed; the
    # last state is kept however often others were
    assert model.dumped == [0.0, 19.0, 39.0, 59.0, 79.0, 99.0, 100.0]
    assert verify(run).sha256 == whole(tmp_path, Swing(), plan)


def test_what_is_stored_after_the_last_checkpoint_is_computed_again(
    tmp_path: Path,
) -> None:
    plan, model = Plan(100.0, 1.0), Far()
    run = create(tmp_path / "runs", model, plan)

    def off() -> bool:
        if model.clock[0] > 40.0:
            raise StorageError("here", "the machine is off.", "")
        return False

    with pytest.raises(StorageError):
        record_far(run, model, Watch(stopped=off, commits=Commits(1, 1e9, share=0.1)))
    assert (run.summary.windows, model.dumped) == (36, [0.0, 19.0])
    with pytest.raises(Interrupted):
        resume(run, Far(), watch=stop_after(25))
    again = resume(run, Far(), until=36.0)
    assert (again.taken_up, again.replayed) == (26, 10), "a stop is kept, also there"
    done = resume(run, Far(), until=100.0)
    assert (done.taken_up, done.replayed) == (36, 0)
    assert verify(run).sha256 == whole(tmp_path, Swing(), plan)


@dataclass(frozen=True)
class Busy(Far):
    """Somebody else's turn comes before its state is put away, and takes 0.5 s."""

    def advance(self, state: Any, window: Window, inputs: Any) -> Any:
        others_first()
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            pass
        return super().advance(state, window, inputs)

    def dump(self, state: Any) -> bytes:
        others_first()
        return super().dump(state)


def test_a_window_that_is_under_way_is_no_part_of_what_a_checkpoint_takes(
    tmp_path: Path,
) -> None:
    run, model = create(tmp_path / "runs", Busy(), Plan(1.0, 0.5)), Busy()
    with writing(run, model) as writer:
        writer.commits = Commits(1, 1e9, share=math.inf)
        writer.go(1.0)
        took: list[float] = []
        told = {"progress": lambda frame: took.append(writer.last_dump[1])}
        simulate(model, 1.0, 0.5, record=writer, **told)
    assert model.dumped == [0.0, 0.5, 1.0]
    assert max(took) < 0.25


def test_who_stops_a_run_far_away_goes_on_from_there(tmp_path: Path) -> None:
    plan, model = Plan(100.0, 1.0), Far()
    run = create(tmp_path / "runs", model, plan)
    with pytest.raises(Interrupted):
        record_far(run, model, stop_after(7, Commits(1, 1e9)))
    stopped = run.summary.windows
    done = resume(run, Far())
    assert (done.taken_up, done.replayed) == (stopped, 0)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_hash_seed_does_not_matter(tmp_path: Path, hash_seed: str) -> None:
    plan = Plan(until=0.2, step=0.01)
    golden = whole(tmp_path, double_pendulum(), plan)
    run = create(tmp_path / "runs", double_pendulum(), plan)
    process = child(run, "double_pendulum", PYTHONHASHSEED=hash_seed)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert out.split()[-1] == golden


@pytest.mark.parametrize(
    "other",
    [
        Plan(1.0, 0.1, settings={"tol": 1e-9, "set": {"a": 1.5}}, package=b"x"),
        Plan(1.0, 0.1, settings=PLAN.settings, package=b"y"),
        Plan(1.0, 0.1, 0.5, settings=PLAN.settings, package=b"x"),
    ],
)
def test_what_decides_the_bits_decides_the_hash(tmp_path: Path, other: Plan) -> None:
    assert whole(tmp_path, plan=other) != whole(tmp_path)


def test_a_finished_run_is_extended_to_the_hash_of_the_longer_run(
    tmp_path: Path,
) -> None:
    longer = Plan(2.0, 0.1, settings=PLAN.settings, package=b"x")
    run = begin(tmp_path / "runs", Swing(), PLAN).run
    resume(run, Swing(), 2.0)
    assert run.summary.sha256 == whole(tmp_path, plan=longer)
    assert run.summary.until == 2.0
    assert run.certificate["windows"] == 20


def test_a_failed_run_keeps_its_windows_and_its_message(tmp_path: Path) -> None:
    run = create(tmp_path, Breaking(0.55), PLAN)
    with pytest.raises(LeafFailed):
        resume(run, Breaking(0.55))
    assert run.summary.status == "failed"
    assert "the spring has snapped" in run.summary.message
    assert verify(run).windows == 5
    resume(run, Breaking(9.0))
    assert run.summary.status == "done"
    assert run.summary.message == ""


def test_a_run_that_failed_before_its_first_window_gives_up_its_name(
    tmp_path: Path,
) -> None:
    """One that has windows keeps it."""
    for bad in (0.0, 0.0, 0.55):
        run = create(tmp_path, Breaking(bad), PLAN, "mine")
        with pytest.raises(LeafFailed):
            resume(run, Breaking(bad))
    with pytest.raises(UsageError, match="one of this name"):
        create(tmp_path, Breaking(9.0), PLAN, "mine")


@pytest.mark.parametrize(("pace", "saved"), [(2, 1), (1000, 0)])
def test_a_state_that_cannot_be_put_away_costs_no_window(
    tmp_path: Path, pace: int, saved: int
) -> None:
    class Clumsy(Swing):
        def dump(self, state: Any) -> bytes:
            if state[0] > 0.15:
                raise RuntimeError("no room in the attic")
            return Swing().dump(state)

    golden = whole(tmp_path)
    run = create(tmp_path / "runs", Swing(), PLAN)
    with pytest.raises(RuntimeError, match="attic"):
        resume(run, Clumsy(), watch=Watch(commits=Commits(pace, 1e9)))
    assert run.summary.status == "failed"
    assert run.summary.message == "RuntimeError: no room in the attic"
    last = 3 if pace == 2 else 10
    assert [e.kind for e in run.events] == ["no-checkpoint"]
    assert f"after window {last} cannot be put away" in run.events[0].text
    assert verify(run).windows == last
    assert verify(run).checkpoints == saved
    resume(run, Swing())
    assert verify(run).sha256 == golden


def test_a_stop_is_told_also_when_the_state_cannot_be_put_away(tmp_path: Path) -> None:
    class Clumsy(Swing):
        def dump(self, state: Any) -> bytes:
            raise RuntimeError("no room in the attic")

    def press(frame: Frame) -> None:
        if frame.n == 4:
            raise KeyboardInterrupt

    run = create(tmp_path, Swing(), PLAN)
    with pytest.raises(KeyboardInterrupt):
        resume(run, Clumsy(), watch=Watch(press, commits=Commits(1000, 1e9)))
    assert run.summary.status == "interrupted"
    assert verify(run).windows == 4


def test_a_python_error_of_a_leaf_is_kept_as_it_is(tmp_path: Path) -> None:
    broken = Breaking(0.55, error=FileNotFoundError("mesh.inp"))
    run = create(tmp_path, broken, PLAN)
    with pytest.raises(FileNotFoundError):
        resume(run, broken)
    assert run.summary.status == "failed"
    assert run.summary.message == "FileNotFoundError: mesh.inp"
    assert verify(run).windows == 5


def test_ctrl_c_in_the_middle_of_a_window_loses_no_finished_one(tmp_path: Path) -> None:
    golden = whole(tmp_path)
    run = create(tmp_path / "runs", Swing(), PLAN)

    def press(frame: Frame) -> None:
        if frame.n == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resume(run, Swing(), watch=Watch(press))
    assert run.summary.status == "interrupted"
    assert run.summary.windows == 4
    resume(run, Swing())
    assert run.summary.sha256 == golden


def test_a_reader_sees_committed_windows_while_the_run_is_written(
    tmp_path: Path,
) -> None:
    run = create(tmp_path, Swing(), PLAN)
    seen: list[tuple[str, int | None]] = []

    def peek(frame: Frame) -> None:
        seen.append((run.summary.status, run.summary.windows))

    resume(run, Swing(), watch=Watch(peek, commits=Commits(1, 1e9)))
    assert seen == [("running", n) for n in range(11)]


def test_a_full_disk_stops_at_a_commit_and_resumes_to_the_same_hash(
    tmp_path: Path,
) -> None:
    plan = Plan(until=3.0, step=0.01)
    golden = whole(tmp_path, plan=plan)
    run = create(tmp_path / "runs", Swing(), plan)
    process = child(run, "swing", "150000")
    _, err = process.communicate(timeout=60)
    assert process.returncode == StorageError.exit_code, err
    assert str(run.file) in err
    assert "bytes are free" in err
    assert "Make room, then resume" in err
    assert run.summary.status == "interrupted"
    assert 0 < verify(run).windows < 300
    resume(run, Swing())
    assert verify(run).sha256 == golden


def test_a_model_with_nothing_to_show_is_stored_too(tmp_path: Path) -> None:
    run = begin(tmp_path, Bare(), PLAN).run
    assert verify(run).windows == 10
    assert run.results().t.tolist() == [0.1 * k for k in range(11)]


def test_an_old_certificate_does_not_outlive_its_end(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    with pytest.raises(Interrupted):
        resume(run, Swing(), 2.0, watch=stop_after(15))
    assert run.certificate == {}
    assert verify(run).windows == 15
