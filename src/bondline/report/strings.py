"""Lines of mechanisms beside surfaces: what moves with them, drawn where it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.collections import LineCollection

from bondline.core import Matrix, Vector
from bondline.report.paint import Paint
from bondline.report.palette import INK


@dataclass(frozen=True, eq=False)
class Strings:
    """Lines over time: instants × points × 3 each."""

    t: Vector
    lines: Mapping[str, Matrix]

    def at(self, t: float) -> list[Matrix]:
        """All of them at the recorded instant that is nearest."""
        k = int(np.abs(self.t - t).argmin())
        return [points[k] for points in self.lines.values()]

    def drawn(self, paint: Paint, t: float) -> list[Matrix]:
        """The same on paper."""
        return [paint.place(points)[:, :2] for points in self.at(t)]

    def collection(self, paint: Paint, t: float) -> LineCollection:
        """To be added to axes, behind the surfaces."""
        return LineCollection(
            self.drawn(paint, t), colors=INK, linewidths=1.1, alpha=0.75, zorder=1.5
        )


def strings_of(
    t: Vector, shapes: Mapping[str, Matrix], shown: Iterable[str]
) -> Strings | None:
    """Lines in space of parts that show no surface; None where there are none."""
    hidden = tuple(f"{part}." for part in shown)
    lines = {
        name: points
        for name, points in shapes.items()
        if points.shape[-1] == 3 and not name.startswith(hidden)
    }
    return Strings(t, lines) if lines and len(t) else None
