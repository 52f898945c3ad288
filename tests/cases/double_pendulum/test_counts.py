"""Iterations, gluing matrices and leaf solves, wang2003 Figs. 15 to 17."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.gluing import Lagged, Newton
from tests.cases.double_pendulum.all_at_once import Pendulum
from tests.cases.double_pendulum.glued import EVERY_WINDOW, glue, run

LAGGED = Lagged(Newton(refresh="never", update="none"))


def apart(degrees):
    return Pendulum(start=(0.0, np.radians(degrees)))


def test_a_gluing_matrix_each_window_takes_two_iterations():
    stats = run(glue()).stats
    assert stats["iterations"].mean() <= 2.3
    assert stats["builds"].sum() == 300
    assert np.all(stats["sweeps"] == stats["iterations"] + 1)


@pytest.mark.parametrize("refresh", ["contraction", "never"])
def test_broyden_carried_across_windows_needs_one_or_two_builds(refresh):
    record = run(glue(solver=Newton(refresh=refresh)))
    assert record.solves_per_window <= 5.3
    assert record.stats["builds"].sum() <= 2


@pytest.mark.quick(2)
@pytest.mark.parametrize("degrees", [60, 65, 70, 75])
def test_a_matrix_one_window_old_takes_the_papers_three_to_six_iterations(degrees):
    iterations = run(glue(apart(degrees), solver=LAGGED)).stats["iterations"]
    assert 3.0 <= iterations.mean() <= 6.0
    assert np.mean((iterations >= 3) & (iterations <= 6)) > 0.95


def test_a_cap_of_six_iterations_gives_the_papers_61_builds():
    capped = Newton(refresh="paper", update="none", patience=6)
    builds = [
        run(glue(apart(d), solver=capped)).stats["builds"].sum() for d in (60, 65, 70)
    ]
    assert min(builds) <= 61 <= max(builds)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-4, 1e-2, 1e-1])
def test_small_perturbations_all_do(epsilon):
    assert run(glue(epsilon=epsilon), windows=100).stats["iterations"].mean() <= 2.3


def test_the_perturbation_may_be_a_hundred_times_the_force():
    """Fig. 17: "the average number of iterations changes little" up to 1e2."""
    means = [
        run(glue(apart(75), solver=EVERY_WINDOW, epsilon=eps))
        .stats["iterations"]
        .mean()
        for eps in (1e-2, 1e0, 1e1, 1e2)
    ]
    assert means[0] < 2.3
    assert max(means) < 6.0
