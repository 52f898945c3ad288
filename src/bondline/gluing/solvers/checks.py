"""Settings of solvers that can be out of range."""

from __future__ import annotations

from math import isfinite

from bondline.errors import SettingError


def between(key: str, value: float, low: float, high: float, usual: str) -> None:
    """Refuse a value outside low < value ≤ high."""
    if not low < value <= high:
        raise SettingError(
            key,
            f"{value:g} is not above {low:g} and at most {high:g}.",
            f"Take {usual}.",
        )


def at_least(key: str, value: int, least: int, usual: str) -> None:
    """Refuse a count below `least`."""
    if value < least:
        raise SettingError(key, f"{value} is less than {least}.", f"Take {usual}.")


def stops(solver: object) -> None:
    """Refuse tolerances and counts that no iteration could meet, or all would."""
    for key in ("tolerance", "force_tolerance"):
        value = getattr(solver, key)
        if value is None and key == "force_tolerance":
            continue  # it follows the tolerance
        number = isinstance(value, int | float) and isfinite(value)
        if not number or not value > 0.0:
            raise SettingError(
                key, f"it is {value!r}.", "Take a positive number, for example 1e-10."
            )
    for key in ("max_iterations", "patience"):
        count = getattr(solver, key)
        if not isinstance(count, int) or count < 1:
            raise SettingError(
                key, f"it is {count!r}.", "Take a whole number, 1 or more."
            )


def usable(key: str, value: float | None) -> None:
    """Refuse a scale that goes nowhere, or nowhere in particular."""
    if value is not None and not 0.0 < abs(value) < float("inf"):
        raise SettingError(
            key,
            f"{value:g} takes no correction anywhere.",
            "Leave it out: a probe finds it; or take 1 where unknown and residual "
            "are of one kind.",
        )
