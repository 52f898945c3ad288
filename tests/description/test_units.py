"""Units: what comes in with one goes on in SI."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bondline.description.units import UnitTrouble, factors, to_si


@pytest.mark.parametrize(
    ("number", "unit", "expected", "si"),
    [
        (250.0, "mm", "m", 0.25),
        (180.0, "deg", "rad", 3.141592653589793),
        (2.0, "kN.m", "N*m", 2000.0),
        (36.0, "km/h", "m/s", 10.0),
        (1.0, "N/mm", "N/m", 1000.0),
        (9.81, "m/s^2", "m/s**2", 9.81),
        (2.0, "1/s", "Hz", 2.0),
        (50.0, "%", "1", 0.5),
        (1.0, "W/(m.K)", "W/m/K", 1.0),
        (3.0, "t", "kg", 3000.0),
        (3.0, None, "kg", 3.0),
    ],
)
def test_a_number_is_converted(
    number: float, unit: str | None, expected: str, si: float
) -> None:
    assert to_si(number, unit, expected) == pytest.approx(si, rel=1e-14)


@given(number=st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_in_the_expected_unit_keeps_its_bits(number: float) -> None:
    assert to_si(number, "N.m", "N*m") == number


def test_another_dimension_is_told() -> None:
    trouble = to_si(1.0, "deg", "kg")
    assert isinstance(trouble, UnitTrouble)
    assert trouble.known
    assert "'deg' measures a pure number, but 'kg' is expected" in trouble.finding


@pytest.mark.parametrize(
    "unit", ["", "9**9**9**9", "kg+m", "__import__('os')", "m" * 100, "furlongz", "2"]
)
def test_what_is_not_a_unit_is_told_at_once(unit: str) -> None:
    trouble = to_si(1.0, unit, "kg")
    assert isinstance(trouble, UnitTrouble)
    assert not trouble.known
    assert "is not known" in trouble.finding


@given(st.text(max_size=80))
def test_any_text_is_a_unit_or_not(text: str) -> None:
    powers = factors(text)
    assert powers is None or all(isinstance(p, int) for p in powers.values())
    assert isinstance(to_si(1.0, text, "kg"), float | UnitTrouble)
