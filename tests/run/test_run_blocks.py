"""Runs in blocks of windows: stopped anywhere, resumed to the same bits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from run_stories import stop_after

from bondline.core import Model
from bondline.errors import Interrupted, UsageError
from bondline.gluing import glue
from bondline.leaves import FreeBar, PinnedBar, chain
from bondline.run import Commits, Plan, begin, create, resume, verify

PLAN = Plan(0.6, 0.01)  # 60 windows


def frame() -> Model:
    own = {"masses": 3.0, "mass": 0.5, "damping": 2.0}
    left = glue(
        "left",
        [chain("a", **own, stiffness=900.0, wall=700.0), chain("b", **own)],
        {"ab": ("a.right", "b.left")},
        exports={"end": "b.right"},
    )
    loaded = chain("c", **own, stiffness=500.0, force=40.0, frequency=3.0)
    whole = glue("frame", [left, loaded], {"lc": ("left.end", "c.left")})
    return replace(whole, block=4)


def pendulum() -> Model:
    bars = [PinnedBar("upper", gravity=9.81, angle=1.0), FreeBar("lower", angle=1.0)]
    whole = glue("pendulum", bars, {"A": ("upper.A", "lower.A")})
    return replace(whole, block=4, waveform=True)


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("make", "windows"),
    [(frame, 1), (frame, 6), (frame, 41), (frame, 55), (pendulum, 6), (pendulum, 41)],
)
def test_a_run_in_blocks_resumes_to_the_same_bits(
    tmp_path: Path, make, windows: int
) -> None:
    golden = verify(begin(tmp_path / "whole", make(), PLAN).run).sha256
    run = create(tmp_path / "runs", make(), PLAN)
    with pytest.raises(Interrupted):
        resume(run, make(), watch=stop_after(windows, Commits(5, 1e9)))
    stored = run.summary.windows
    assert stored is not None
    assert windows <= stored <= 60
    done = resume(run, make())
    assert verify(run).sha256 == golden
    assert done.outcome.windows == 60


def test_all_windows_of_a_block_are_stored(tmp_path: Path) -> None:
    run = begin(tmp_path, frame(), PLAN).run
    assert [f.n for f in run.frames()] == list(range(61))
    assert all(f.energy is not None and f.forces and f.values for f in run.frames())
    assert run.certificate["exchanges"] == 15 + 2  # one block starts afresh


def test_blocks_decide_the_bits_and_are_part_of_the_settings(tmp_path: Path) -> None:
    settings = frame().settings()
    assert (settings["block"], settings["waveform"]) == (4, False)
    assert "block" not in replace(frame(), block=1).settings()


def test_a_run_goes_back_to_a_block_that_started_afresh(tmp_path: Path) -> None:
    """Inside a row of blocks there is no checkpoint: windows are replayed."""
    run = create(tmp_path, frame(), PLAN)
    with pytest.raises(Interrupted):
        resume(run, frame(), watch=stop_after(50, Commits(5, 1e9)))
    done = resume(run, frame())
    assert done.taken_up == 40
    assert done.replayed > 0


@pytest.mark.parametrize("until", [0.9, 1.5])
def test_windows_inside_a_block_are_not_computed_again_in_other_blocks(
    tmp_path: Path, until: float
) -> None:
    """A run to another end has other blocks, and would be called corrupt."""
    share, golden = until * PLAN.until, begin(tmp_path / "whole", frame(), PLAN).run
    run = create(tmp_path / "runs", frame(), PLAN)
    with pytest.raises(Interrupted):
        resume(run, frame(), watch=stop_after(50, Commits(5, 1e9)))
    with pytest.raises(UsageError, match="other blocks") as told:
        resume(run, frame(), until=share)
    assert f"--until {PLAN.until:.9g}s" in told.value.remedy
    assert run.summary.until == PLAN.until, "nothing was changed"
    assert resume(run, frame()).outcome.windows == 60
    assert verify(run).sha256 == verify(golden).sha256
    if until > 1.0:
        assert resume(run, frame(), until=share).replayed == 0
