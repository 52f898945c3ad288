"""Parameters as a leaf declares them, and as they are set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Protocol

from bondline.core import Parameter
from bondline.errors import SettingError, did_you_mean


class Declaring(Protocol):
    """A leaf with a field for each parameter that its class declares."""

    @property
    def name(self) -> str:
        """Of the leaf."""
        ...

    @property
    def declared(self) -> Mapping[str, Parameter]:
        """By the class, with default values."""
        ...


def declare(*parameters: Parameter) -> dict[str, Parameter]:
    """Parameters by name."""
    return {p.name: p for p in parameters}


def of_fields(leaf: Declaring) -> dict[str, Parameter]:
    """What a leaf declares, with the values of its fields."""
    values = {name: getattr(leaf, name) for name in leaf.declared}
    return as_set(leaf.name, leaf.declared, values)


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
            place,
            f"it is {value:g}.",
            f"Give a number greater than zero ({p.meaning}).",
        )
    return float(value)
