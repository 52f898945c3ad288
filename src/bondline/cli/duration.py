"""Durations on the command line: `3s`, `10ms`, `0.01`."""

from __future__ import annotations

import math
import re

from bondline.errors import UsageError

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")


def seconds(flag: str, text: str) -> float:
    """The duration in seconds; a number without a unit is seconds.

    >>> seconds("--until", "3s"), seconds("--step", "0.01")
    (3.0, 0.01)
    """
    from bondline.description.units import UnitTrouble, to_si

    found = _NUMBER.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{flag} {text}",
            f"{text!r} is not a duration.",
            "Write for example 3s, 10ms or 0.01.",
        )
    value = to_si(float(found[1]), found[2] or None, "s")
    if isinstance(value, UnitTrouble):
        raise UsageError(f"{flag} {text}", value.finding, value.remedy)
    if not (math.isfinite(value) and value > 0.0):
        raise UsageError(
            f"{flag} {text}", "it must be a positive duration.", "Give 3s or 10ms."
        )
    return value


def show(value: float) -> str:
    """A duration for people.

    >>> show(0.01), show(3.0), show(5e-4)
    ('10 ms', '3 s', '0.5 ms')
    """
    return f"{1e3 * value:.6g} ms" if value < 0.1 else f"{value:.6g} s"
