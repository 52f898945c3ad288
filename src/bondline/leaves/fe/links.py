"""Links without stiffness: some dofs follow others, for small rotations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bondline.core import Vector
from bondline.leaves.fe.mesh import Indices, Nodes

ALL = (0, 1, 2, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class RigidLink:
    """The components of the slaves move with the master as a rigid body (RBE2).

    `master` and `slaves` are rows of the mesh, or node sets by name; that of the master
    has one node. Components that a slave does not have are passed over.
    """

    master: int | str
    slaves: Nodes
    components: tuple[int, ...] = ALL


@dataclass(frozen=True, eq=False)
class Interpolation:
    """The reference follows the weighted mean motion of some nodes (RBE3).

    What acts on the reference is spread over the `nodes` so that force and moment are
    the same. The mean is over translations: the rotation is that of the rigid body
    which fits the nodes best, weighted least squares. Nodes may be named by their sets;
    weights go with the nodes in the order of the set.
    """

    reference: int | str
    components: tuple[int, ...]
    nodes: Nodes
    weights: Vector


@dataclass(frozen=True, eq=False)
class Equation:
    """Σ coefficient × dof = 0; the first dof follows the others (MPC, *EQUATION).

    One entry a term: the row of the node, its component 0 … 5, the coefficient. A
    support in a slanted direction is an equation of one node.
    """

    nodes: Indices
    components: tuple[int, ...]
    coefficients: Vector


Link: TypeAlias = RigidLink | Interpolation | Equation
