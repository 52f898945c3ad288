"""Histories: values and rates, kinks, formulas that are read and never run."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bondline.errors import SettingError
from bondline.leaves.expression import Expression
from bondline.leaves.histories import Constant, Harmonic, Table, at_rest

SMOOTH = [
    Constant(2.5),
    Table((0.0, 1.0, 3.0), (0.0, 2.0, -1.0)),
    Harmonic(0.5, (1.0, -0.3), (0.2, 0.7, 0.1), omega=3.0, t0=0.25),
    Expression("2000 * sin(100 * pi * t)"),
    Expression("t**3 - 2*t**2/(1 + t**2) + exp(-t)*cos(3*t)"),
    Expression("sqrt(1 + t) * log(2 + t) - tan(t/3) + atan(t) * tanh(t)"),
    Expression("(2 + sin(t)) ** (t/2) + abs(-t - 1) + max(t, t*t + 1) + min(t, 9)"),
    Expression("a * t + b", {"a": 3.0, "b": -1.0}),
    Expression("step(t - 0.1) * t**2 + t**0 + 2**3 + t**1.5"),
]


@pytest.mark.parametrize("history", SMOOTH)
@given(t=st.floats(0.3, 0.9))
def test_rates_are_derivatives_of_values(history, t):
    h = 1e-5
    (fm, dm, _), (_, d, dd), (fp, dp, _) = (history.at(t + k * h) for k in (-1, 0, 1))
    scale = 1e-6 * (1.0 + abs(d) + abs(dd))
    assert_allclose((fp - fm) / (2 * h), d, rtol=2e-5, atol=scale)
    assert_allclose((dp - dm) / (2 * h), dd, rtol=2e-5, atol=scale)


def test_a_table_is_flat_outside_and_right_at_its_points():
    table = Table((0.0, 1.0, 1.0, 2.0), (0.0, 1.0, 3.0, 5.0))
    assert table.at(-1.0) == (0.0, 0.0, 0.0)
    assert table.at(5.0) == (5.0, 0.0, 0.0)
    assert table.at(1.0) == (3.0, 2.0, 0.0)  # a jump: the limit from the right
    assert table.at(math.nextafter(1.0, 0.0))[0] == pytest.approx(1.0)
    assert table.kinks == (0.0, 1.0, 2.0)


def test_a_harmonic_rests_before_it_starts():
    wave = Harmonic(0.5, b=(1.0,), omega=2.0, t0=1.0)
    assert wave.at(0.5) == (0.5, 0.0, 0.0)
    assert wave.at(1.0) == (0.5, 2.0, 0.0)
    assert wave.kinks == (1.0,)


@pytest.mark.parametrize(
    ("times", "values", "finding"),
    [
        ((), (), "0 times and 0 values"),
        ((0.0, 1.0), (1.0,), "2 times and 1 values"),
        ((1.0, 0.0), (1.0, 2.0), "time 0 comes after 1"),
        ((0.0, math.nan), (1.0, 2.0), "not finite"),
    ],
)
def test_bad_tables_are_refused(times, values, finding):
    with pytest.raises(SettingError, match=finding) as error:
        Table(times, values)
    assert error.value.place == "table over time"
    assert error.value.remedy.startswith("Give")


@pytest.mark.parametrize(
    ("text", "finding", "remedy"),
    [
        ("2 *", "cannot be read", "formula in t"),
        ("2if t else 1", "cannot be read: invalid decimal literal", "formula in t"),
        ("__import__(0)", "no function '__import__'", "Known: abs"),
        ("t.real", "'t.real' is not part of a formula", "Use numbers, t, pi"),
        ("[t]", "is not part of a formula", "Use numbers"),
        ("t < 1", "is not part of a formula", "Use numbers"),
        ("'a'", "is not part of a formula", "Use numbers"),
        ("sin(t, t)", "sin is given 2 values", "It takes 1"),
        ("max()", "max is given 0 values", "It takes 1 or more"),
        ("sine(t)", "no function 'sine'", "Did you mean 'sin'"),
        ("tt + 1", "'tt' is unknown", "Did you mean 't'"),
        ("1" * 400, "cannot be read", "formula in t"),
        ("(" * 300 + "t" + ")" * 300, "cannot be read", "formula in t"),
        ("t + " * 1000 + "t", "it has 4001 characters", "no more than 2000"),
        ("True", "is not part of a formula", "Use numbers"),
    ],
)
def test_what_is_no_formula_is_refused(text, finding, remedy):
    with pytest.raises(SettingError) as error:
        Expression(text)
    assert error.value.place.startswith(f"expression {text[:20]!r}"[:-1])
    assert finding in error.value.finding
    assert remedy in error.value.remedy


@pytest.mark.parametrize("text", ["1/t", "log(t)", "sqrt(t)", "exp(1000*(t+1))"])
def test_a_formula_without_a_value_says_where(text):
    with pytest.raises(SettingError, match="at t = 0") as error:
        Expression(text).at(0.0)
    assert "finite and smooth" in error.value.remedy


def test_equal_histories_are_one():
    assert len({Table((0.0,), (1.0,)), Table((0.0,), (1.0,))}) == 1
    assert len({Expression("t"), Expression("t"), Expression("2*t")}) == 2


@pytest.mark.parametrize(
    ("history", "value"),
    [
        (Constant(3.0), 3.0),
        (Table((0.0, 1.0, 2.0), (0.0, 5.0, 4.0)), 4.0),
        (Harmonic(b=(2.0,), omega=7.0), 2.0),
        (Harmonic(b=(-2.0,), omega=7.0, t0=0.3), -2.0),
        (Harmonic(a=(3.0,), b=(4.0,), omega=1.0), 5.0),
        (Harmonic(1.0, a=(-3.0,)), 4.0),
        (Harmonic(2.0), 2.0),
        (Harmonic(1.0, a=(2.0,), omega=0.0), 3.0),
    ],
)
def test_statics_takes_the_peak_or_the_end(history, value):
    assert at_rest(history) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("history", [h for h in SMOOTH if isinstance(h, Harmonic)])
def test_nothing_in_a_period_is_farther_from_zero_than_the_peak(history):
    period = 2.0 * math.pi / history.omega
    values = [history.at(history.t0 + period * k / 997)[0] for k in range(997)]
    assert abs(at_rest(history)) >= max(map(abs, values))
    assert abs(at_rest(history)) == pytest.approx(max(map(abs, values)), rel=1e-4)
