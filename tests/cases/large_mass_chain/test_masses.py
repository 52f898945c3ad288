"""How large the masses are does not matter, until round-off is heard."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from bondline.core import Balance
from tests.cases.large_mass_chain.chain import ALONE, chain, glued, large, run

H, UNTIL = 1e-4, 0.03
COUNTS = {1.0: 2.87, 1e1: 2.58, 1e2: 2.18, 1e3: 2.0, 1e4: 2.0, 1e6: 2.38}  # mean


def follow(ratio, **given):
    fe = large(ratio, ALONE, following=1e-10, **given)
    return run(glued("linear", fe), H, UNTIL)


@pytest.fixture(scope="module")
def usual():
    return follow(1e4)


@pytest.mark.quick(2)
@pytest.mark.parametrize("ratio", COUNTS)
def test_results_do_not_depend_on_the_mass(ratio, usual):
    """Nor do they need more corrections than the table says; at most 3 each."""
    found = follow(ratio)
    off = np.abs(found.rows - usual.rows).max(axis=0)
    assert off[1:3].max() < 1e-11
    assert off[3:].max() < 4.5e-7  # N, 1.5 times what the reference study saw
    assert found.corrections.mean() <= 1.05 * COUNTS[ratio]
    assert found.corrections.max() <= 3


@pytest.mark.parametrize(("ratio", "floor"), [(1e8, 1.9e-5), (1e10, 3e-3)])
def test_round_off_grows_with_the_mass_and_is_told(ratio, floor, usual):
    """ε M_L r'': from 1e8 on it is far above the tolerance."""
    found = follow(ratio)
    off = np.abs(found.rows - usual.rows)[:, 3:].max()
    assert floor / 100.0 < off < 1.5 * floor
    (note,) = found.notes
    assert f"with {ratio:.3g} times the mass" in note
    assert "take a ratio of 1e3 to 1e4" in note
    assert not usual.notes


def test_all_of_the_compliance_is_not_worth_its_price(usual):
    found = follow(1e4, compliance="full")
    assert np.abs(found.rows - usual.rows)[:, 3:].max() < 4.5e-7
    assert found.corrections.mean() >= usual.corrections.mean()


@dataclass(frozen=True)
class Naive:
    """A leaf that claims to balance at t₁, which generalized-alpha does not."""

    leaf: object

    balance = Balance()

    def __getattr__(self, name):
        return getattr(object.__getattribute__(self, "leaf"), name)

    def ballasted(self, masses):
        return Naive(self.leaf.ballasted(masses))


@pytest.mark.parametrize(("ratio", "until"), [(1e2, 2e-3), (1e4, 1e-3)])
def test_the_free_body_at_the_end_of_a_step_diverges(ratio, until):
    """The negative control of the free body with alphas, which is fine."""
    good = run(glued("linear", large(ratio, rho=0.8)), H, 0.01)
    assert good.errors()[1] < 0.2
    fe = large(ratio, fe=Naive(chain(0.8)))
    with np.errstate(all="ignore"):
        bad = run(glued("linear", fe), H, 0.01)
    assert isinstance(bad, float) or bad.errors()[1] > 1e3
