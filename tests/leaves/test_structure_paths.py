"""Several Newmark steps a window along a motion that is told."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Effort, Rejected, Signal, Window, uniform
from bondline.errors import NonFinite
from bondline.leaves import chain

SOFT = {"masses": 4, "stiffness": 500.0, "damping": 3.0, "wall": 80.0, "force": 7.0}
STEPS = [2, 4, 10]


def quintic(x, h):
    """The path with these x, v, a at both ends of a window: columns are t₀ and t₁."""
    rows = np.zeros((6, 6))
    k = np.arange(6)
    for row, s in ((0, 0.0), (3, 1.0)):
        rows[row] = s**k
        rows[row + 1] = k * s ** np.maximum(k - 1, 0) / h
        rows[row + 2] = k * (k - 1) * s ** np.maximum(k - 2, 0) / h**2
    return Signal(np.linalg.solve(rows, np.concatenate(x))[:, None])


def shake(t, omega=3.0, size=0.1):
    c, s = np.cos(omega * t), np.sin(omega * t)
    return size * np.array([1.0 - c, omega * s, omega**2 * c])


@pytest.mark.parametrize("steps", STEPS)
def test_a_led_port_arrives_as_it_was_told_and_its_effort_is_what_is_missing(steps):
    part = chain("c", ("left",), **SOFT, steps=steps)
    state, w = np.random.default_rng(3).normal(size=12), Window(0.3, 0.35)
    told = Signal(np.random.default_rng(4).normal(size=(6, 1)))
    done = part.advance(state, w, {"left": told})
    k, c = np.arange(6), told.coefficients[:, 0]
    shown = done.outputs["left"]
    assert isinstance(shown, Effort)
    assert shown.at.x == pytest.approx([c.sum()], rel=1e-12)
    assert shown.at.v == pytest.approx([k @ c / w.h], rel=1e-12)
    assert shown.at.a == pytest.approx([k * (k - 1) @ c / w.h**2], rel=1e-12)
    (M, C, K), (u, v, a) = part.system, done.state.reshape(3, -1)
    missing = M @ a + C @ v + K @ u - part.external(w.t1)
    assert missing[0] == pytest.approx(shown.f[0], rel=1e-9)
    assert np.abs(missing[1:]).max() < 1e-9 * np.abs(missing[0])


def driven(steps, h, windows, masses=2):
    """Effort at every window's end while the left end is shaken; no damping."""
    part = chain("c", ("left",), masses=masses, mass=1.0, stiffness=50.0, steps=steps)
    now = part.press(np.zeros(3 * masses), 0.0, {"left": shake(0.0)[2:]})
    found = []
    for n in range(windows):
        w = uniform(0.0, h, n)
        path = quintic((shake(w.t0), shake(w.t1)), h)
        now = part.advance(now.state, w, {"left": path})
        found.append(now.outputs["left"].f[0])
    return np.array(found)


def effort(t):
    """Of a mass of 1 kg and a second one behind 50 N/m, exactly."""
    w, p, size = 3.0, np.sqrt(50.0), 0.1
    # y'' + p² y = p² x with x = size (1 − cos wt), y(0) = y'(0) = 0
    q = p**2 / (p**2 - w**2)
    y = size * (1.0 - np.cos(p * t)) - size * q * (np.cos(w * t) - np.cos(p * t))
    x, _, a = shake(t)
    return a + 50.0 * (x - y)


@pytest.mark.parametrize("steps", STEPS)
def test_efforts_along_a_path_have_order_2_and_do_not_ring(steps):
    errors = []
    for windows in (200, 400):
        h = 10.0 / windows
        t = h * np.arange(1, windows + 1)
        errors.append(np.abs(driven(steps, h, windows) - effort(t)).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.full
@pytest.mark.parametrize("steps", STEPS)
def test_three_thousand_windows_along_a_path_stay_bounded(steps):
    assert np.abs(driven(steps, 0.1, 3000)).max() < 40.0


@pytest.mark.parametrize("steps", STEPS)
def test_a_led_port_that_is_told_nothing_comes_to_rest_where_it_is(steps):
    part = chain("c", ("left",), **SOFT, steps=steps)
    state = np.random.default_rng(3).normal(size=12)
    at = part.advance(state, Window(0.0, 0.1), {}).outputs["left"].at
    assert at.x == pytest.approx(state[[0]], abs=1e-15)
    assert at.v.tolist() == [0.0]
    assert at.a.tolist() == [0.0]


@pytest.mark.parametrize("ask", ["advance", "respond"])
def test_a_motion_that_is_no_number_is_rejected_at_the_port(ask):
    part = chain("c", ("left",), **SOFT)
    told = {"left": Signal.hold(np.array([np.nan]))}
    no = getattr(part, ask)(part.start(0.0).state, Window(0.0, 0.1), told)
    assert isinstance(no, Rejected)
    assert (no.model, no.until) == ("c", 0.05)
    assert isinstance(no.error, NonFinite)
    assert no.error.place == "c, window to t = 0.1 s"
    assert "port left shows a number that is not finite" in no.error.finding
    assert "--step" in no.error.remedy
