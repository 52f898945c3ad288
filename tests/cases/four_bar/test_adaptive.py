"""Adaptive windows through the singular passes of the four-bar."""

from dataclasses import replace

import numpy as np
import pytest

from bondline.gluing import Newton, Pace
from tests.cases.four_bar.all_at_once import kept
from tests.cases.four_bar.glued import distance, glue, run

OUTPUT = 5e-3


def adaptive(tolerance, end):
    model = replace(glue(solver=Newton()), pace=Pace(tolerance))
    return run(model, OUTPUT, end, every=OUTPUT)


def fixed(h, end):
    return run(glue(solver=Newton()), h, end, every=OUTPUT)


def test_the_first_pass_takes_fewer_solves_at_a_smaller_error():
    paced, even = adaptive(2e-5, 0.3), fixed(5e-4, 0.3)
    assert distance(paced, kept()) < distance(even, kept())
    assert 1.3 * paced.stats["solves"].sum() < even.stats["solves"].sum()
    windows = paced.stats["windows"]
    smooth, pass_ = windows[:28], windows[28:36]  # the pass is at 0.1407 s
    assert np.mean(pass_) > 3 * np.mean(smooth)


@pytest.mark.full
def test_three_passes_take_half_the_solves_of_a_fixed_window():
    paced, even = adaptive(3e-7, 1.5), fixed(1.25e-4, 1.5)
    assert distance(paced, kept()) < 1.5 * distance(even, kept())
    assert 1.9 * paced.stats["solves"].sum() < even.stats["solves"].sum()
