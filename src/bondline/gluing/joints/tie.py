"""Tie: two or more ports share their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.core import Gap, Matrix, Motion, Port, PortRef, Vector
from bondline.errors import WiringError


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

    def suits(self, place: str, ports: Sequence[Port]) -> None:
        """All ports have the dofs of the tie."""
        first = ports[0]
        for end, port in zip(self.ends, ports, strict=True):
            if (port.dofs, port.nodes) != (first.dofs, first.nodes):
                raise WiringError(
                    place,
                    f"dofs differ: {self.ends[0]} has {_dofs(first)}, {end} has "
                    f"{_dofs(port)}.",
                    "Tie ports with the same dofs, or give one of them the missing "
                    "dofs.",
                )
        if len(self.dofs) != first.size:
            raise WiringError(
                place,
                f"it ties {len(self.dofs)} dofs of ports that have {_dofs(first)}.",
                f"Name all {first.size} of them.",
            )

    def gap(self, motions: Sequence[Motion]) -> Gap:
        """Each active end minus the last one, at the three levels."""
        *active, last = motions
        x = _minus([m.x for m in active], last.x)
        v = _minus([m.v for m in active], last.v)
        a = [m.a for m in motions if m.a is not None]
        return x, v, _minus(a[:-1], a[-1]) if len(a) == len(motions) else None

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


def _minus(active: Sequence[Vector], last: Vector) -> Vector:
    if len(active) == 1:
        return active[0] - last
    return np.concatenate([x - last for x in active])


def _dofs(port: Port) -> str:
    nodes = f" at {port.nodes} nodes" if port.nodes > 1 else ""
    return f"{len(port.dofs)} ({' '.join(port.dofs)}){nodes}"
