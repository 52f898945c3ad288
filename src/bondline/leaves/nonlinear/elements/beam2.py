"""Plane beams of fibres: corotational, Euler-Bernoulli, any displacement and turn.

Crisfield (1990): the chord turns by α, what is left is small: q = (ΔL, θ₁ − α, θ₂ − α).
With r = (−c, −s, 0, c, s, 0) and z = (s, −c, 0, −s, c, 0), c and s the direction of the
chord, ∂ΔL/∂d = r, ∂α/∂d = z over the length now; `_chords` has the second ones, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from bondline.leaves.nonlinear.elements.block import Answer, Array, Indices, Moved
from bondline.leaves.nonlinear.elements.fibres import Fibres
from bondline.leaves.nonlinear.materials.law import Law, elastic
from bondline.leaves.nonlinear.materials.uniaxial import fibre_law

_SPOTS, _WEIGHTS = np.polynomial.legendre.leggauss(3)
_XI, _W = 0.5 * (_SPOTS + 1.0), 0.5 * _WEIGHTS


@dataclass(frozen=True, eq=False)
class Beams2:
    """Beams in the plane x y; fibres lie at −`section.y1` along the normal.

    With `lumped` half of the mass sits at either end, with m L²/24 to turn; else the
    mass is that of cubic shapes along the chord at rest. Rayleigh's β acts on rates of
    strain; with `rest_damping` on velocities through the stiffness at rest, as many
    codes have it: that also brakes elements that turn without straining.
    """

    widths: ClassVar[tuple[int, ...]] = (2,)
    slender: ClassVar[bool] = True

    nodes: Indices
    section: Fibres
    lumped: bool = True
    rest_damping: bool = False
    components: tuple[int, ...] = (0, 1, 5)

    @cached_property
    def law(self) -> Law:
        """That of the fibres."""
        return fibre_law(self.section.metal)

    @property
    def numbers(self) -> int:
        """Three Gauss points, all fibres."""
        return len(self.nodes) * 3 * len(self.section.area) * self.law.numbers

    @cached_property
    def _shape(self) -> tuple[Array, Array]:
        """L ∂ε/∂q at all fibres of all Gauss points, and w A: (3 f) × 3, 3 f."""
        y, A = self.section.y1, self.section.area
        bend = np.stack([0.0 * _XI, 6.0 * _XI - 4.0, 6.0 * _XI - 2.0], axis=1)
        rows = -y[None, :, None] * bend[:, None, :]
        rows[:, :, 0] = 1.0
        return rows.reshape(-1, 3), (_W[:, None] * A).ravel()

    @cached_property
    def _squares(self) -> Array:
        rows, _ = self._shape
        return (rows[:, :, None] * rows[:, None, :]).reshape(-1, 9)

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """Forces, tangents and viscous slopes in world axes."""
        q, B, bends, L = _chords(points[self.nodes][:, :, :2], moved.d)
        rows, wA = self._shape
        law, E = self.law, elastic(self.section.metal)
        at = law.respond((q / L) @ rows.T, past.reshape(len(q), len(wA), law.numbers))
        n = (at.stress * wA) @ rows
        k = ((at.tangent * wA) @ self._squares).reshape(-1, 3, 3) / L[:, :, None]
        K = B.transpose(0, 2, 1) @ k @ B
        C = None
        if self.rest_damping:
            C = self._still(points)
            extra = _times(C, moved.v.reshape(len(q), 6))
        elif E.beta:
            k0 = E.beta * ((E.E * wA) @ self._squares).reshape(3, 3) / L[:, :, None]
            v = moved.v.reshape(len(q), 6)
            n = n + _times(k0, _times(B, v))
            Bk = B.transpose(0, 2, 1) @ k0
            C = Bk @ B
            K = K + Bk @ np.einsum("eqij,ej->eqi", bends, v)  # ∂(B v)/∂d
        K = K + np.einsum("eq,eqij->eij", n, bends)
        force = _times(B.transpose(0, 2, 1), n)
        force = force + extra if self.rest_damping else force
        stored, plastic = (
            float(((each * wA).sum(axis=1) * L[:, 0]).sum()) for each in at[3:]
        )
        return Answer(force, K, C, at.history.ravel(), stored, plastic)

    @cached_property
    def _known(self) -> dict[str, tuple[Array, Array]]:
        return {}

    def _still(self, points: Array) -> Array:
        """β K of elastic beams at rest, found once for the points of a model."""
        kept = self._known.get("still")
        if kept is None or kept[0] is not points:
            self._known["still"] = kept = (points, self._damping(points))
        return kept[1]

    def _damping(self, points: Array) -> Array:
        X, E = points[self.nodes][:, :, :2], elastic(self.section.metal)
        _, B, _, L = _chords(X, np.zeros((len(X), 2, 3)))
        k0 = ((E.E * self._shape[1]) @ self._squares).reshape(3, 3) / L[:, :, None]
        return np.asarray(E.beta * (B.transpose(0, 2, 1) @ k0 @ B))

    def mass(self, points: Array) -> Array:
        """Half at either end, or consistent."""
        X = points[self.nodes][:, :, :2]
        L = np.linalg.norm(X[:, 1] - X[:, 0], axis=1)
        m = elastic(self.section.metal).rho * self.section.area.sum() * L
        M = np.zeros((len(L), 6, 6))
        if self.lumped:
            M[:, [0, 1, 3, 4], [0, 1, 3, 4]] = 0.5 * m[:, None]
            M[:, [2, 5], [2, 5]] = (m * L**2 / 24.0)[:, None]
            return M
        return _consistent(X, L, m)

    def drag(self) -> float:
        """α of the material."""
        return elastic(self.section.metal).alpha

    def strains(self, past: Array) -> Array | None:
        """Largest over fibres and Gauss points."""
        if not self.law.numbers:
            return None
        wide = past.reshape(len(self.nodes), -1, self.law.numbers)
        return np.asarray(wide[:, :, 0].max(axis=1))

    def stresses(self, points: Array, moved: Moved, past: Array) -> Array:
        """Largest |σ| of every element."""
        q, _, _, L = _chords(points[self.nodes][:, :, :2], moved.d)
        rows, wA = self._shape
        shape = (len(q), len(wA), self.law.numbers)
        at = self.law.respond((q / L) @ rows.T, past.reshape(shape))
        return np.asarray(np.abs(at.stress).max(axis=1))


def _times(A: Array, x: Array) -> Array:
    return np.asarray((A @ x[:, :, None])[:, :, 0])


def _chords(X: Array, d: Array) -> tuple[Array, Array, Array, Array]:
    """q, ∂q/∂d, ∂²q/∂d² and the lengths at rest (elements × 1)."""
    X21, d21 = X[:, 1] - X[:, 0], d[:, 1, :2] - d[:, 0, :2]
    x21 = X21 + d21
    L, now = np.linalg.norm(X21, axis=1), np.linalg.norm(x21, axis=1)
    (C, S), (c, s) = (X21 / L[:, None]).T, (x21 / now[:, None]).T
    alpha = np.arctan2(C * s - S * c, C * c + S * s)
    stretch = ((2.0 * X21 + d21) * d21).sum(axis=1) / (now + L)  # no cancellation
    turns = d[:, :, 2] - alpha[:, None]
    turns -= 2.0 * np.pi * np.round(turns / (2.0 * np.pi))
    q = np.column_stack([stretch, turns])
    r, z = np.zeros((2, len(L), 6))
    r[:, 3], r[:, 4], z[:, 0], z[:, 4] = c, s, s, c
    r[:, 0], r[:, 1], z[:, 1], z[:, 3] = -c, -s, -c, -s
    B = np.empty((len(L), 3, 6))
    B[:, 0] = r
    B[:, 1:] = (-z / now[:, None])[:, None]
    B[:, 1, 2] = B[:, 2, 5] = 1.0
    rz = r[:, :, None] * z[:, None, :]
    both = (rz + rz.transpose(0, 2, 1)) / (now**2)[:, None, None]
    zz = z[:, :, None] * z[:, None, :] / now[:, None, None]
    bends = np.empty((len(L), 3, 6, 6))
    bends[:, 0], bends[:, 1], bends[:, 2] = zz, both, both
    return q, B, bends, L[:, None]


def _consistent(X: Array, L: Array, m: Array) -> Array:
    """ρ A of linear shapes along the chord and cubic ones across it."""
    (c, s), o, i = ((X[:, 1] - X[:, 0]) / L[:, None]).T, 0.0 * L, 1.0 + 0.0 * L
    local = np.zeros((len(L), 6, 6))
    local[:, [0, 0, 3, 3], [0, 3, 0, 3]] = m[:, None] * np.array([2, 1, 1, 2]) / 6.0
    a, b = 22.0 * L, 13.0 * L
    rows = [
        [156.0 * i, a, 54.0 * i, -b],
        [a, 4.0 * L**2, b, -3.0 * L**2],
        [54.0 * i, b, 156.0 * i, -a],
        [-b, -3.0 * L**2, -a, 4.0 * L**2],
    ]
    bend = np.moveaxis(np.array(rows), 2, 0) * m[:, None, None] / 420.0
    across = np.array([1, 2, 4, 5])
    local[:, across[:, None], across] = bend
    T = np.zeros_like(local)
    turn = np.moveaxis(np.array([[c, s, o], [-s, c, o], [o, o, i]]), 2, 0)
    T[:, :3, :3] = T[:, 3:, 3:] = turn
    return np.asarray(T.transpose(0, 2, 1) @ local @ T)
