"""What the owner of a reduced model shows of the full one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bondline.core import Matrix, Vector
from bondline.leaves.fe.leaf import Drawing
from bondline.leaves.fe.reduction.reduced import Reduced


@dataclass(frozen=True, eq=False)
class Outline:
    """The outline of the mesh, from reduced coordinates."""

    full: Drawing
    reduced: Reduced

    def __call__(self, y: Vector) -> Mapping[str, Matrix]:
        """Polylines at the coordinates `y`."""
        return self.full(self.reduced.recover(y))
