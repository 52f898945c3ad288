"""Errors, orders and cost of every scheme on the mass-spring example."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bondline.gluing import scheme
from bondline.gluing.couplings.tt import TT
from bondline.gluing.glue import glue
from bondline.gluing.solvers.newton import Newton
from bondline.leaves.large_mass import Weights
from tests.cases.large_mass_chain.all_at_once import run_whole
from tests.cases.large_mass_chain.chain import (
    HERE,
    JOINTS,
    chain,
    glued,
    gluing,
    large,
    masses,
    reference,
    run,
)

WAYS = {
    "whole": run_whole,
    "hold": lambda h: run(glued("hold"), h),
    "linear": lambda h: run(glued("linear"), h),
    "iterated": lambda h: run(glued("newton"), h),
    "T-T": lambda h: run(gluing(), h),
}
TABLE = {  # largest error of positions in m and of forces in N, by step
    "whole": {1e-3: (9.2e-5, 8.4), 5e-4: (2.3e-5, 2.4), 1e-4: (9.3e-7, 0.091)},
    "hold": {1e-3: (1.7e-3, 136.0), 5e-4: (8.1e-4, 57.0), 1e-4: (1.6e-4, 10.4)},
    "linear": {1e-3: (7.3e-5, 8.5), 5e-4: (2.0e-5, 2.6), 1e-4: (8.3e-7, 0.116)},
    "iterated": {1e-3: (2.5e-5, 7.6), 5e-4: (5.1e-6, 2.1), 1e-4: (1.8e-7, 0.078)},
    "T-T": {1e-3: (2.5e-5, 7.6), 5e-4: (5.1e-6, 2.1), 1e-4: (1.8e-7, 0.078)},
}
ORDER = {"whole": 2, "hold": 1, "linear": 2, "iterated": 2, "T-T": 2}


def test_the_reference_is_that_of_the_parameters():
    """Numbers kept beside the table, to all its digits."""
    kept = json.loads((HERE / "reference.json").read_text(encoding="utf-8"))["ref"]
    rows = {round(row[0], 3): row[1:] for row in reference()}
    for key, found in kept.items():
        row = rows[float(key.removeprefix("t="))]
        assert row[:2] == pytest.approx(found["q"], rel=1e-9)
        assert row[2:] == pytest.approx(found["f_on_MBD"], rel=1e-8)


@pytest.mark.quick(2)
@pytest.mark.parametrize("way", WAYS)
def test_errors_and_orders_are_those_of_the_table(way):
    errors = {h: WAYS[way](h).errors() for h in (1e-3, 5e-4)}
    for h, found in errors.items():
        assert found == pytest.approx(TABLE[way][h], rel=0.15)
    q = [e[0] for e in errors.values()]
    # coarse steps: the second order is seen from above
    assert ORDER[way] - 0.15 < np.log2(q[0] / q[1]) < ORDER[way] + 0.4


@pytest.mark.full
@pytest.mark.parametrize("way", WAYS)
def test_errors_and_orders_of_short_steps(way):
    errors = [WAYS[way](h).errors()[0] for h in (2e-4, 1e-4)]
    assert errors[1] < 1.5 * TABLE[way][1e-4][0]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(ORDER[way], abs=0.1)


def test_iterated_large_mass_is_t_t_coupling():
    """The same φ, the same force over the window: the same solution."""
    one, other = run(glued("linear/f"), 1e-3, 0.2), run(gluing(), 1e-3, 0.2)
    off = np.abs(one.rows - other.rows).max(axis=0)
    assert off[1:3].max() < 1e-11
    assert off[3:].max() < 2e-6


def test_newmark_is_t_t_coupling_of_mixed_parts():
    """T = h/6 makes φ the condition of mixed/a,v,u, and newmark/f its force."""
    sixth = large(weights=Weights(1.0 / 6.0), following=1e-10)
    one = run(glued("newmark/f", sixth), 1e-3, 0.2)
    mixed = TT(scheme("mixed/a,v,u"))
    parts = [*masses(), chain()]
    model = glue("tt", parts, JOINTS, coupling=mixed, solver=Newton(tolerance=1e-13))
    off = np.abs(one.rows - run(model, 1e-3, 0.2).rows).max(axis=0)
    assert off[1:3].max() < 1e-11
    assert off[3:].max() < 2e-6


@pytest.mark.parametrize("h", [1e-3, 5e-4])
def test_one_pass_costs_hardly_more_corrections_than_all_at_once(h):
    glued_up, whole = run(glued("linear"), h, 0.2), run_whole(h, 0.2)
    assert glued_up.corrections.sum() <= 1.3 * whole.corrections.sum()


def test_gravity_on_the_large_mass_is_not_felt():
    """A chain that falls freely needs no force at its ends, whatever M_L."""
    for ratio in (1e2, 1e6):
        start = large(ratio).start(0.0)
        fallen = large(ratio).press(
            start.state, 0.0, {p: np.array([-9.81]) for p in ("left", "right")}
        )
        assert np.abs(fallen.state.f_i).max() < 1e-6
