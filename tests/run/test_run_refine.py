"""Laws of refinement: shorter windows tell how far off a run is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from run_models import Swing, double_pendulum
from run_stories import PLAN, interrupted

from bondline.errors import UsageError
from bondline.run import Certificate, Keep, begin, simulate, verify
from bondline.run.refine import refine, refine_run


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
