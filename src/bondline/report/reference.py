"""A solution from elsewhere, as something a run can be compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bondline.core import Vector
from bondline.errors import UsageError, did_you_mean
from bondline.run.compare import interpolate
from bondline.run.results import Results


def reference(
    columns: Mapping[str, ArrayLike],
    units: Mapping[str, str] | None = None,
    name: str = "reference",
) -> Results:
    """Columns of numbers, one of them `t`, as `Results` without windows."""
    arrays = {key: np.asarray(c, dtype=np.float64) for key, c in columns.items()}
    if "t" not in arrays:
        raise UsageError(name, "there is no column 't'.", did_you_mean("t", arrays))
    t = arrays.pop("t")
    _check_time(name, t)
    for key, values in arrays.items():
        if values.shape != t.shape:
            raise UsageError(
                name,
                f"column {key!r} has shape {values.shape}, but t has {t.shape}.",
                "Give one value for each instant.",
            )
    return Results(name, name, t, arrays, dict(units or {}), {})


def _check_time(name: str, t: Vector) -> None:
    steps = np.diff(t) if t.ndim == 1 else np.zeros(1)
    if t.ndim != 1 or not (steps > 0.0).all() or not np.isfinite(t).all():
        raise UsageError(
            name,
            "column 't' does not increase from row to row.",
            "Sort the rows by time and leave out instants that appear twice.",
        )


@dataclass(frozen=True)
class Difference:
    """Run minus reference for one signal, at the instants where both are known."""

    t: Vector
    values: Vector

    @property
    def largest(self) -> float:
        """Largest absolute difference."""
        return float(np.nanmax(np.abs(self.values), initial=0.0))

    @property
    def when(self) -> float:
        """Where the largest difference is."""
        return float(self.t[np.nanargmax(np.abs(self.values))])


def difference(results: Results, other: Results, name: str) -> Difference | None:
    """How far a signal is from the reference; None if the two never meet in time.

    At the instants of the reference, as `bondline.run.compare` does it.
    """
    t, slack = other.t, 1e-9 * max(1.0, float(np.abs(results.t).max()))
    inside = (t >= results.t[0] - slack) & (t <= results.t[-1] + slack)
    if not inside.any():
        return None
    at = np.clip(t[inside], results.t[0], results.t[-1])
    found = interpolate(results.t, results.signals[name], at)
    return Difference(at, found - other.signals[name][inside])
