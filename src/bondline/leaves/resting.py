"""Static equilibrium of a linear structure, with springs on its ports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bondline.core import Flexibility, Matrix, Rejected, Vector
from bondline.errors import SingularInterface
from bondline.leaves.selection import Dofs, Selection
from bondline.numerics.factor import Operator, Partitioned, combined
from bondline.numerics.loose import loose_motions


@dataclass(frozen=True, eq=False)
class Resting:
    """K u + Σ Lᵀ k L u = f, factored once for each set of springs k.

    The ports in `led` take motion; `held` are their dofs, one after the other.
    """

    name: str
    K: Operator
    picks: Mapping[str, Selection]
    led: Mapping[str, slice]  # where a port is among the held dofs
    held: Dofs
    _kept: dict[tuple[tuple[str, bytes], ...], Partitioned] = field(
        default_factory=dict
    )

    def factored(self, springs: Mapping[str, Vector]) -> Partitioned | Rejected:
        """The stiffness with these springs; a rejection where something is loose."""
        key = tuple((port, k.tobytes()) for port, k in springs.items())
        made = self._kept.get(key)
        if made is None:
            made = Partitioned(self._stiffness(springs), self.held)
            loose = loose_motions(made.inner, lambda: made.factor)
            if loose.size:
                return self._rejected(loose)
            for old in list(self._kept)[:-3]:
                self._kept.pop(old, None)
            self._kept[key] = made
        return made

    def _stiffness(self, springs: Mapping[str, Vector]) -> Operator:
        """K + Σ Lᵀ k L."""
        springy = [(1.0, self._spring(port, k)) for port, k in springs.items()]
        return combined([(1.0, self.K), *springy])

    def _spring(self, port: str, k: Vector) -> Operator:
        pick, n = self.picks[port], self.K.shape[0]
        if pick.dofs is None:
            return pick.spring(k)
        if isinstance(self.K, np.ndarray):
            diagonal = np.zeros(n)
            diagonal[pick.dofs] = k
            return np.diag(diagonal)
        from scipy.sparse import csr_array

        made: Operator = csr_array((k, (pick.dofs, pick.dofs)), shape=(n, n))
        return made

    def compliance(self, springs: Mapping[str, Vector]) -> Flexibility | Rejected:
        """What a unit of every port input does, all at once."""
        solver = self.factored(springs)
        if isinstance(solver, Rejected):
            return solver
        columns = sum(pick.size for pick in self.picks.values())
        f = np.zeros((self.K.shape[0], columns))
        told, at, here = np.zeros((len(self.held), columns)), 0, {}
        for port, pick in self.picks.items():
            here[port] = slice(at, at + pick.size)
            at += pick.size
            if port in self.led:
                told[self.led[port], here[port]] = np.eye(pick.size)
            else:
                pick.add(f[:, here[port]], np.eye(pick.size))
        u, efforts = solver.solve(f, told)
        blocks = {
            (out, port): self.shown(out, u, efforts)[:, columns][None, :, None, :]
            for out in self.picks
            for port, columns in here.items()
        }
        return Flexibility(blocks, at)

    def shown(self, port: str, u: Matrix, efforts: Matrix) -> Matrix:
        """The position of a port, or the effort of one that takes motion."""
        if port in self.led:
            return efforts[self.led[port]]
        return self.picks[port].show(u)

    def _rejected(self, loose: Matrix) -> Rejected:
        modes = np.zeros((self.K.shape[0], loose.shape[1]))
        modes[np.delete(np.arange(len(modes)), self.held)] = loose
        modes /= np.abs(modes).max(axis=0)
        seen = {p: pick.show(modes) for p, pick in self.picks.items()}
        moving = [p for p, moved in seen.items() if np.abs(moved).max(initial=0) > 1e-6]
        rank = np.linalg.matrix_rank(np.vstack([modes[:0], *seen.values()]), tol=1e-6)
        finding = _finding(loose.shape[1], moving)
        remedy = _remedy(moving, loose.shape[1] - int(rank))
        error = SingularInterface(f"{self.name}, static equilibrium", finding, remedy)
        return Rejected(self.name, finding, None, error)


def _finding(count: int, moving: Sequence[str]) -> str:
    motions = "1 free motion meets" if count == 1 else f"{count} free motions meet"
    which = "No port moves" if not moving else f"Moving ports: {', '.join(moving)}"
    return f"{motions} no resistance. {which}."


def _remedy(moving: Sequence[str], hidden: int) -> str:
    if hidden:
        return (
            f"{hidden} of these motions cannot be seen at any port, so that no spring "
            "there helps: support the part inside."
        )
    return f"Support the part, or give springs on {' and '.join(moving)}."
