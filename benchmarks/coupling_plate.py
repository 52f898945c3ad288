"""Plates in plane stress: the structures of the coupling benchmarks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


class Plate(NamedTuple):
    """A rectangle of `nx` × `ny` bilinear elements, 1 m thick, of steel.

    Node i (ny + 1) + j is the j-th from below in column i; dofs are x, y node by node.
    """

    nx: int
    ny: int
    lx: float
    ly: float
    E: float = 2.1e11
    nu: float = 0.3
    rho: float = 7800.0

    @property
    def edge(self) -> int:
        """Dofs of the left edge, and of the right one."""
        return 2 * (self.ny + 1)

    @property
    def size(self) -> int:
        """Dofs in all."""
        return (self.nx + 1) * self.edge

    def matrices(self) -> tuple[csr_array, csr_array]:
        """Consistent mass and stiffness."""
        i, j = np.meshgrid(np.arange(self.nx), np.arange(self.ny), indexing="ij")
        first = (i * (self.ny + 1) + j).ravel()
        nodes = first[:, None] + [0, self.ny + 1, self.ny + 2, 1]
        dofs = (2 * nodes[:, :, None] + [0, 1]).reshape(-1, 8)
        rows, columns = np.repeat(dofs, 8, axis=1).ravel(), np.tile(dofs, 8).ravel()

        def spread(element: NDArray[np.float64]) -> csr_array:
            values = np.tile(element.ravel(), len(dofs))
            shape = (self.size, self.size)
            return csr_array(coo_array((values, (rows, columns)), shape=shape))

        M, K = self._element()
        return spread(M), spread(K)

    def _element(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mass and stiffness of one element, by 2 × 2 Gauss points."""
        a, b = self.lx / self.nx, self.ly / self.ny
        shear = 0.5 * (1.0 - self.nu)
        D = np.array([[1.0, self.nu, 0.0], [self.nu, 1.0, 0.0], [0.0, 0.0, shear]])
        D *= self.E / (1.0 - self.nu**2)
        M, K = np.zeros((2, 8, 8))
        for point in _CORNERS / np.sqrt(3.0):
            along = 1.0 + _CORNERS * point
            N = np.kron(0.25 * along.prod(axis=1), np.eye(2))
            dx, dy = (0.25 * _CORNERS * along[:, ::-1]).T * [[2.0 / a], [2.0 / b]]
            B = np.zeros((3, 8))
            B[0, ::2], B[1, 1::2], B[2, ::2], B[2, 1::2] = dx, dy, dy, dx
            M += 0.25 * a * b * self.rho * N.T @ N
            K += 0.25 * a * b * B.T @ D @ B
        return M, K
