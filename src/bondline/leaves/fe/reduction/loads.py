"""Own loads of a system over time, as columns and histories."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import Matrix, Vector
from bondline.leaves.fe.assembled import Assembled
from bondline.leaves.histories import History, kinks_of, levels_of


@dataclass(frozen=True, eq=False)
class Loads:
    """f(t) = value h + rate h' + second h'', a column for every history h.

    `static` is the load at rest.
    """

    histories: tuple[History, ...]
    value: Matrix
    rate: Matrix
    second: Matrix
    static: Vector

    def __call__(self, t: float) -> Vector:
        """The loads at one instant."""
        h, rate, second = levels_of(self.histories, t)
        f: Vector = self.value @ h + self.rate @ rate + self.second @ second
        return f

    @property
    def kinks(self) -> tuple[float, ...]:
        """Instants at which a history is not smooth, in order."""
        return kinks_of(self.histories)


def projected_loads(made: Assembled, T: Matrix) -> Loads | None:
    """The loads of a model on the coordinates y of u = T y; None: there are none."""
    each = [made.value, made.rate, made.second]
    if not any(A.nnz for A in each):
        return None
    value, rate, second = (np.ascontiguousarray((A.T @ T).T) for A in each)
    static = np.asarray(T.T @ made.static_load, dtype=np.float64)
    return Loads(made.histories, value, rate, second, static)
