"""MASS and SPRING: lumped masses, springs and dashpots."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import Vector
from bondline.leaves.fe.elements.axes import arms, turned
from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.sections import Bushing, PointMass


@dataclass(frozen=True)
class Mass:
    """MASS: a rigid mass at one node, with inertia about the node."""

    dofs: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    nodes: int = 1

    def stiffness(self, x: Array, section: PointMass) -> Array:
        """None."""
        return np.zeros((len(x), 6, 6))

    def mass(self, x: Array, section: PointMass, lumped: bool) -> Array:
        """The same, lumped or not."""
        M = np.zeros((6, 6))
        M[:3, :3] = section.mass * np.eye(3)
        M[3:, 3:] = section.inertia
        return np.repeat(M[None], len(x), axis=0)


@dataclass(frozen=True)
class Spring:
    """SPRING: six springs and dashpots between two nodes, or one node and the ground.

    `nodes` is 2, the most; elements of a block with one node are held by the ground.
    The springs sit in the middle between both nodes, on rigid arms, so that rigid
    motion gives no force at any distance and the order of the nodes does not matter.
    Nodes without rotations must coincide, or lie on the axis that the springs act
    along.
    """

    dofs: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    nodes: int = 2

    def stiffness(self, x: Array, section: Bushing) -> Array:
        """Bᵀ k B with B the motion of the second end against the first."""
        return _between(x, section, section.stiffness)

    def damping(self, x: Array, section: Bushing) -> Array:
        """Bᵀ c B."""
        return _between(x, section, section.damping)

    def mass(self, x: Array, section: Bushing, lumped: bool) -> Array:
        """None."""
        m = 6 * x.shape[1]
        return np.zeros((len(x), m, m))

    def resultants(self, x: Array, section: Bushing, u: Array) -> Array:
        """Forces and moments of the springs in their axes, at both ends.

        Here the components are along and about the section's axes 0, 1 and 2: F0 F1
        F2 M0 M1 M2, positive when the second end moves ahead of the first.
        """
        forces = (_motion(x, section) @ u[:, :, None])[:, :, 0] * section.stiffness
        return np.repeat(forces[:, None, :], 2, axis=1)


def _motion(x: Array, section: Bushing) -> Array:
    """B, elements × 6 × m: relative motion in the section's axes."""
    count, n = x.shape[:2]
    middle = x.mean(axis=1, keepdims=True)
    R = np.broadcast_to(section.axes, (count, 3, 3))
    ends = turned(R, arms(middle - x)).reshape(count, n, 6, 6 * n)
    return np.asarray(ends[:, -1] - ends[:, 0] if n == 2 else ends[:, 0])


def _between(x: Array, section: Bushing, k: Vector) -> Array:
    B = _motion(x, section)
    return np.asarray(B.swapaxes(1, 2) @ (np.asarray(k)[:, None] * B))
