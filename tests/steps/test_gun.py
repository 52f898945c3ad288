"""kim2000's gun and turret against the reference, the tables and each other."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.numerics import Multirate, Nordsieck, state_of
from tests.steps.gunnery import (
    NAMES,
    STARTS,
    TIMES,
    deviations,
    muzzle,
    published,
    reference,
)
from tests.steps.running import end, history, near, transition
from tests.steps.systems import DATA, GUN, gun, gun_numbers, library, linear

# max over 1 s at h = 1e-4, PECE; modal units m √kg, muzzle in m
PAPER = {
    ("undeformed", 1): {"th2": 5e-9, "av1": 6.0e-7, "av2": 3.1e-7, "muzzle": 1.4e-8},
    ("undeformed", 2): {"th2": 2.3e-6, "av1": 4.9e-5, "av2": 2.1e-5, "muzzle": 1.1e-5},
    ("undeformed", 5): {"th2": 6.3e-5, "av1": 1.3e-3, "av2": 5.8e-4, "muzzle": 3.1e-4},
    ("undeformed", 10): {"th2": 5.4e-4, "av1": 1e-2, "av2": 4.3e-3, "muzzle": 2.7e-3},
    ("sag", 1): {"th2": 6e-11, "av1": 6.4e-9, "muzzle": 1.3e-10},
    ("sag", 2): {"th2": 6e-9, "av1": 6.2e-7, "muzzle": 1.7e-8},
    ("sag", 5): {"th2": 2.2e-7, "av1": 1.7e-5, "muzzle": 7.1e-7},
    ("sag", 10): {"th2": 2.5e-6, "av1": 1.4e-4, "muzzle": 9.9e-6},
}
HORIZONTAL = {1: 5.5e-11, 2: 1.9e-8, 5: 5.4e-7, 10: 4.8e-6}  # ah1, undeformed
RESIDUAL = {
    5: {"av1": 5.6e-7, "th2": 1.6e-7, "muzzle": 8.6e-7},
    10: {"av1": 5.2e-7, "th2": 4.6e-6, "muzzle": 2.5e-5},
    20: {"av1": 3.8e-6, "th2": 1.3e-4, "muzzle": 7.1e-4},
}


def test_the_model_is_that_of_the_published_reference():
    right = published()
    found = reference("undeformed")[::5]
    q = np.stack([right[name] for name in NAMES], 1)
    assert_allclose(found[:, :6], q, atol=2e-11)
    corner = np.stack([right["mx"], right["my"], right["mz"]], 1)
    assert_allclose(muzzle(found[:, :6]), corner, atol=2e-11)


def test_one_rate_with_short_steps_meets_the_reference():
    right = published()[-1]
    found = end(Nordsieck(1e-5), gun(), STARTS["undeformed"], 1.0)
    assert_allclose(found[:6], [right[name] for name in NAMES], rtol=0, atol=1e-9)


@pytest.mark.quick(4)
@pytest.mark.parametrize(("start", "ratio"), PAPER)
def test_errors_of_the_papers_form(start, ratio):
    method = Multirate(1e-4, ratio, "paper")
    states, _ = history(method, gun(), STARTS[start], TIMES)
    found = deviations(states, start)
    wanted = PAPER[start, ratio]
    if start == "undeformed":
        wanted = {**wanted, "ah1": HORIZONTAL[ratio]}
    for name, table in wanted.items():
        assert table / 1.5 < found[name] < 1.5 * table, (name, found[name], table)


@pytest.mark.parametrize("ratio", RESIDUAL)
def test_errors_of_residual_extrapolation(ratio):
    method = Multirate(1e-4, ratio, "residual")
    every = max(1, ratio // 10)
    states, _ = history(method, gun(), STARTS["undeformed"], TIMES[every - 1 :: every])
    right = reference("undeformed")[::every]
    errors = np.abs(states - right).max(axis=0)
    apart = np.linalg.norm(muzzle(states[:, :6]) - muzzle(right[:, :6]), axis=1).max()
    found = {"th2": errors[1], "av1": errors[2], "muzzle": apart}
    for name, table in RESIDUAL[ratio].items():
        assert found[name] < 1.5 * table, (name, found[name], table)


@pytest.mark.parametrize("ratio", [2, 5, 10])
def test_from_the_sag_residual_extrapolation_is_better_too(ratio):
    errors = {}
    for form in ("paper", "residual"):
        method = Multirate(1e-4, ratio, form)
        errors[form] = deviations(
            history(method, gun(), STARTS["sag"], TIMES)[0], "sag"
        )
    assert errors["residual"]["av1"] < errors["paper"]["av1"] / 50
    assert errors["residual"]["muzzle"] < errors["paper"]["muzzle"]


@pytest.mark.parametrize(
    ("ratio", "fast", "full"),
    [(1, 20007, 20007), (2, 20013, 10017), (5, 20031, 4047), (10, 20061, 2097)],
)
def test_evaluations_of_table_1(ratio, fast, full):
    method = Multirate(1e-4, ratio, "paper")
    _, counts = history(method, gun(), STARTS["undeformed"], [1.0])
    assert (counts.fast, counts.full, counts.steps) == (fast, full, 10000)


def vibration_after(ratio, seconds=3.0):
    """How large modal velocities get in the last tenth, free of torques."""
    method, system = Multirate(1e-4, ratio, "paper"), gun((0.0, 0.0, -33451.0))
    macro = 1e-4 * ratio
    memory = method.begin(system, 0.0, STARTS["undeformed"])
    largest = 0.0
    for k in range(1, round(seconds / macro / 20) + 1):
        try:
            memory = method.advance(system, memory, 20 * k * macro).memory
        except ArithmeticError:
            return np.inf
        if 20 * k * macro > 0.9 * seconds:
            largest = max(largest, np.abs(state_of(system, memory)[8:]).max())
    return largest


def test_ratio_35_is_stable_and_36_is_not():
    assert vibration_after(35) < 50.0
    assert vibration_after(36) > 10.0 * vibration_after(35)


def energy(y):
    call = library().gun_energy
    call.restype, call.argtypes = ctypes.c_double, [ctypes.c_void_p] * 3
    numbers = gun_numbers((0.0, 0.0, 0.0))
    q, u = np.ascontiguousarray(y[:6]), np.ascontiguousarray(y[6:])
    return call(numbers.ctypes.data, q.ctypes.data, u.ctypes.data)


def test_energy_is_that_of_the_reference():
    right = published()
    found = [energy(y) for y in reference("undeformed")[::5]]
    assert_allclose(found, right["energy"], atol=1e-7 * np.abs(right["energy"]).max())


def lost(method, seconds=3.0):
    """Energy (J) lost in free motion by a gun that turns and vibrates, of 30 kJ."""
    y0 = np.array([0, 0, 0.3, 0.02, 0.3, 0, 1.0, 0.3, 0, 0, 0, 0])
    return energy(y0) - energy(end(method, gun((0.0, 0.0, 0.0)), y0, seconds))


def test_the_papers_form_loses_energy_with_the_third_power_of_the_slow_step():
    losses = {r: lost(Multirate(1e-4, r, "paper")) for r in (1, 2, 5, 10)}
    assert abs(losses[1]) < 1e-3
    assert 0.3 < losses[2] < 1.5
    assert 15.0 < losses[5] / losses[2] < 30.0  # 28 by k(r) H³, less as it fades
    assert losses[10] > 2.0 * losses[5]


def test_residual_extrapolation_keeps_energy_better():
    paper, residual = (lost(Multirate(1e-4, 10, f)) for f in ("paper", "residual"))
    assert abs(residual) < paper / 20.0


def plane(which):
    """M and K of one plane about the undeformed state: the joint, then two modes."""
    I0, I1, p = np.array(GUN["I0"]), np.array(GUN["I1"]), GUN["p_x"]
    if which == "elev":
        joint, row = GUN["J_my"] + GUN["J"], -I1
    else:
        joint = GUN["J_yaw"] + p**2 * GUN["m"] + GUN["J"] + 2.0 * p * GUN["S1"]
        row = p * I0 + I1
    M = np.eye(3)
    M[0, 0], M[0, 1:], M[1:, 0] = joint, row, row
    return M, np.diag([0.0, *np.square(GUN["om"])])


MODAL = np.genfromtxt(
    DATA / "gun_linear_modal_errors.csv", delimiter=",", names=True, dtype=None
)


@pytest.mark.quick(6)
@pytest.mark.parametrize("row", MODAL, ids=lambda r: f"{r[0]} {r[1]} {r[2]}")
def test_modal_errors_of_the_linear_gun(row):
    M, K = plane(row["plane"])
    ratio, form = int(row["r"]), "paper" if row["variant"] == "paper" else "residual"
    H = 1e-4 * ratio
    step = transition(Multirate(1e-4, ratio, form), linear(M, K, 1), H)
    values = np.linalg.eigvals(step)
    omega = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)[1:])
    for k, w in enumerate(omega, start=1):
        found = np.log(near(values, np.exp(1j * w * H))) / H
        sigma, shift = row[f"sigma{k}_1s"], row[f"dw{k}_rel"]
        assert_allclose(found.real, sigma, rtol=2e-3, atol=1e-9)
        assert_allclose(found.imag / w - 1.0, shift, rtol=2e-3, atol=1e-11)
