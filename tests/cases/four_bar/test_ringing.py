"""The oscillation that wang2003 left open: docs/theory/four_bar.md."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from tests.cases.four_bar.all_at_once import script

STIFF = ("assumed", "reduced")
ANGLES = ("crank.A.angle", "third.D.angle")


@cache
def ringing(beam):
    return script("figures").run(0.23, 2.5e-4, third_beam=beam)


@pytest.mark.parametrize("beam", ["assumed", "reduced"])
def test_between_turning_points_is_one_half_wave_of_the_theory(beam):
    _, angles = script("figures").half_waves(ringing(beam), beam, 20)
    assert len(angles) == 20
    assert np.abs(angles / np.pi - 1.0).max() < 0.13
    assert np.mean(angles) == pytest.approx(np.pi, rel=0.03)


def test_a_bar_that_stretches_evenly_is_softer_and_rings_slower():
    """By the root of pi^2/8: why the paper's two curves differ."""
    ends = [script("figures").half_waves(ringing(b), b, 20)[0] for b in STIFF]
    mean = [np.diff(at[5:]).mean() * (at[5:].mean() - 0.1407) for at in ends]
    assert mean[1] / mean[0] == pytest.approx(np.sqrt(np.pi**2 / 8), rel=0.02)


def test_what_is_left_is_bending():
    """A bar a hundred times as stiff against bending: each half wave is right."""
    made, t = script("make_reference"), np.arange(0, 851) * 2.5e-4
    bar = made.assumed()
    stiff = replace(bar, K=bar.K * [1.0, 100.0, 100.0])
    y = made.solve(stiff, t)
    seen = SimpleNamespace(t=t, signals=dict(zip(ANGLES, y.T[[0, 2]], strict=True)))
    _, angles = script("figures").half_waves(seen, "assumed", 15)
    assert np.abs(angles / np.pi - 1.0).max() < 0.06
