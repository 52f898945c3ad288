"""Solids, total Lagrangian: Green's strain, second Piola-Kirchhoff stress.

Bricks take their change of volume from a mean over the element: F̄ = α F with
α³ = J̄/J, J̄ = ∫ J dV / V, so that plastic flow and rubber, which keep their volume, do
not lock. Forces are derivatives of the energy of F̄, and the tangent is theirs: with
h = ∂ln J/∂u (gradients in space), g = ∂ln α/∂u, t = ∂(½ S:C)/∂u at constant S,

    f = α² (t + (S:C) g)                                                      (1)
    K = B̄ᵀ D B̄ + α² (∇N S ∇N + 2 g tᵀ + 2 t gᵀ + (S:C)(2 g gᵀ + ∂g/∂u)).      (2)

Tetrahedra of ten nodes need no such help: α = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from bondline.leaves.fe.elements import brick, tets
from bondline.leaves.fe.elements.isoparametric import gradients, lumped, masses, spread
from bondline.leaves.nonlinear.elements.block import Answer, Array, Indices, Moved
from bondline.leaves.nonlinear.materials.law import Law, Metal
from bondline.leaves.nonlinear.materials.solid import Rubber, base, solid_law

_I, _J = np.array([0, 1, 2, 0, 1, 2]), np.array([0, 1, 2, 1, 2, 0])
_TWICE = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
_TURN = 128  # elements at a time: what is between stays in the cache


class Rule(NamedTuple):
    """Where a solid is integrated: slopes of shapes, weights; and for masses."""

    slopes: Array
    weights: Array
    shapes: Array
    mass_slopes: Array
    mass_weights: Array


_A = 0.25 * (1.0 - 1.0 / np.sqrt(5.0))
_FOUR = np.full((4, 4), _A) + (1.0 - 4.0 * _A) * np.eye(4)
_BRICK = Rule(brick._DN, np.ones(8), brick._N, brick._DN, np.ones(8))
_TET10 = Rule(
    tets.slopes10(_FOUR), np.full(4, 1 / 24), tets._N10, tets._DN10, tets._W14
)


class _Strained(NamedTuple):
    """Kinematics at all points: e × p …"""

    N: Array  # ∂N/∂X, nodes × 3
    volume: Array
    F: Array
    C: Array  # FᵀF as xx yy zz xy yz zx, tensor components
    alpha2: Array
    g: Array | None  # 3n, None where α = 1
    h: Array


@dataclass(frozen=True, eq=False)
class Solids:
    """Bricks of eight nodes (C3D8) or tetrahedra of ten (C3D10), by their nodes.

    `mean_volume` is for bricks. Mass is lumped in proportion to the consistent
    diagonal.
    """

    widths: ClassVar[tuple[int, ...]] = (8, 10)

    nodes: Indices
    metal: Metal | Rubber
    mean_volume: bool = True
    components: tuple[int, ...] = (0, 1, 2)

    rules: ClassVar = {8: ("C3D8", _BRICK), 10: ("C3D10", _TET10)}

    @cached_property
    def law(self) -> Law:
        """That of the points."""
        return solid_law(self.metal)

    @property
    def _rule(self) -> tuple[str, Rule]:
        found: tuple[str, Rule] = self.rules[self.nodes.shape[1]]
        return found

    @property
    def points_each(self) -> int:
        """Points of integration in an element."""
        return len(self._rule[1].weights)

    @property
    def numbers(self) -> int:
        """Of all points."""
        return len(self.nodes) * self.points_each * self.law.numbers

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """Forces and tangents, some elements at a time."""
        X, shape = points[self.nodes], (len(self.nodes), self.points_each, -1)
        past = past.reshape(*shape[:2], self.law.numbers)
        parts = [
            self._answer(X[some], moved.d[some], moved.v[some], past[some])
            for some in _turns(len(X))
        ]
        force, K, C, history = (
            np.concatenate(each) for each in zip(*(a[:4] for a in parts), strict=True)
        )
        sums = [float(sum(a[k] for a in parts)) for k in (4, 5)]
        damping = C if base(self.metal).beta else None
        return Answer(force, K, damping, history.ravel(), *sums)

    def _answer(
        self, X: Array, d: Array, v: Array, past: Array
    ) -> tuple[Array, Array, Array, Array, float, float]:
        k = self._strained(X, d)
        strain = _green(k) * _TWICE
        at = self.law.respond(strain, past)
        B = _strain_rows(k)
        w = k.volume[..., None]
        stress, C = at.stress, np.zeros((len(X), 1, 1))
        beta = base(self.metal).beta
        if beta:
            D = (
                beta
                * solid_law(base(self.metal)).respond(strain, past[..., :0]).tangent
            )
            stress = stress + np.einsum(
                "epij,epjm,em->epi", D, B, v.reshape(len(v), -1), optimize=True
            )
            C = _product(B, D * w[..., None])
        force = np.einsum("epim,epi->em", B, stress * w, optimize=True)
        K = _product(B, at.tangent * w[..., None]) + _geometric(k, stress * w)
        sums = (float((each * k.volume).sum()) for each in at[3:])
        return force, K, C, at.history.reshape(len(X), -1), *sums

    def _strained(self, X: Array, d: Array) -> _Strained:
        kind, rule = self._rule
        N, det = gradients(kind, X, rule.slopes)
        F = np.eye(3) + np.einsum("eai,epaJ->epiJ", d, N, optimize=True)
        C = np.einsum("epkI,epkJ->epIJ", F, F)[..., _I, _J]
        dV = det * rule.weights
        J = np.linalg.det(F)
        inverse = np.linalg.inv(F)
        h = np.einsum("epaJ,epJi->epai", N, inverse).reshape(*J.shape, -1)
        if not (self.mean_volume and X.shape[1] == 8):
            return _Strained(N, dV, F, C, np.ones_like(J), None, h)
        share = dV * J / (dV * J).sum(axis=1, keepdims=True)
        mean = (share[..., None] * h).sum(axis=1, keepdims=True)
        ratio = (dV * J).sum(axis=1) / dV.sum(axis=1)
        alpha2 = np.cbrt(ratio[:, None] / J) ** 2
        return _Strained(N, dV, F, C, alpha2, (mean - h) / 3.0, h)

    def mass(self, points: Array) -> Array:
        """Lumped."""
        kind, rule = self._rule
        _, det = gradients(kind, points[self.nodes], rule.mass_slopes)
        dm = base(self.metal).rho * det * rule.mass_weights
        return spread(lumped(masses(rule.shapes, dm)))

    def drag(self) -> float:
        """α of the material."""
        return base(self.metal).alpha

    def strains(self, past: Array) -> Array | None:
        """Largest over the points of an element."""
        if not self.law.numbers:
            return None
        wide = past.reshape(len(self.nodes), -1, self.law.numbers)
        return np.asarray(wide[:, :, 0].max(axis=1))

    def stresses(self, points: Array, moved: Moved, past: Array) -> Array:
        """Largest von Mises stress (second Piola-Kirchhoff) of every element."""
        from bondline.leaves.fe.recover import von_mises

        k = self._strained(points[self.nodes], moved.d)
        shape = (*k.volume.shape, self.law.numbers)
        at = self.law.respond(_green(k) * _TWICE, past.reshape(shape))
        return np.asarray(von_mises(at.stress).max(axis=1))


def _turns(count: int) -> list[slice]:
    return [slice(k, k + _TURN) for k in range(0, max(count, 1), _TURN)]


def _green(k: _Strained) -> Array:
    """½ (α² C − 1), tensor components."""
    one = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    return np.asarray(0.5 * (k.alpha2[..., None] * k.C - one))


def _strain_rows(k: _Strained) -> Array:
    """∂E/∂u with γ for shear, e × p × 6 × 3n: α² (sym(Fᵀ∇δ) + C g)."""
    F, N = k.F, k.N
    rows = np.einsum("epki,epaj->epijak", F, N, optimize=True)
    both = rows[:, :, _I, _J] + rows[:, :, _J, _I]
    B = both.reshape(*k.volume.shape, 6, -1) * (0.5 * _TWICE)[:, None]
    if k.g is not None:
        B = B + (k.C * _TWICE)[..., None] * k.g[:, :, None, :]
    return np.asarray(k.alpha2[..., None, None] * B)


def _product(B: Array, D: Array) -> Array:
    """Σ Bᵀ D B over the points, as one product of wide matrices."""
    e, p, six, m = B.shape
    DB = (D @ B).reshape(e, p * six, m)
    return np.asarray(B.reshape(e, p * six, m).swapaxes(1, 2) @ DB)


def _geometric(k: _Strained, S: Array) -> Array:
    """(2) without its first term; S has the weights in it."""
    (e, p, _, _), a2 = k.N.shape, k.alpha2[..., None]
    full = (a2 * S)[..., _PLACE]
    SN = np.einsum("epIJ,epbJ->epbI", full, k.N)
    scalar = np.einsum("epaI,epbI->eab", k.N, SN, optimize=True)
    K = spread(scalar)
    if k.g is None:
        return K
    t = np.einsum("epiJ,epaJ->epai", k.F, SN).reshape(e, p, -1)
    c = (a2[..., 0] * (S * k.C * _TWICE).sum(axis=-1))[..., None]  # S:C
    g, h = k.g, k.h
    gT = g.swapaxes(1, 2)
    mixed = gT @ t
    K = K + 2.0 * (mixed + mixed.swapaxes(1, 2)) + 2.0 * gT @ (c * g)
    return np.asarray(K + _volume(k, c[..., 0], h))


def _volume(k: _Strained, c: Array, h: Array) -> Array:
    """Σ c ∂g/∂u, ∂g = ⅓ (∂²ln J̄ − ∂²ln J); ∂²ln J = −h_aj h_bi."""
    e, p, m = h.shape
    w = k.volume * np.linalg.det(k.F)
    w = w / w.sum(axis=1, keepdims=True)
    total = c.sum(axis=1, keepdims=True)
    mean = (w[..., None] * h).sum(axis=1)
    swapped = (total * w + -c)[..., None] * h  # −(Σc w) + c of −h_aj h_bi
    H = h.reshape(e, p, m // 3, 3)
    crossed = np.einsum(
        "epaj,epbi->eaibj", swapped.reshape(H.shape), H, optimize=True
    ).reshape(e, m, m)
    plain = h.swapaxes(1, 2) @ ((total * w)[..., None] * h)
    outer = total[:, :, None] * mean[:, :, None] * mean[:, None, :]
    return np.asarray((plain - crossed - outer) / 3.0)


_PLACE = np.array([[0, 3, 5], [3, 1, 4], [5, 4, 2]])
