"""Amounts: settings that are written as on the command line, with a unit or without."""

from __future__ import annotations

import math

from bondline.description.overrides import amount
from bondline.description.units import UnitTrouble, to_si
from bondline.errors import DescriptionError
from bondline.web.told import Changes

_UNITS = {"tolerance": "m", "until": "s", "step": "s"}
_CALLED = {"until": "end"}  # as the page does
_MOST = 1e9


def settled(changes: Changes) -> Changes:
    """The same with plain numbers in SI units; what is no amount is refused."""
    given = {name: getattr(changes, name) for name in _UNITS}
    found = {n: in_si(n, v, _UNITS[n]) for n, v in given.items() if v is not None}
    return changes.model_copy(update=found)


def in_si(name: str, given: float | str, unit: str) -> float:
    """One number above 0, in that unit.

    >>> in_si("until", "50ms", "s"), in_si("tolerance", 1e-9, "m")
    (0.05, 1e-09)
    """
    place = f"{_CALLED.get(name, name)} {given}"
    pair = amount(str(given).strip())
    if pair is None:
        raise _wrong(place, "this is no number, with or without a unit.", unit)
    number = to_si(float(pair[0]), pair[1] or None, unit)
    if isinstance(number, UnitTrouble):
        raise DescriptionError(place, number.finding, number.remedy)
    if not (math.isfinite(number) and 0.0 < number <= _MOST):
        raise _wrong(place, f"it must be above 0 and at most {_MOST:g} {unit}.", unit)
    return number


def _wrong(place: str, finding: str, unit: str) -> DescriptionError:
    return DescriptionError(place, finding, f"Write for example 0.5, or 0.5 m{unit}.")
