"""Solvers of other people over compiled systems."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError
from bondline.numerics import Cvode, Radau
from tests.steps.running import exact, history
from tests.steps.systems import duffing

THERE = find_spec("sksundae") is not None
sundials = pytest.mark.skipif(not THERE, reason="needs the extra sundials")


@pytest.mark.parametrize("method", [Radau, pytest.param(Cvode, marks=sundials)])
def test_they_meet_the_reference_window_by_window(method):
    system, y0 = duffing(), [1.0, 0.0]
    states, counts = history(method(1e-8, 1e-10), system, y0, [1.0, 2.5, 5.0])
    assert_allclose(states[-1], exact(system, y0, 5.0), atol=2e-6)
    assert counts.full > counts.steps > 10


@pytest.mark.skipif(THERE, reason="scikit-sundae is installed")
def test_without_sundials_the_error_says_what_to_install():
    with pytest.raises(SettingError, match=r"pip install 'bondline\[sundials\]'"):
        Cvode(1e-8, 1e-10).begin(duffing(), 0.0, np.array([1.0, 0.0]))
