"""The benchmark of two rates in short: orders, counts, and the same error."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from bondline.core import uniform

FOLDER = Path(__file__).parents[1] / "benchmarks"
UNTIL = 0.016


@pytest.fixture(scope="module")
def case():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        yield import_module("leaf_rates_case")


@pytest.fixture(scope="module")
def exact(case):
    return case.reference(1e-3, UNTIL)


def test_two_rates_have_the_error_of_one_with_a_tenth_of_the_slow_advances(case, exact):
    h = 2e-4
    one = case.measure(case.one_rate(h), h, exact, UNTIL)
    two = case.measure(case.two_rates(5 * h, 5), 5 * h, exact, UNTIL)
    assert two.error < 1.5 * one.error < 1e-4
    assert two.slow < one.slow / 10
    assert two.fast < 1.3 * one.fast


@pytest.mark.quick(1)
@pytest.mark.parametrize(("how", "order"), [({"order": 1}, 3), ({"iterate": True}, 4)])
def test_a_mechanism_in_space_has_the_order_of_theory(case, exact, how, order):
    how = {"order": 2, **how}
    errors = [
        case.measure(case.two_rates(H, 10, **how), H, exact, UNTIL).error
        for H in (1e-3, 5e-4)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


def test_the_guard_knows_the_whip(case):
    """Windows of 1 ms are long for it, and nothing is wrong; 20 ms are too long."""
    model = case.two_rates(1e-3, 10)
    assert model.guard(model.start(0.0).state, uniform(0.0, 1e-3, 0)) == ()
    model = case.two_rates(0.02, 10)
    with pytest.raises(Exception, match="whip has a mode too quick"):
        model.guard(model.start(0.0).state, uniform(0.0, 0.02, 0))
