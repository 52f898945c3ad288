"""Several steps a window along a told motion: refused where errors would grow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Window, uniform
from bondline.errors import SettingError
from bondline.gluing import Pace
from bondline.gluing.couplings.driven_windows import (
    RESOLVED,
    STEADY,
    modes_above,
    too_quick,
)
from bondline.gluing.couplings.motion_schemes import MOTION_SCHEMES, motion_scheme
from bondline.gluing.couplings.xx import XX
from bondline.numerics.driven_recursion import LedMode
from bondline.run import simulate
from tests.gluing.driven import X, coupled, led, row
from tests.gluing.test_driven_steps import COUPLINGS, finer

RAMP = {n: MOTION_SCHEMES[n].ramp for n in ("newmark/f", "cubic/f")}
SHARES = [0.05, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999]
LONG = 0.25  # s: modes of the row have ωh from 5 to 14


def grown(model, h, windows=150):
    """The largest displacement after so many windows, over that at the start."""
    step, size = model.start(0.0), 1.0
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        u = [p.reshape(3, -1)[0] for p in step.state.parts.values()]
        size = max(float(np.abs(x).max()) for x in u) / 0.1
        if size > 1e6:
            break
    return size


def made(name, steps):
    coupling, sides = COUPLINGS[name]
    parts, ties = finer(sides, steps, 0.0)
    return coupled(coupling, *parts, ties=ties)


@pytest.mark.parametrize("name", ["X-X newmark/f", "X-T newmark/f"])
@pytest.mark.parametrize("steps", [3, 5])
def test_windows_in_which_errors_would_grow_are_refused(name, steps):
    model = made(name, steps)
    assert grown(model, LONG) > 30.0  # what it keeps users from
    with pytest.raises(SettingError) as caught:
        simulate(model, 4 * LONG, LONG)
    assert name[:3] in caught.value.place
    assert "takes several steps a window and has" in caught.value.finding
    assert "steps=1" in caught.value.remedy


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", COUPLINGS)
def test_windows_that_resolve_the_modes_are_taken(name):
    """ωh is at most 1.1 here; a thousand such windows: test_driven_steps.py."""
    model = made(name, 3)
    simulate(model, 0.04, 0.02)
    assert grown(model, 0.02, 400) < 2.0


@pytest.mark.parametrize("name", ["X-X newmark/f", "X-T newmark/f"])
def test_one_step_a_window_is_taken_whatever_the_window(name):
    model = made(name, 1)
    simulate(model, 4 * LONG, LONG)
    assert grown(model, LONG) < 2.0


def test_a_light_interface_between_heavy_masses_is_refused_for_a_line():
    """Its modes are resolved with the interface held, and not when it is free."""
    models = {}
    for scheme in ("cubic/f", "newmark/f"):
        parts = (
            row("a", [1.0, 0.01], [2e3], {"r": (1, X)}, [0.1, 0.0]),
            row("b", [0.01, 1.0], [2e3], {"l": (0, X)}, [0.0, 0.07]),
        )
        free = [
            replace(p, steps=2, system=p.system._replace(C=0.0 * p.system.C))
            for p in parts
        ]
        models[scheme] = coupled(XX(motion_scheme(scheme)), *free)
    line = models["cubic/f"]
    assert not list(too_quick(line.assembly, RESOLVED["X-X", "cubic/f"] / 0.02))
    assert grown(line, 0.02) > 1e3
    with pytest.raises(SettingError, match="so little inertia of its own") as caught:
        simulate(line, 0.08, 0.02)
    assert "newmark/f" in caught.value.remedy
    simulate(line, 0.004, 0.001)
    simulate(models["newmark/f"], 0.08, 0.02)
    assert grown(models["newmark/f"], 0.02) < 2.0


def test_error_control_gets_a_note():
    model = replace(made("X-X newmark/f", 3), pace=Pace(1e-4))
    (note,) = model.guard(model.start(0.0).state, Window(0.0, LONG))
    assert "errors grow" in note
    assert "error control" in note


def test_modes_are_counted_where_somebody_can_say():
    a = made("X-X newmark/f", 3).parts["a"]
    inner = np.sqrt(np.linalg.eigvalsh(a.system.K[:2, :2]))  # unit masses, r is led
    assert modes_above(a, 0.0) == 2
    assert modes_above(a, inner.mean()) == 1
    assert modes_above(a, 1.01 * inner.max()) == 0
    assert modes_above(led("c", 1.0), 1.0) == 0


@pytest.mark.parametrize("steps", [2, 3, 5, 10])
@pytest.mark.parametrize("name", RAMP)
def test_by_the_recursion_nothing_grows_that_is_not_refused(name, steps):
    """Over shares and frequencies; and just beyond the limit of newmark/f it does."""
    p, limit = RAMP[name], RESOLVED["X-X", name]
    for share in SHARES:
        for theta in np.arange(0.05, limit + 1e-9, 0.05):
            mode, half = (LedMode(t, share, steps) for t in (theta, theta / 2))
            steady = mode.slope(p) <= STEADY * half.slope(p)
            if steady or name == "newmark/f":
                assert mode.radius(p) < 1.0 + 1e-9


@pytest.mark.parametrize("steps", [3, 4, 5, 10, 100])
def test_by_the_recursion_unresolved_modes_grow(steps):
    """Two steps a window are stable by themselves, and one is."""
    newmark = RAMP["newmark/f"]
    assert max(LedMode(t, 0.9, steps).radius(newmark) for t in (3.6, 6.0, 9.0)) > 1.5
    for few in (1, 2):
        for theta in (0.1, 1.0, 3.0, 10.0, 1e3):
            assert LedMode(theta, 0.9, few).radius(newmark) < 1.0 + 1e-9


def test_by_the_recursion_a_parabola_would_be_stable():
    """The mean acceleration inside the window, and a₁ at its end: a way to mend it.

    As a path it is p = 1/2 for what is behind the interface; (3) keeps a₁.
    """
    for steps in (1, 2, 3, 5, 10):
        for theta in (0.5, 3.6, 9.0, 30.0):
            assert LedMode(theta, 0.9, steps).radius((0.5,)) < 1.0 + 1e-9
