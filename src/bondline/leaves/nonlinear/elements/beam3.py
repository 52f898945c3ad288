"""Beams of fibres in space: corotational, Euler-Bernoulli, any displacement and turn.

After Battini and Pacoste (2002). The frame E of an element has its first axis along the
chord; its second follows the mean q of both ends' second axes. What is left is small:
q_l = (ΔL, ϑ₁, ϑ₂) with ϑ_a = log(Eᵀ R_a E₀). In local axes, ψ_a the spins of the ends
against the frame and ω that of the frame,

    δϑ_a = J⁻¹(ϑ_a) ψ_a,   ψ = P δd,   ω = Gᵀ δd,   P = (rotations) − (Gᵀ, Gᵀ).   (1)

The tangent is complete: it has the variation of G, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from bondline.core import Vector
from bondline.leaves.fe.elements.axes import beam_axes
from bondline.leaves.nonlinear.elements.block import Answer, Array, Indices, Moved
from bondline.leaves.nonlinear.elements.fibres import Fibres
from bondline.leaves.nonlinear.elements.frames import moment_slope, turned
from bondline.leaves.nonlinear.materials.law import Law, elastic
from bondline.leaves.nonlinear.materials.uniaxial import fibre_law
from bondline.leaves.nonlinear.turning import (
    inverse_jacobians,
    logarithms,
    skew,
)

_SPOTS, _WEIGHTS = np.polynomial.legendre.leggauss(3)
_XI, _W = 0.5 * (_SPOTS + 1.0), 0.5 * _WEIGHTS


@dataclass(frozen=True, eq=False)
class Beams3:
    """Beams in space; axis 1 of the section is `direction` made normal to the beam.

    Fibres carry normal stress; twist is elastic, G J. Half of the mass sits at either
    end, with the polar inertia of the section on all three rotations.
    """

    widths: ClassVar[tuple[int, ...]] = (2,)
    slender: ClassVar[bool] = True

    nodes: Indices
    section: Fibres
    direction: Vector
    components: tuple[int, ...] = (0, 1, 2, 3, 4, 5)

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
        """L ∂ε/∂q_l at all fibres of all Gauss points, and w A: (3 f) × 7, 3 f."""
        y1, y2, A = self.section.y1, self.section.y2, self.section.area
        one, two = 6.0 * _XI - 4.0, 6.0 * _XI - 2.0
        rows = np.zeros((3, len(A), 7))
        rows[:, :, 0] = 1.0
        rows[:, :, 2], rows[:, :, 3] = np.outer(one, y2), -np.outer(one, y1)
        rows[:, :, 5], rows[:, :, 6] = np.outer(two, y2), -np.outer(two, y1)
        return rows.reshape(-1, 7), (_W[:, None] * A).ravel()

    @cached_property
    def _squares(self) -> Array:
        rows, _ = self._shape
        return (rows[:, :, None] * rows[:, None, :]).reshape(-1, 49)

    def _twist(self) -> Array:
        k = np.zeros((7, 7))
        k[1, 1] = k[4, 4] = 1.0
        k[1, 4] = k[4, 1] = -1.0
        return np.asarray(elastic(self.section.metal).G * self.section.J * k)

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """Forces and tangents in world axes, rotations as spins."""
        assert moved.R is not None
        X = points[self.nodes]
        chord = _chord(X, moved.d[:, :, :3], moved.R, self._rest(X))
        (rows, wA), law, L = self._shape, self.law, chord.L[:, None]
        at = law.respond(
            (chord.q / L) @ rows.T, past.reshape(len(X), len(wA), law.numbers)
        )
        twist = self._twist() / L[:, :, None]
        n = (at.stress * wA) @ rows + _times(twist, chord.q)
        k = ((at.tangent * wA) @ self._squares).reshape(-1, 7, 7) / L[:, :, None]
        C, B, metal = None, _local(chord), elastic(self.section.metal)
        if metal.beta:
            k0 = ((metal.E * wA) @ self._squares).reshape(7, 7) / L[:, :, None]
            k0 = metal.beta * (k0 + twist)
            n = n + _times(k0, _times(B, _turned(chord.E, moved.v)))
            C = turned(chord.E, B.transpose(0, 2, 1) @ k0 @ B)
        K = B.transpose(0, 2, 1) @ (k + twist) @ B + _bends(chord, n)
        force = _times(B.transpose(0, 2, 1), n).reshape(-1, 4, 3)
        world = np.einsum("eij,enj->eni", chord.E, force).reshape(-1, 12)
        stored, plastic = (
            float(((each * wA).sum(axis=1) * chord.L).sum()) for each in at[3:]
        )
        stored += 0.5 * float((chord.q * _times(twist, chord.q)).sum())
        K = turned(chord.E, K)
        return Answer(world, K, C, at.history.ravel(), stored, plastic)

    def _rest(self, X: Array) -> Array:
        """Axes at rest as columns: along the beam, 1 and 2."""
        return beam_axes("Beams3", X, np.asarray(self.direction)).swapaxes(1, 2)

    def mass(self, points: Array) -> Array:
        """Half at either end."""
        X, s = points[self.nodes], self.section
        L = np.linalg.norm(X[:, 1] - X[:, 0], axis=1)
        rho = elastic(s.metal).rho
        polar = float((s.area * (s.y1**2 + s.y2**2)).sum())
        each = 0.5 * rho * L[:, None] * np.array([s.area.sum()] * 3 + [polar] * 3)
        return np.tile(each, 2)[:, :, None] * np.eye(12)

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
        assert moved.R is not None
        X, (rows, wA) = points[self.nodes], self._shape
        chord = _chord(X, moved.d[:, :, :3], moved.R, self._rest(X))
        shape = (len(X), len(wA), self.law.numbers)
        at = self.law.respond(
            (chord.q / chord.L[:, None]) @ rows.T, past.reshape(shape)
        )
        return np.asarray(np.abs(at.stress).max(axis=1))


class _Chord(NamedTuple):
    """An element's frame, and what its ends do in it; all in local axes but E."""

    q: Array  # ΔL, ϑ₁, ϑ₂
    E: Array  # axes as columns
    L: Array
    length: Array  # now
    ends: Array  # second axes of both ends, e × 2 × 3
    G: Array  # Gᵀ of (1), e × 3 × 12
    P: Array  # e × 6 × 12


def _times(A: Array, x: Array) -> Array:
    return np.asarray((A @ x[:, :, None])[:, :, 0])


def _turned(E: Array, v: Array) -> Array:
    """Velocities of the nodes (e × 2 × 6) in local axes, e × 12."""
    parts = v.reshape(len(v), 4, 3)
    return np.asarray(np.einsum("eji,enj->eni", E, parts).reshape(len(v), 12))


def _chord(X: Array, d: Array, R: Array, E0: Array) -> _Chord:
    X21, d21 = X[:, 1] - X[:, 0], d[:, 1] - d[:, 0]
    x21 = X21 + d21
    L, now = np.linalg.norm(X21, axis=1), np.linalg.norm(x21, axis=1)
    stretch = ((2.0 * X21 + d21) * d21).sum(axis=1) / (now + L)
    axes = R @ E0[:, None]  # triads of both ends, e × 2 × 3 × 3
    e1 = x21 / now[:, None]
    e3 = np.cross(e1, axes[:, :, :, 1].mean(axis=1))
    e3 /= np.linalg.norm(e3, axis=1)[:, None]
    E = np.stack([e1, np.cross(e3, e1), e3], axis=2)
    turns = logarithms(E.swapaxes(1, 2)[:, None] @ axes)
    q = np.concatenate([stretch[:, None], turns.reshape(-1, 6)], axis=1)
    ends = np.einsum("eji,eaj->eai", E, axes[:, :, :, 1])
    G = _spin(ends, now)
    P = np.zeros((len(now), 6, 12))
    P[:, :3, 3:6] = P[:, 3:, 9:] = np.eye(3)
    P -= np.concatenate([G, G], axis=1)
    return _Chord(q, E, L, now, ends, G, P)


def _spin(ends: Array, now: Array) -> Array:
    """Gᵀ: the spin of the frame from motions of the nodes."""
    mean = ends.mean(axis=1)
    eta = mean[:, 0] / mean[:, 1]
    share = ends / mean[:, 1, None, None]
    G = np.zeros((len(now), 3, 12))
    G[:, 0, 2], G[:, 0, 8] = eta / now, -eta / now
    G[:, 0, 3], G[:, 0, 4] = 0.5 * share[:, 0, 1], -0.5 * share[:, 0, 0]
    G[:, 0, 9], G[:, 0, 10] = 0.5 * share[:, 1, 1], -0.5 * share[:, 1, 0]
    G[:, 1, 2], G[:, 1, 8] = 1.0 / now, -1.0 / now
    G[:, 2, 1], G[:, 2, 7] = -1.0 / now, 1.0 / now
    return G


def _local(chord: _Chord) -> Array:
    """∂q_l/∂d in local axes, e × 7 × 12."""
    B = np.zeros((len(chord.q), 7, 12))
    B[:, 0, 0], B[:, 0, 6] = -1.0, 1.0
    J = inverse_jacobians(chord.q[:, 1:].reshape(-1, 2, 3))
    B[:, 1:] = (J @ chord.P.reshape(-1, 2, 3, 12)).reshape(-1, 6, 12)
    return B


def _bends(chord: _Chord, n: Array) -> Array:
    """∂(Bᵀ n)/∂d at constant n, in local axes."""
    turns, m = chord.q[:, 1:].reshape(-1, 2, 3), n[:, 1:].reshape(-1, 2, 3)
    J = inverse_jacobians(turns)
    spin = (J.swapaxes(2, 3) @ m[..., None])[..., 0]  # moments on spins
    P, now = chord.P, chord.length
    P2 = P.reshape(-1, 2, 3, 12)
    K = np.einsum(
        "eaki,eakl,ealj->eij", P2, moment_slope(turns, m) @ J, P2, optimize=True
    )
    across = n[:, 0] / now
    for i in (1, 2):
        K[:, i, i] += across
        K[:, i + 6, i + 6] += across
        K[:, i, i + 6] -= across
        K[:, i + 6, i] -= across
    nodal = (P.swapaxes(1, 2) @ spin.reshape(-1, 6, 1)).reshape(-1, 4, 3)
    K -= skew(nodal).reshape(-1, 12, 3) @ chord.G
    return np.asarray(K - _spin_slope(chord, spin.sum(axis=1)))


def _spin_slope(chord: _Chord, mu: Array) -> Array:
    """∂(G μ)/∂d at constant μ, in local axes."""
    ends, P, now = chord.ends, chord.P.reshape(-1, 2, 3, 12), chord.length[:, None]
    mean = ends.mean(axis=1)
    q2, eta = mean[:, 1, None], (mean[:, 0] / mean[:, 1])[:, None]
    change = np.cross(P.swapaxes(2, 3), ends[:, :, None, :])  # e × 2 × 12 × 3
    mean1, mean2 = change[..., 0].mean(axis=1), change[..., 1].mean(axis=1)
    d_eta = (mean1 - eta * mean2) / q2
    d_share = (
        change[..., :2]
        - ends[:, :, None, :2] / q2[:, None, None] * (mean2[:, None, :, None])
    )
    d_share = d_share / q2[:, None, None]
    grow = np.zeros((len(now), 12))
    grow[:, 0], grow[:, 6] = -1.0, 1.0  # of now
    m1, m2, m3 = (mu[:, k, None] for k in range(3))
    K = np.zeros((len(now), 12, 12))
    K[:, 1] = m3 / now**2 * grow
    K[:, 2] = m1 / now * d_eta - (eta * m1 + m2) / now**2 * grow
    K[:, 7], K[:, 8] = -K[:, 1], -K[:, 2]
    K[:, 3], K[:, 4] = 0.5 * m1 * d_share[:, 0, :, 1], -0.5 * m1 * d_share[:, 0, :, 0]
    K[:, 9], K[:, 10] = 0.5 * m1 * d_share[:, 1, :, 1], -0.5 * m1 * d_share[:, 1, :, 0]
    return K
