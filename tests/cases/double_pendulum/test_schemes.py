"""Errors and orders of every scheme, against the all-at-once model."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bondline.core import Window
from bondline.gluing import SCHEMES, Newton
from tests.cases.double_pendulum.all_at_once import Pendulum
from tests.cases.double_pendulum.glued import EVERY_WINDOW, errors, glue, run

# x2, v2, F in mid-window, F at the end of a window; h = 0.01, 300 windows
MEASURED = {
    "constant/e": (6.4e-6, 8.8e-3, 7.7, 98.0),
    "linear/deadbeat": (8.1e-5, 8.8e-4, 4.0, 9.5),
    "linear-discontinuous/e,v": (2.3e-6, 2.0e-5, 4.3, 8.4),
    "quadratic-discontinuous/e,v,a": (2.8e-7, 1.5e-6, 0.24, 2.4e-4),
}
ORDERS = {
    "constant/e": (4, 2),
    "linear/deadbeat": (4, 4),
    "linear-discontinuous/e,v": (4, 4),
    "quadratic-discontinuous/e,v,a": (5, 5),
}


@cache
def reference():
    """Every half window, so that mid-window forces can be compared."""
    signals = Pendulum().solve(0.005 * np.arange(601))
    return {k: v[2::2] for k, v in signals.items()}, force(signals)[1::2]


def force(signals):
    return np.stack([signals["joint.A.Fx"], signals["joint.A.Fy"]], axis=1)


def test_every_scheme_for_parts_with_inner_steps_is_in_the_table():
    assert set(MEASURED) == {n for n, s in SCHEMES.items() if not s.one_step}


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", MEASURED)
def test_errors_are_those_of_the_scheme(name):
    record = run(glue(name=name))
    ends, middle = reference()
    powers = np.arange(record.forces.shape[1])
    at_middle = np.einsum("nkj,k->nj", record.forces, 0.5**powers)
    found = (
        *errors(record, ends),
        np.abs(at_middle - middle).max(),
        np.abs(record.forces.sum(axis=1) - force(ends)).max(),
    )
    assert np.all(np.array(found) < 1.5 * np.array(MEASURED[name])), found


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", ORDERS)
def test_fitted_orders_are_those_of_the_scheme(name):
    h = np.array([0.02, 0.01, 0.005])
    tight = Newton(tolerance=1e-13, force_tolerance=1e-9)
    found = []
    for step in h:
        record = run(glue(name=name, solver=tight), step, round(1.0 / step))
        found.append(errors(record, Pendulum().solve(record.t)))
    orders = np.polyfit(np.log(h), np.log(found), 1)[0]
    assert orders == pytest.approx(ORDERS[name], abs=0.15)


def test_a_start_under_load_costs_no_order():
    """The joint carries 28 N at t = 0; a continuous force must begin there."""
    p = Pendulum(start=(1.0, -0.5), g=9.81, torque=0.0)
    tight = Newton(tolerance=1e-13, force_tolerance=1e-9)
    found = []
    for step in (0.01, 0.005):
        record = run(glue(p, "linear/deadbeat", tight), step, round(0.5 / step))
        found.append(errors(record, p.solve(record.t)))
    orders = np.log2(np.array(found[0]) / found[1])
    assert np.all(orders > 3.7), orders


@pytest.mark.full
def test_constant_force_does_no_interface_work():
    record = run(glue(name="constant/e"), windows=3000)
    assert record.defect.max() < 1e-5  # J, of 363 J


@pytest.mark.parametrize("deg", [0, 67.5])
def test_the_first_gluing_matrix_is_the_one_worked_out_by_hand(deg):
    """Λ = (G1 + G2)⁻¹ of a pinned and a free bar over h, wang2003 (47)."""
    p, h = Pendulum(start=(0.0, np.radians(deg))), 0.01
    c, s = np.cos(p.start[1]), np.sin(p.start[1])
    n = np.array([c, s])  # the direction in which the lower bar turns at A
    G1 = h**2 / 2 * np.diag([3 / p.m1, 0.0])
    G2 = h**2 / 2 / p.m2 * (np.eye(2) + 3 * np.outer(n, n))
    model = glue(p, solver=EVERY_WINDOW)
    state = model.advance(model.start(0.0).state, Window(0.0, h), {}).state
    assert state.memory.matrix == pytest.approx(
        np.linalg.inv(G1 + G2), rel=2e-3, abs=100
    )
