"""Solvers by name: every setting is told, every wrong one is refused with advice."""

from __future__ import annotations

import math

import pytest

from bondline.errors import SettingError
from bondline.gluing import (
    IQNILS,
    SOLVERS,
    Anderson,
    Iterated,
    Lagged,
    Newton,
    Stop,
    choose_solver,
)


def refused(*args, **settings):
    with pytest.raises(SettingError) as caught:
        choose_solver(*args, **settings)
    return caught.value


@pytest.mark.parametrize("name", SOLVERS)
def test_settings_make_the_same_solver_again(name):
    solver = choose_solver(name, tolerance=1e-9)
    told = solver.settings()
    kind = told.pop("kind")
    assert told["tolerance"] == solver.tolerance == 1e-9
    assert choose_solver(kind, **told) == solver


def test_words_become_solvers():
    assert choose_solver() == Newton()
    assert choose_solver("newton", update="none") == Newton(update="none")
    assert choose_solver("broyden", refresh="never") == Newton(refresh="never")
    assert choose_solver("bfgs").update == "bfgs"
    assert choose_solver("iqn-ils", windows=5) == Iterated(IQNILS(windows=5))
    assert choose_solver("anderson", depth=2, patience=4) == Iterated(
        Anderson(depth=2), Stop(patience=4)
    )
    assert isinstance(choose_solver("bfgs", refresh="lagged"), Lagged)


def test_an_unknown_solver_gets_the_nearest():
    error = refused("iqnils")
    assert error.place == "solver"
    assert "no solver 'iqnils'" in error.finding
    assert "'iqn-ils'" in error.remedy
    assert all(name in error.remedy for name in SOLVERS)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_setting_that_a_solver_does_not_have_is_refused(name):
    error = refused(name, tolerence=1e-9)
    assert error.place == f"solver {name}"
    assert "no setting 'tolerence'" in error.finding
    assert "'tolerance'" in error.remedy
    assert "max_iterations" in error.remedy


def test_a_solver_named_after_its_update_has_no_other():
    error = refused("bfgs", update="broyden")
    assert error.place == "solver bfgs"
    assert "its update is bfgs, not broyden" in error.finding
    assert "solver 'newton'" in error.remedy


@pytest.mark.parametrize(
    ("name", "key", "value", "finding", "remedy"),
    [
        ("relaxation", "factor", 0.0, "0 is not above 0 and at most 2", "0.7"),
        ("relaxation", "factor", math.nan, "nan is not above", "0.7"),
        ("anderson", "mixing", 3.0, "3 is not above 0 and at most 2", "1, or less"),
        ("anderson", "depth", 0, "0 is less than 1", "5"),
        ("iqn-ils", "windows", -1, "-1 is less than 0", "3"),
        ("iqn-ils", "columns", 0, "0 is less than 1", "100"),
        ("iqn-ils", "filter", 0.9, "0.9 is not above 0 and at most 0.5", "1e-6"),
        ("iqn-ils", "relaxation", 1.5, "1.5 is not above", "0.1"),
        ("aitken", "scale", 0.0, "0 takes no correction", "Leave it out"),
        ("diagonal-secant", "scale", math.inf, "inf takes no", "Leave it out"),
    ],
)
def test_settings_out_of_range_are_refused(name, key, value, finding, remedy):
    error = refused(name, **{key: value})
    assert error.place == key
    assert finding in error.finding
    assert remedy in error.remedy


@pytest.mark.parametrize("solver", ["newton", "iqn-ils", "aitken"])
@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("tolerance", 0.0), ("tolerance", float("nan")), ("tolerance", "x")),
        *(("force_tolerance", float("inf")), ("max_iterations", 0)),
        *(("max_iterations", 2.5), ("patience", 0)),
    ],
)
def test_nobody_iterates_to_nonsense(solver, key, value):
    with pytest.raises(SettingError) as caught:
        choose_solver(solver, **{key: value})
    assert caught.value.place == key
    assert "Take a" in caught.value.remedy
