"""Parameters as a leaf declares them, and as they are set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from bondline.core import Parameter
from bondline.errors import SettingError, did_you_mean


def as_set(
    leaf: str, declared: Mapping[str, Parameter], values: Mapping[str, object]
) -> dict[str, Parameter]:
    """The declared parameters with these values; `SettingError` for nonsense."""
    unknown = [name for name in values if name not in declared]
    if unknown:
        raise SettingError(
            f"{leaf}.{unknown[0]}",
            "there is no such parameter.",
            did_you_mean(unknown[0], declared),
        )
    return {
        name: replace(p, value=_number(f"{leaf}.{name}", p, values.get(name, p.value)))
        for name, p in declared.items()
    }


def _number(place: str, p: Parameter, value: object) -> float:
    if not isinstance(value, int | float) or not isfinite(value):
        raise SettingError(
            place, f"{value!r} is not a finite number.", f"Give a number in {p.unit}."
        )
    if p.positive and not value > 0:
        raise SettingError(
            place, f"it is {value:g}.", f"The {p.meaning} must be greater than zero."
        )
    return float(value)
