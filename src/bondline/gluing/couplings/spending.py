"""What parts spend inside a window, over all sweeps and probes of it."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, TypeAlias

from bondline.core import Advance

Spent: TypeAlias = MutableMapping[str, float]
"""By `part.corrections`, or deeper: those of one interface problem so far."""

_PAID = "corrections"


def paid(name: str) -> bool:
    """Whether a statistic counts what an advance costs, kept or not.

    >>> paid("arm.corrections"), paid("arm.residual")
    (True, False)
    """
    return name.rpartition(".")[2] == _PAID


def spend(spent: Spent, part: str, done: Advance[Any]) -> None:
    """Add what one more advance of a part has cost."""
    for name, number in done.stats.items():
        if paid(name):
            key = f"{part}.{name}"
            spent[key] = spent.get(key, 0.0) + number
