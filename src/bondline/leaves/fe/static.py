"""Linear statics: K q = f, with reactions and enforced displacements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SingularInterface
from bondline.leaves.fe.assembled import Assembled
from bondline.leaves.fe.model import FeModel
from bondline.numerics import Kinematics
from bondline.numerics.factor import Factor, Partitioned, nowhere
from bondline.numerics.loose import loose_motions


@dataclass(frozen=True, eq=False)
class StaticSolution:
    """A model at rest: displacements and reactions, both nodes × 6.

    Reactions are what the supports do to the model. `q` are the independent dofs.
    """

    model: FeModel
    u: Matrix
    reactions: Matrix
    q: Vector


class Wrench(NamedTuple):
    """A force, and its moment about a point."""

    force: Vector
    moment: Vector


def static(model: FeModel) -> StaticSolution:
    """Rest under the loads and enforced displacements of `model.static_time`.

    `SingularInterface` where something moves without resistance, with nodes named.
    """
    made = model.assembled
    q = solver(made).solve(made.static_load)
    still = np.zeros(made.dofs.size)
    u = made.T @ q + made.G @ made.rest
    now = Kinematics(np.asarray(u, dtype=np.float64), still, still)
    return StaticSolution(model, made.dofs.spread(now.u), made.reactions(now, None), q)


def solver(made: Assembled) -> Factor:
    """The factors of K; refused where something is loose."""
    inner = Partitioned(made.system.K, nowhere())
    _check_loose(made, loose_motions(inner.A, lambda: inner.factor))
    return inner.factor


def _check_loose(made: Assembled, modes: Matrix) -> None:
    if not modes.shape[1]:
        return
    moved = np.abs(np.asarray(made.T @ modes, dtype=np.float64))
    moved = moved / moved.max(axis=0)
    first = np.unique(np.argmax(moved, axis=0))
    count = modes.shape[1]
    motions = "1 free motion meets" if count == 1 else f"{count} free motions meet"
    raise SingularInterface(
        f"{made.name}, statics",
        f"{motions} no resistance; what moves most: "
        f"{made.dofs.listed(made.dofs.slots[first])}.",
        "Support the model so that it cannot move as a rigid body, and every "
        "mechanism inside it.",
    )


def total(points: Matrix, forces: Matrix, about: Vector | None = None) -> Wrench:
    """The sum of nodal forces (nodes × 6), and their moment about a point.

    The point is the origin unless told.
    """
    arm = points - (0.0 if about is None else about)
    turned = np.cross(arm, forces[:, :3]) + forces[:, 3:]
    return Wrench(forces[:, :3].sum(axis=0), turned.sum(axis=0))
