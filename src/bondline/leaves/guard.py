"""Numbers that run away are a rejection, not a crash."""

from __future__ import annotations

from collections.abc import Callable

from bondline.core import Advance, Rejected, Vector, Window


def guarded(
    name: str, window: Window, work: Callable[[], Advance[Vector]]
) -> Advance[Vector] | Rejected:
    """What `work` gives; a rejection where its arithmetic overflows or gives up."""
    try:
        return work()
    except (ArithmeticError, ValueError) as error:
        return Rejected(name, f"its equations gave up: {error}", window.at(0.5))
