"""Results: what a run left behind, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bondline.core import Matrix, Vector
from bondline.core.notebook import sparkline, table


@dataclass(frozen=True)
class Results:
    """All accepted windows of one run.

    `signals` hold one value an instant of `t` (the start included): what the parts
    publish, and the joint forces at the instants (`joint.A.Fx`). `windows` hold one
    value a window: `iterations`, `sweeps`, `builds`, `solves`, `gap`,
    `interface_work`. `shapes` hold an array (instants, points, 2 or 3) a part.
    """

    run: str
    model: str
    t: Vector
    signals: Mapping[str, Vector]
    units: Mapping[str, str]
    windows: Mapping[str, Vector]
    shapes: Mapping[str, Matrix] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    certificate: Mapping[str, Any] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        """In a notebook: every signal with its range and its course."""
        rows = [
            (
                name,
                self.units.get(name, ""),
                *(f"{v:.4g}" for v in (values.min(), values.max(), values[-1])),
                sparkline(values),
            )
            for name, values in self.signals.items()
            if values.size
        ]
        title = f"{self.run or self.model or 'run'}: {self.t.size} instants"
        return table(title, ("signal", "unit", "least", "most", "last", ""), rows)
