"""Tie: two or more ports share their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.core import Matrix, Motion, PortRef, Vector


@dataclass(frozen=True)
class Tie:
    """Ports that move together in all their dofs; in the plane, a revolute joint.

    e = uⁱ − uⁿ for every end but the last, which carries the reactions: wang2003
    (19) for two ends, (23) for n bodies at one node. The force belongs to the first
    end (F acts on it), the last feels −Σ F.
    """

    name: str
    ends: tuple[PortRef, ...]
    dofs: tuple[str, ...]

    constant = True

    @property
    def components(self) -> tuple[str, ...]:
        """One force a dof and active end."""
        if len(self.ends) == 2:
            return tuple(f"F{d}" for d in self.dofs)
        return tuple(f"{end.part}.F{d}" for end in self.ends[:-1] for d in self.dofs)

    def gap(self, motions: Sequence[Motion]) -> tuple[Vector, Vector, Vector]:
        """Each active end minus the last one, at the three levels."""
        last = motions[-1]
        if len(motions) == 2:
            first = motions[0]
            return first.x - last.x, first.v - last.v, first.a - last.a
        return (
            np.concatenate([m.x - last.x for m in motions[:-1]]),
            np.concatenate([m.v - last.v for m in motions[:-1]]),
            np.concatenate([m.a - last.a for m in motions[:-1]]),
        )

    def jacobian(self, motions: Sequence[Motion]) -> Sequence[Matrix]:
        """Selectors, wang2003 (20), (26)."""
        return self._B

    @cached_property
    def _B(self) -> tuple[Matrix, ...]:
        active, n = len(self.ends) - 1, len(self.dofs)
        first = np.eye(active * n).reshape(active * n, active, n)
        last: Matrix = np.tile(-np.eye(n), (active, 1))
        return (*(first[:, i, :] for i in range(active)), last)

    def admissible(self, z: Vector) -> Sequence[Motion]:
        """The same motion for every end: x, v, a stacked in `z`."""
        x, v, a = z.reshape(3, -1)
        return [Motion(x, v, a) for _ in self.ends]
