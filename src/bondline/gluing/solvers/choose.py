"""Interface solvers by the words of a model file."""

from __future__ import annotations

from typing import Any, get_args

from bondline.gluing.solvers.lagged import Lagged
from bondline.gluing.solvers.newton import Newton, Refresh, Update

REFRESH: tuple[str, ...] = (*get_args(Refresh), "lagged")
UPDATE: tuple[str, ...] = get_args(Update)


def choose_solver(**settings: Any) -> Newton | Lagged:
    """A `Newton` with the given settings; `refresh="lagged"` wraps it in `Lagged`."""
    if settings.get("refresh") == "lagged":
        return Lagged(Newton(**{**settings, "refresh": "never"}))
    return Newton(**settings)
