"""Units at the edge: numbers come in with a unit and travel on in SI."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from bondline.errors import nearest

_TOKEN = re.compile(
    r"\s*(?:([A-Za-zµμΩ°%]+)(?:(?:\^|\*\*)?(-?\d{1,2}))?|(1(?!\d))|([./*()]))"
)
_COMMON = (
    *("kg", "g", "t", "m", "mm", "cm", "km", "s", "ms", "min", "h", "rad", "deg"),
    *(
        "N",
        "kN",
        "Pa",
        "MPa",
        "J",
        "W",
        "Hz",
        "K",
        "N.m",
        "N/m",
        "m/s",
        "m/s2",
        "rad/s",
    ),
)


@dataclass(frozen=True, slots=True)
class UnitTrouble:
    """Why a number cannot be read in a unit."""

    known: bool  # the unit exists, but measures something else
    finding: str
    remedy: str


def to_si(number: float, unit: str | None, expected: str) -> float | UnitTrouble:
    """The number in the SI unit `expected`; without a unit it is taken to be there.

    >>> to_si(12.0, "kg", "kg"), to_si(5.0, None, "N.m"), to_si(250.0, "mm", "m")
    (12.0, 5.0, 0.25)
    """
    if unit is None or factors(unit) == factors(expected) is not None:
        return number
    there = _unit(unit)
    if there is None:
        return _unknown(unit)
    quantity = _registry().Quantity(number, there)
    wanted = _unit(expected)
    if wanted is None or not quantity.is_compatible_with(wanted):
        return _mismatch(unit, expected, quantity)
    return float(quantity.to(wanted).magnitude)


def si_of(number: float, unit: str) -> tuple[float, str] | None:
    """The number and its unit in base units of the SI; None if it is no unit.

    >>> si_of(500.0, "mm")
    (0.5, 'm')
    """
    there = _unit(unit)
    if there is None:
        return None
    quantity = _registry().Quantity(number, there).to_base_units()
    return float(quantity.magnitude), f"{quantity.units:~C}"


def between(source: str, target: str) -> tuple[float, float] | UnitTrouble:
    """Factor and offset that make a number in `source` one in `target`.

    >>> between("m", "mm"), between("N.m", "N*m"), between("K", "degC")
    ((1000.0, 0.0), (1.0, 0.0), (1.0, -273.15))
    """
    if source == target or factors(source) == factors(target) is not None:
        return 1.0, 0.0
    at, one = to_si(0.0, source, target), to_si(1.0, source, target)
    far = to_si(_FAR, source, target)
    if isinstance(at, UnitTrouble):
        return at
    if isinstance(one, UnitTrouble):
        return one
    if isinstance(far, UnitTrouble):
        return far
    return (one if at == 0.0 else (far - at) / _FAR), at


_FAR = 2.0**20  # degrees enough for a slope to the last bit but one


def scale(unit: str) -> float | None:
    """What makes the unit SI; 0 where it takes more than a factor, None: not known.

    >>> scale("N.m/s2"), scale("mm"), scale("degC"), scale("furlogn")
    (1.0, 0.001, 0.0, None)
    """
    powers = factors(unit)
    if powers is None or powers.keys() <= _SI:
        return None if powers is None else 1.0
    there = _unit(unit)
    if there is None:
        return None
    try:
        zero, one = (
            float(_registry().Quantity(x, there).to_base_units().magnitude)
            for x in (0.0, 1.0)
        )
    except Exception:  # degrees Celsius per minute, for example
        return None
    return 0.0 if zero else one


_SI = {*("kg", "m", "s", "A", "K", "mol", "cd", "rad"), *("N", "Pa", "J", "W", "Hz")}


def _unknown(unit: str) -> UnitTrouble:
    close = nearest(unit, _COMMON)
    hint = f"Did you mean {close!r}? " if close else ""
    return UnitTrouble(
        False,
        f"the unit {unit[:40]!r} is not known.",
        f"{hint}Units look like kg, mm, deg, N.m, m/s2.",
    )


def _mismatch(unit: str, expected: str, quantity: Any) -> UnitTrouble:
    return UnitTrouble(
        True,
        f"the unit {unit!r} measures {_measures(quantity)}, but {expected!r} is "
        "expected.",
        f"Give the value in {expected}, or in a unit that converts to it.",
    )


def _measures(quantity: Any) -> str:
    text = str(quantity.dimensionality)
    return "a pure number" if text == "dimensionless" else text.replace(" ** ", "^")


def factors(unit: str) -> dict[str, int] | None:
    """Powers of the unit names, or None if it is not written like a unit.

    FMI's style (N.m, m/s2, W/(m.K)) and ours (N*m, m/s**2) both read. Read here, not
    by pint, whose grammar has numbers and powers of powers in it.

    >>> factors("N.m/s2") == factors("N*m/s**2") == {"N": 1, "m": 1, "s": -2}
    True
    """
    powers: dict[str, int] = {}
    at, sign, group = 0, 1, 1
    text = unit.strip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or len(text) > 60:
            return None
        at = token.end()
        name, power, _, mark = token.groups()
        if name:
            powers[name] = powers.get(name, 0) + sign * group * int(power or 1)
            sign = 1
        elif mark == "/":
            sign = -1
        elif mark == "(":
            group, sign = sign, 1
        elif mark == ")":
            group = 1
    return {n: p for n, p in powers.items() if p} if text else None


def _unit(text: str) -> Any:
    """A pint unit, or None."""
    powers = factors(text)
    if powers is None:
        return None
    registry = _registry()
    try:
        product = registry.Unit("")
        for name, power in powers.items():
            product *= registry.Unit(_PINT.get(name, name)) ** power
    except Exception:  # pint has many ways to say no
        return None
    return product


_PINT = {"%": "percent", "°": "degree"}


@cache
def _registry() -> Any:
    import pint  # slow to import: only who converts pays

    return pint.UnitRegistry(cache_folder=None)
