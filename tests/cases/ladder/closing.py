"""Loops of a mechanism closed by the test, all at once, with multipliers.

M u' + J' λ = P, J u' = −γ: masses, forces and motions of markers are those of the
compiled tree; the rest is dense algebra that knows nothing of them. Least squares do
where loops repeat each other. Without quaternions q' = u.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.integrate import solve_ivp

from bondline.core import Matrix, Vector
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import Packed, pack
from bondline.leaves.mbd.tree import Tree


@dataclass(frozen=True, eq=False)
class Closed:
    """A tree whose markers meet in pairs, in some of the world's directions.

    `steady` are velocities that stay what they are.
    """

    mechanism: Mechanism
    pairs: Sequence[tuple[str, str]]
    directions: Sequence[int] = (0, 2)
    steady: Sequence[int] = ()

    @cached_property
    def packed(self) -> Packed:
        return pack(self.mechanism)

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.packed)

    @cached_property
    def _markers(self) -> list[int]:
        return [self.packed.markers[name] for pair in self.pairs for name in pair]

    def _apart(self, columns: Matrix) -> Vector:
        """From one marker of each pair to the other."""
        pairs = columns[:, list(self.directions)].reshape(len(self.pairs), 2, -1)
        return np.asarray((pairs[:, 1] - pairs[:, 0]).ravel())

    def gaps(self, q: Vector) -> Vector:
        """What should be zero."""
        return self._apart(self.tree.outputs(q, 0.0 * q, self._markers)[0])

    def jacobian(self, q: Vector) -> Matrix:
        """Rates of the gaps by velocities, and rows of what is steady."""
        n = len(q)
        columns = [
            self._apart(self.tree.outputs(q, unit, self._markers)[1])
            for unit in np.eye(n)
        ]
        return np.vstack([np.array(columns).T, np.eye(n)[list(self.steady)]])

    def rates(self, t: float, y: Vector) -> Vector:
        """q' and u'."""
        q, u = np.split(y, 2)
        n = len(q)
        M, P = self.tree.mass(t, q, u)
        J = self.jacobian(q)
        pulled = self.tree.outputs(q, u, self._markers, 0.0 * u)[2]
        wanted = np.r_[P, -self._apart(pulled), np.zeros(len(self.steady))]
        A = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
        return np.r_[u, np.linalg.lstsq(A, wanted)[0][:n]]

    def began(self) -> Vector:
        """The start."""
        order = self.packed.layout
        return np.r_[order.start, order.speed]

    def states(self, times: Sequence[float], tolerance: float) -> Matrix:
        """Positions and velocities at times, by DOP853."""
        done = solve_ivp(
            *(self.rates, (0.0, times[-1]), self.began(), "DOP853", times),
            rtol=tolerance,
            atol=tolerance,
        )
        assert done.success, done.message
        return np.asarray(done.y.T)

    def energy(self, y: Vector) -> float:
        """Kinetic, elastic and gravitational."""
        return float(self.tree.energy(*np.split(y, 2)).sum())
