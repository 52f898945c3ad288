"""What commands about frequencies share: `200Hz`, `50rad/s`, and the model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.given import pairs
from bondline.cli.reach import reached
from bondline.cli.voice import Voice
from bondline.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from bondline.gluing import IntegratedModel

Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="LEAF.PARAM=VALUE", help="one.wall=500N/m; repeatable."
    ),
]

_NUMBER = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(\S*)\s*")
_UNITS = {"": 2.0 * math.pi, "Hz": 2.0 * math.pi, "kHz": 2e3 * math.pi, "rad/s": 1.0}


def radians(flag: str, text: str) -> float:
    """The frequency in rad/s; a number without a unit is in Hz.

    >>> radians("--below", "3rad/s"), round(radians("--below", "1"), 4)
    (3.0, 6.2832)
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise UsageError(
            f"{flag} {text}",
            f"{text!r} is not a frequency.",
            "Write for example 200Hz, 1.2kHz or 50rad/s.",
        )
    if found[2] not in _UNITS:
        known = [unit for unit in _UNITS if unit]
        raise UsageError(
            f"{flag} {text}", f"no unit {found[2]!r}.", did_you_mean(found[2], known)
        )
    return float(found[1]) * _UNITS[found[2]]


@contextmanager
def opened(
    voice: Voice, model: Path, sets: list[str] | None, placement: Path | None
) -> Iterator[IntegratedModel]:
    """The model of a file, with what was given by `--set`, for frequencies."""
    from bondline.build import Given

    with reached(voice, model, Given(pairs(sets or [])), placement) as found:
        found.require_harmonic()
        yield found.opened.model
