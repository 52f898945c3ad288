"""The interface problem of statics: joint forces, and motions of sprung dofs.

Unknowns are z = (λ, w). A part feels u = Bᵀλ + k w + (loads from outside) and springs k
to the ground, and answers with p. Conditions are p = w on the dofs that follow, and
e = 0, at w there and at p elsewhere: then springs and k w cancel, whatever k is. With
no springs this is Algorithm 1 of wang2003; with springs on all glued dofs of floating
parts it is Robin's exchange; with springs on a statically determinate set it is FETI,
w being the rigid motions and p = w the self-equilibrium of the loads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import Advance, Matrix, Rejected, Vector
from bondline.gluing.statics.asking import Load, flexibility, rest_all
from bondline.gluing.statics.dofs import Mask, Seen
from bondline.gluing.statics.holding import Hold


@dataclass(frozen=True, eq=False)
class Point:
    """Every part at rest, at one guess of the unknowns."""

    z: Vector
    residual: Vector
    p: Vector
    advances: Mapping[str, Advance[Any]]


@dataclass(frozen=True, eq=False)
class Slope:
    """∂residual/∂z with its scales, and what it is made of."""

    J: Matrix
    G: Matrix
    U: Matrix  # ∂u/∂z
    rows: Vector
    columns: Vector
    solves: int


@dataclass(frozen=True, eq=False)
class Interface:
    """residual(z) = 0 under one load."""

    seen: Seen
    hold: Hold
    states: Mapping[str, Any]
    acting: Load  # from outside: it stays the same for every z
    rest_at: Vector  # p where the path starts

    @property
    def forces(self) -> int:
        """How many of the unknowns are joint forces."""
        return int(self.seen.assembly.offsets[-1])

    @property
    def size(self) -> int:
        """Joint forces and followed motions."""
        return self.forces + len(self.hold.follow)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Names of the unknowns."""
        dofs = self.seen.labels
        return (*self.seen.components, *(dofs[i] for i in self.hold.follow))

    @cached_property
    def law(self) -> tuple[Vector, Vector]:
        """a, b with b e + a F = 0: compliant joints give way, others do not."""
        a, b = np.zeros(self.forces), np.ones(self.forces)
        if self.seen.assembly.compliant is not None:
            where, k, _ = self.seen.assembly.compliant
            a[where] = np.where(k > 0.0, 1.0 / np.where(k > 0.0, k, 1.0), 1.0)
            b[where] = (k > 0.0).astype(np.float64)
        return a, b

    @property
    def rigid(self) -> Vector:
        """1 for conditions that must hold, 0 for joints that give way."""
        return np.where(self.law[0] == 0.0, 1.0, 0.0)

    def split(self, z: Vector) -> tuple[Vector, Vector]:
        """λ, and where the followed dofs are; the others stay where they were."""
        q = self.rest_at.copy()
        q[self.hold.follow] = z[self.forces :]
        return z[: self.forces], q

    @cached_property
    def _still(self) -> Matrix | None:
        """B where no joint turns."""
        turning = self.seen.turning.any()
        return None if turning else self.seen.jacobian(self.rest_at)

    def B(self, p: Vector) -> Matrix:
        """All joints at p."""
        return self.seen.jacobian(p) if self._still is None else self._still

    def load(self, z: Vector) -> Load:
        """u and the springs at a guess."""
        F, q = self.split(z)
        driven, follow = self.seen.driven, self.hold.follow
        u = self.acting.u + np.where(driven, 0.0, self.B(q).T @ F + self.hold.k * q)
        told = follow[driven[follow]]
        u[told] = q[told]
        return Load(self.acting.factor, u, self.acting.k + self.hold.k)

    def at(self, z: Vector) -> Point | Rejected:
        """Ask every part once."""
        found = rest_all(self.seen, self.states, self.load(z))
        if isinstance(found, Rejected):
            return found
        F, q = self.split(z)
        p, y = self.seen.positions(found), self.seen.answers(found)
        (a, b), follow = self.law, self.hold.follow
        closed = b * self.seen.gap(np.where(self._followed, q, p)) + a * F
        balance = np.where(self.seen.driven, y - self.B(q).T @ F, p - q)[follow]
        return Point(z, np.concatenate([closed, balance]), p, found)

    def slope(self, here: Point) -> Slope | Rejected:
        """From the flexibilities of the parts and the joints' B."""
        F, q = self.split(here.z)
        states = {n: a.state for n, a in here.advances.items()}
        found = flexibility(self.seen, states, self.load(here.z))
        if isinstance(found, Rejected):
            return found
        G, solves = found
        Bq, turned = self.B(q), self._turned(q, F)
        U = self._inputs(Bq, turned)
        Y, driven = G @ U, self.seen.driven
        pull = np.hstack([Bq.T, turned[:, self.hold.follow]])
        follow = self.hold.follow
        (a, b), m = self.law, self.forces
        P = np.where(self._followed[:, None], self._identity, Y)
        top = b[:, None] * (self.B(self.meeting(here)) @ P)
        top[:, :m] += np.diag(a)
        low = (Y - np.where(driven[:, None], pull, self._identity))[follow]
        rows, columns = self._scales(G, Bq)
        return Slope(np.vstack([top, low]), G, U, rows, columns, solves)

    @cached_property
    def _followed(self) -> Mask:
        found = np.zeros(self.seen.size, dtype=np.bool_)
        found[self.hold.follow] = True
        return found

    def meeting(self, here: Point) -> Vector:
        """Where joints look: at w, which stays near while springs let p go astray."""
        return np.where(self._followed, self.split(here.z)[1], here.p)

    def _turned(self, q: Vector, F: Vector) -> Matrix:
        n = self.seen.size
        return np.zeros((n, n)) if self._still is not None else self.seen.turned(q, F)

    @cached_property
    def _identity(self) -> Matrix:
        """∂q/∂z."""
        follow = self.hold.follow
        made = np.zeros((self.seen.size, self.size))
        made[follow, self.forces + np.arange(len(follow))] = 1.0
        return made

    def _inputs(self, B: Matrix, turned: Matrix) -> Matrix:
        """∂u/∂z."""
        driven, follow = self.seen.driven[:, None], self.hold.follow
        U = self.hold.k[:, None] * self._identity
        U[:, : self.forces] += B.T
        U[:, self.forces :] += turned[:, follow]
        return np.where(driven, self._identity, U)

    def _scales(self, G: Matrix, B: Matrix) -> tuple[Vector, Vector]:
        """Rows and columns in units of the square root of an energy.

        g is how far a unit force moves a dof: metres and radians count alike then.
        """
        own, k, follow = np.abs(np.diag(G)), self.hold.k, self.hold.follow
        driven = self.seen.driven
        g = np.where(k > 0.0, 1.0 / np.where(k > 0.0, k, 1.0), own)
        g = np.where(driven, 1.0 / np.where(own > 0.0, own, 1.0), g)
        a, b = self.law
        joint = _or_one(b**2 * (B**2 @ g) + a)
        s = np.sqrt(_or_one(g))[follow]
        rows = np.where(driven[follow], s, 1.0 / s)
        return (
            np.concatenate([1.0 / np.sqrt(joint), rows]),
            np.concatenate([1.0 / np.sqrt(joint), s]),
        )


def _or_one(x: Vector) -> Vector:
    return np.where(x > 0.0, x, 1.0)
