"""What the weights of φ do: drift, and two choices that diverge."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.leaves.large_mass import Weights
from tests.cases.large_mass_chain.chain import glued, large, run

H = 1e-4
TABLE = {  # trapezoidal rule, hold, 0.5 s: largest force error in N, drift in m
    (1.0, 0.0, 0.0): (17.9, 2.1e-4),
    (1.0, 20.0, 100.0): (19.5, 1.1e-4),
    (1.0, 200.0, 1e4): (11.4, 1.2e-5),
    (1.0, 2e3, 1e6): (10.3, 1.5e-7),
    (1.0, 2e4, 1e8): (10.4, 2.3e-9),
    (1.0, 2e3, 0.0): (10.5, 1.8e-6),
}


def follow(weights, rho, until):
    fe = large(1e4, weights, rho, following=1e-10)
    with np.errstate(all="ignore"):
        return run(glued("hold", fe), H, until)


@pytest.mark.full
@pytest.mark.parametrize("weights", TABLE)
def test_weights_as_in_the_table(weights):
    found, (force, drift) = follow(Weights(fixed=weights), 1.0, 0.5), TABLE[weights]
    assert found.errors()[1] == pytest.approx(force, rel=0.05)
    assert found.drift == pytest.approx(drift, rel=0.1)


@pytest.mark.parametrize("rho", [pytest.param(1.0, marks=pytest.mark.full), 0.8])
def test_any_weight_of_positions_holds_the_drift(rho):
    """Accelerations alone drift; (1, 2/T, 1/T²) does not, with either method."""
    drifts = [
        follow(w, rho, 0.04).drift
        for w in (Weights(fixed=(1.0, 0.0, 0.0)), Weights(5.0), Weights(1.0))
    ]
    assert drifts[0] > 1e-6
    assert drifts[1] < 1e-7
    assert drifts[2] < 1e-8


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("weights", "when"), [((0.0, 1.0, 0.0), 0.15), ((0.0, 0.0, 1.0), 0.12)]
)
def test_no_weight_of_accelerations_rings_with_the_trapezoidal_rule(weights, when):
    found = follow(Weights(fixed=weights), 1.0, 0.2)
    assert found == pytest.approx(when, rel=0.1)  # the time at which it is given up


@pytest.mark.quick(1)
@pytest.mark.parametrize("weights", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_generalized_alpha_damps_that_ringing(weights):
    found = follow(Weights(fixed=weights), 0.8, 0.2)
    assert found.drift < 2e-7
