"""Leaves, and which of them tell what they cost: a partner may keep that to itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any, NamedTuple


class Leaves(NamedTuple):
    """How many there are, as far as is known, and how many tell no counts."""

    number: int
    silent: int = 0


def leaf_names(model: Any, path: str = "") -> Iterator[tuple[str, bool]]:
    """Every model that has no models inside, as seen from here; whether it is away."""
    for name, part in getattr(model, "parts", {}).items():
        if getattr(part, "parts", {}):
            yield from leaf_names(part, f"{path}{name}.")
        else:
            yield f"{path}{name}", bool(getattr(part, "foreign", False))


def counted(names: Mapping[str, bool], counting: Set[str]) -> Leaves:
    """Of those leaves, when these parts told their solves.

    A partner's assembly that tells the solves of its own leaves is that many.

    >>> counted({"rail": False, "axle": True}, {"axle", "axle.left", "axle.right"})
    Leaves(number=3, silent=0)
    >>> counted({"rail": False, "axle": True}, {"rail"})
    Leaves(number=2, silent=1)
    """
    number = silent = 0
    for name, away in names.items():
        inside = [x for x in counting if x.startswith(f"{name}.")]
        last = [x for x in inside if not any(y.startswith(f"{x}.") for y in inside)]
        number += max(1, len(last))
        silent += away and not inside and name not in counting
    return Leaves(number, silent)
