"""Matrices that no method can use are the model's, and the words say whose and why."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Port, Window
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.leaves import Structure
from bondline.numerics import LinearSystem


def two(name, m=1.0, k=1.0, steps=1, rest=None):
    """Two masses, a spring between them, ports at both ends."""
    M, K = np.diag([m, m]), k * np.array([[1.0, -1.0], [-1.0, 1.0]])
    if rest is not None:
        M = np.diag([m, rest])
    ports = {p: Port(p, ("x",)) for p in ("left", "right")}
    system = LinearSystem(M, np.zeros((2, 2)), K)
    return Structure(name, system, {"left": [0], "right": [1]}, ports, steps=steps)


def test_a_step_without_a_factor_names_the_part():
    part = two("soft", k=-1e6)
    with pytest.raises(SettingError) as error:
        part.advance(part.start(0.0).state, Window(0.0, 0.1), {})
    assert error.value.place == "soft: steps of 0.1 s"
    assert "M + γhC + βh²K is not positive definite" in error.value.finding
    assert not error.value.finding.endswith("..")
    assert "thickness" in error.value.remedy
    assert "units" in error.value.remedy


@pytest.mark.parametrize("m", [-1.0, 0.0])
def test_a_start_without_mass_names_the_part(m):
    with pytest.raises(SettingError) as error:
        two("light", rest=m).start(0.0)
    assert error.value.place == "light: mass"
    assert error.value.finding.startswith("M is not positive definite")
    assert "density" in error.value.remedy


def test_accelerations_that_overflow_name_the_joint():
    parts = [two("a"), two("b", m=1e-310)]
    model = glue("g", parts, {"j": ("a.right", "b.left")})
    with np.errstate(all="ignore"), pytest.raises(SettingError) as error:
        model.start(0.0)
    assert error.value.place == "joint j, start"
    assert "accelerations of a.right or b.left along" in error.value.finding
    assert "not a finite number" in error.value.finding
    assert "thickness, density, units" in error.value.remedy


@pytest.mark.parametrize("steps", [0, -1, 1.5])
def test_windows_have_steps(steps):
    with pytest.raises(SettingError) as error:
        two("s", steps=steps)
    assert error.value.place == "s: steps"
    assert error.value.finding == f"{steps} steps a window lead nowhere."
    assert "one Newmark step a window" in error.value.remedy


def test_a_part_that_has_steps_inside_is_told_to_take_one():
    parts = [two("a"), two("b", k=1e9, steps=4)]
    model = glue("g", parts, {"j": ("a.right", "b.left")}, coupling="T-T")
    with pytest.raises(SettingError) as error:
        model.guard(model.start(0.0).state, Window(0.0, 0.01))
    assert error.value.place.startswith("g: scheme mixed/a,v,u")
    assert "part b (j.Fx)" in error.value.finding
    assert "one Newmark step a window in that part, too" in error.value.remedy
    assert "several in all" in error.value.remedy
