"""Laws of refinement: shorter windows tell how far off a run is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from run_models import Swing, double_pendulum
from run_stories import PLAN, interrupted

from bondline.core import Advance, Observation, Reaction, Signal, Vector, Window
from bondline.errors import Interrupted, UsageError
from bondline.gluing.pacing import Pace
from bondline.run import Certificate, Keep, begin, certify, simulate, verify
from bondline.run.certificate import Check, with_refined
from bondline.run.refine import refine, refine_run
from bondline.run.refined import Refined


def test_richardson_finds_the_order_of_a_known_error() -> None:
    """Semi-implicit Euler is of order 1: four steps a window of 0.02 s."""
    keep = Keep()
    simulate(Swing(), 1.0, 0.02, record=keep)
    found = refine(Swing(), keep.results(), (0.0, 0.02))
    orders = {o.signal: o for o in found.orders}
    assert orders["angle"].order == pytest.approx(1.0, abs=0.05)
    exact = Keep()
    simulate(Swing(), 1.0, 0.02 / 256, record=exact)
    error = np.abs(
        keep.results().signals["angle"] - exact.results().signals["angle"][::256]
    ).max()
    assert orders["angle"].error == pytest.approx(error, rel=0.05)


def test_orders_of_the_double_pendulum_are_those_of_its_scheme() -> None:
    keep = Keep()
    simulate(double_pendulum(), 0.3, 0.01, record=keep)
    found = refine(double_pendulum(), keep.results(), (0.0, 0.01))
    orders = {o.signal: o.order for o in found.orders}
    assert orders["lower.com.y"] == pytest.approx(4.0, abs=0.5)
    assert orders["lower.com.vy"] == pytest.approx(2.0, abs=0.2)


def test_a_certified_run_keeps_what_was_found(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    sha = run.summary.sha256
    told = refine_run(run, Swing())
    assert Certificate.of(run.certificate) == told
    assert told.refined is not None
    assert told.refined.step == 0.1
    assert verify(run).sha256 == sha
    assert run.summary.status == "done"
    (check,) = [c for c in told.checks() if c.title == "Converges with the step"]
    assert check.good is False
    assert check.advice in told.warnings
    assert "shorten the step" in check.advice
    again = refine_run(run, Swing())
    assert again == told


def test_an_unfinished_run_is_not_certified(tmp_path: Path) -> None:
    run = interrupted(tmp_path, 3)
    with pytest.raises(UsageError) as caught:
        refine_run(run, Swing())
    assert caught.value.place == run.id
    assert "not reached its end" in caught.value.finding
    assert f"--resume {run.id}" in caught.value.remedy


@pytest.mark.parametrize("nested", [False, True])
def test_windows_that_choose_their_length_tell_no_order(nested: bool) -> None:
    model = replace(double_pendulum(), pace=Pace(1e-6))
    if nested:
        outer = replace(double_pendulum(), name="outer")
        model = replace(outer, parts={"inner": model}, connections=())
    with pytest.raises(UsageError) as caught:
        refine(model, Keep().results(), (0.0, 0.02))
    name = "outer.inner" if nested else model.name
    assert caught.value.place == f"certify {name}"
    assert "chooses its windows by the error" in caught.value.finding
    assert "without --adaptive" in caught.value.remedy
    assert "compare two runs" in caught.value.remedy


def test_who_stops_a_certification_is_not_told_to_resume(tmp_path: Path) -> None:
    run = begin(tmp_path, Swing(), PLAN).run
    before = run.certificate
    with pytest.raises(Interrupted) as caught:
        refine_run(run, Swing(), stopped=lambda: True)
    assert caught.value.place == f"certify {run.id}"
    assert "the run is whole and as it was" in caught.value.finding
    assert caught.value.remedy.endswith(f"bondline certify {run.id}")
    assert "esume" not in str(caught.value)
    assert (run.certificate, run.summary.status) == (before, "done")


def test_progress_numbers_the_windows_of_both_finer_runs_through() -> None:
    keep, seen = Keep(), []
    simulate(Swing(), 0.5, 0.1, record=keep)
    refine(Swing(), keep.results(), (0.0, 0.1), progress=lambda f: seen.append(f.n))
    assert seen == [*range(11), *range(10, 31)]


@dataclass(frozen=True)
class Told(Swing):
    """Shows numbers of its choice, by the length of the window that led here."""

    shown: Mapping[float, Mapping[str, float]] = field(default_factory=dict)

    def start(self, t0: float) -> Advance[Vector]:
        return Advance(np.array([t0, 0.0, 0.0]), {})

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector]:
        return Advance(np.array([window.t1, window.h, 0.0]), {})

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        near = min(self.shown, key=lambda h: abs(h - state[1]))
        told = self.shown[near] if state[1] else dict.fromkeys(self.shown[near], 0.0)
        return {name: Observation(x, "m") for name, x in told.items()}

    def reactions(self, state: Vector) -> Mapping[str, Reaction]:
        return {}


def judged(*shown: Mapping[str, float]) -> tuple[Refined, Check]:
    """What is said of values that the grids h, h/2 and h/4 show."""
    model = Told(shown=dict(zip((0.1, 0.05, 0.025), shown, strict=True)))
    keep = Keep()
    simulate(model, 0.5, 0.1, record=keep)
    found = refine(model, keep.results(), (0.0, 0.1))
    told = with_refined(certify(keep.frames), found)
    (check,) = [c for c in told.checks() if c.title == "Converges with the step"]
    assert Certificate.load(told.dump()) == told
    return found, check


def test_a_run_without_signals_is_not_called_good() -> None:
    _, check = judged({}, {}, {})
    assert check.good is None


def test_a_signal_that_appears_on_finer_grids_only_is_all_error() -> None:
    found, check = judged({"x": 0.0}, {"x": 1.0}, {"x": 1.5})
    assert found.orders[0].largest == 1.5
    assert check.good is False


@pytest.mark.parametrize("last", [1.5, 1.0 + 1e-5])
def test_two_grids_that_agree_by_chance_do_not_pass(last: float) -> None:
    found, check = judged({"x": 1.0}, {"x": 1.0}, {"x": last})
    order = found.orders[0].order
    assert order is not None
    assert order < 0.0
    assert check.good is False


def test_a_signal_that_diverges_is_seen_behind_a_larger_error() -> None:
    """x has the larger share and converges; y is closer, and goes away."""
    one = {"x": 1.008, "y": 1.0}
    found, check = judged(one, {"x": 1.002, "y": 1.001}, {"x": 1.0005, "y": 1.005})
    assert found.worst is not None
    assert found.worst.signal == "x"
    assert check.good is False
    assert check.advice.startswith("y is off by")


def test_what_iterations_leave_has_no_order_and_does_no_harm() -> None:
    _, check = judged({"x": 1.0}, {"x": 1.0 + 1e-9}, {"x": 1.0 - 1e-9})
    assert check.good is True


@dataclass(frozen=True)
class Pushed(Told):
    """Shows numbers as the forces of a joint, constant over each window."""

    kick: float = 0.0  # more in the first window, on the middle grid only

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        return {}

    def reactions(self, state: Vector) -> Mapping[str, Reaction]:
        told = super().observe(state)
        forces = np.array([[told[name].value for name in told]])
        if self.kick and abs(state[1] - 0.05) < 1e-9 and state[0] < 0.06:
            forces = forces + self.kick
        return {"joint.A": Reaction(tuple(told), forces)}


def pushed(*shown: Mapping[str, float], kick: float = 0.0) -> Refined:
    model = Pushed(shown=dict(zip((0.1, 0.05, 0.025), shown, strict=True)), kick=kick)
    keep = Keep()
    simulate(model, 0.5, 0.1, record=keep)
    return refine(model, keep.results(), (0.0, 0.1))


def test_a_component_of_a_force_is_judged_beside_the_whole_of_it() -> None:
    """What is a millionth of the largest force says nothing about the step."""
    noise = [{"Fx": 100.0, "Fy": y} for y in (1e-4, -3e-4, 4e-4)]
    found = pushed(*noise)
    assert not found.wrong
    assert {o.signal: o.order for o in found.orders}["joint.A.Fy"] is None
    away = [{"Fx": 100.0, "Fy": y} for y in (0.1, 0.2, 0.4)]
    assert [o.signal for o in pushed(*away).wrong] == ["joint.A.Fy"]
    alone = [{"Fx": x, "Fy": 0.0} for x in (1e-4, -3e-4, 4e-4)]
    assert [o.signal for o in pushed(*alone).wrong] == ["joint.A.Fx"]


def test_a_force_is_not_judged_where_one_window_alone_tells_it() -> None:
    same = [{"Fx": 1.0, "Fy": 0.0}] * 3
    assert not pushed(*same, kick=0.5).wrong
