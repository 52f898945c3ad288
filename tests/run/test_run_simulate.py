"""Laws of simulate: windows from integers, accepted frames only, errors that teach."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_models import Bare, Breaking, Swing

from bondline.core import Frame
from bondline.errors import Interrupted, LeafFailed, NonFinite, UsageError
from bondline.run import Grid, Keep, simulate


def walk(grid: Grid, t: float) -> list[float]:
    instants = [t]
    while window := grid.after(instants[-1]):
        assert window.t0 == instants[-1]
        instants.append(window.t1)
    return instants


@given(
    start=st.sampled_from([0.0, -1.0, 0.3, 1e4]),
    step=st.floats(1e-4, 0.5),
    n=st.integers(1, 300),
)
def test_instants_come_from_integers_so_no_sum_drifts(
    start: float, step: float, n: int
) -> None:
    grid = Grid(start, step, start + n * step)
    assert walk(grid, start) == [start + k * step for k in range(n + 1)]
    assert grid.count(start) == n


@given(step=st.floats(1e-3, 0.5), n=st.integers(1, 50), part=st.floats(0.01, 0.99))
def test_the_last_window_is_shortened_when_the_end_is_not_a_multiple(
    step: float, n: int, part: float
) -> None:
    until = (n + part) * step
    instants = walk(Grid(0.0, step, until), 0.0)
    assert instants == [k * step for k in range(n + 1)] + [until]


@given(step=st.floats(1e-3, 0.5), n=st.integers(1, 100), cut=st.integers(0, 99))
def test_the_windows_after_an_instant_do_not_depend_on_those_before(
    step: float, n: int, cut: int
) -> None:
    grid = Grid(0.0, step, n * step)
    whole = walk(grid, 0.0)
    at = min(cut, n)
    assert walk(grid, whole[at]) == whole[at:]


def test_a_run_that_ended_inside_a_step_goes_on_with_the_rest_of_it() -> None:
    assert walk(Grid(0.0, 0.1, 0.3), 0.25) == [0.25, 0.1 * 3]


@pytest.mark.parametrize(
    ("start", "step", "until", "word"),
    [
        (0.0, 0.0, 1.0, "positive"),
        (0.0, -0.1, 1.0, "positive"),
        (0.0, math.nan, 1.0, "step is nan"),
        (0.0, 0.1, math.inf, "until is inf"),
        (2.0, 0.1, 1.0, "before the start"),
        (1e9, 1e-9, 2e9, "too small"),
    ],
)
def test_a_grid_that_leads_nowhere_is_refused(
    start: float, step: float, until: float, word: str
) -> None:
    with pytest.raises(UsageError, match=word) as caught:
        simulate(Swing(), until, step, start=start)
    assert caught.value.place == "simulate"
    assert "positive step" in caught.value.remedy


def test_every_accepted_window_gives_one_frame_and_the_start_is_frame_0() -> None:
    keep = Keep()
    outcome = simulate(Swing(), 0.35, 0.1, record=keep)
    assert [f.n for f in keep.frames] == [0, 1, 2, 3, 4]
    assert [f.t for f in keep.frames] == [0.0, 0.1, 0.2, 0.1 * 3, 0.35]
    assert keep.frames[0].window is None
    assert keep.frames[-1].window is not None
    assert keep.frames[-1].window.t0 == keep.frames[-2].t
    assert (outcome.windows, outcome.t) == (4, 0.35)
    assert outcome.state is keep.state


def test_a_model_that_shows_nothing_still_runs() -> None:
    keep = Keep()
    simulate(Bare(), 0.2, 0.1, record=keep)
    results = keep.results()
    assert len(results.t) == 3
    assert not results.signals
    assert not results.windows


def test_resuming_gives_the_frames_of_an_uninterrupted_run() -> None:
    whole, first, second = Keep(), Keep(), Keep()
    simulate(Swing(), 1.0, 0.1, record=whole)
    half = simulate(Swing(), 0.5, 0.1, record=first)
    place = (half.windows, half.t, half.state)
    simulate(Swing(), 1.0, 0.1, record=second, resume=place)
    both = [*first.frames, *second.frames]
    assert [(f.n, f.t, f.values) for f in both] == [
        (f.n, f.t, f.values) for f in whole.frames
    ]


def test_a_stop_is_obeyed_between_windows_after_a_flush() -> None:
    class Flushed(Keep):
        flushes = 0

        def flush(self) -> None:
            self.flushes += 1

    keep, seen = Flushed(), []
    with pytest.raises(Interrupted) as caught:
        simulate(
            Swing(),
            1.0,
            0.1,
            record=keep,
            progress=lambda f: seen.append(f.n),
            stopped=lambda: len(seen) >= 4,
        )
    assert seen == [0, 1, 2, 3] == [f.n for f in keep.frames]
    assert keep.flushes == 1
    assert caught.value.place == "swing at t = 0.3 s"
    assert "after window 3 of 10" in caught.value.finding
    assert "Resume" in caught.value.remedy


def test_a_rejected_window_names_model_time_window_reason_and_a_shorter_step() -> None:
    keep = Keep()
    with pytest.raises(LeafFailed) as caught:
        simulate(Breaking(0.35, until=0.32), 1.0, 0.1, record=keep)
    assert (
        caught.value.place == "swing, part hinge at t = 0.3 s, window 4 (to t = 0.4 s)"
    )
    assert caught.value.finding == "the spring has snapped."
    assert "ends at t = 0.32 s" in caught.value.remedy
    assert "--step 0.02" in caught.value.remedy
    assert [f.n for f in keep.frames] == [0, 1, 2, 3]


@pytest.mark.parametrize("until", [None, 0.2, 0.9])
def test_a_rejection_without_a_useful_hint_proposes_half_the_step(
    until: float | None,
) -> None:
    with pytest.raises(LeafFailed) as caught:
        simulate(Breaking(0.35, until=until), 1.0, 0.1)
    assert caught.value.remedy == "Try a shorter step: --step 0.05."


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_non_finite_value_is_named_and_never_recorded(bad: float) -> None:
    keep = Keep()
    with pytest.raises(NonFinite) as caught:
        simulate(Breaking(0.35, value=bad), 1.0, 0.1, record=keep)
    assert caught.value.place == "swing at t = 0.4 s, window 4"
    assert f"spin is {bad}" in caught.value.finding
    assert "shorter step" in caught.value.remedy
    assert [f.n for f in keep.frames] == [0, 1, 2, 3]


def test_non_finite_forces_shapes_and_energies_are_caught_too() -> None:
    import numpy as np

    from bondline.core import Advance, Energy, Reaction
    from bondline.run.frames import look

    class Sick(Swing):
        def reactions(self, state: Any) -> Any:
            return {"joint.A": Reaction(("Fx", "Fy"), np.array([[0.0, math.nan]]))}

    class Bent(Swing):
        def shapes(self, state: Any) -> Any:
            return {"rod": np.array([[math.inf, 0.0]])}

    start = Swing().start(0.0)
    hot = Advance(start.state, {}, Energy(1.0, math.inf))
    idle = Advance(start.state, {}, None, {"interface_work": math.nan})
    for model, advance, name in (
        (Sick(), start, "joint.A.Fy"),
        (Bent(), start, "shape rod"),
        (Swing(), hot, "dissipated energy"),
        (Swing(), idle, "statistic interface_work is nan"),
    ):
        with pytest.raises(NonFinite, match=name):
            look(model, 0, None, 0.0, advance)


def test_progress_sees_what_the_recorder_sees() -> None:
    keep = Keep()
    seen: list[Frame] = []
    simulate(Swing(), 0.3, 0.1, record=keep, progress=seen.append)
    assert seen == keep.frames
