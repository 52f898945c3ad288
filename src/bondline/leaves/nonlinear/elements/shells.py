"""Shells of plane-stress layers: flat facets in corotational frames.

Plates are MITC4 and MITC3+; membranes are bilinear with the shear of the centre, which
keeps beams of one layer of quads from locking, or constant strain. Layers lie at Gauss
points of the thickness; transverse shear and drilling are elastic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from bondline.leaves.fe.elements.facets import QUADRILATERAL, TRIANGLE, Facet
from bondline.leaves.fe.elements.membranes import _mean_drilling, drilling_slope
from bondline.leaves.fe.elements.mitc3 import mitc3
from bondline.leaves.fe.elements.mitc4 import mitc4
from bondline.leaves.fe.elements.plane_stress import SHEAR_FACTOR
from bondline.leaves.fe.elements.shell_frames import Flat, flatten
from bondline.leaves.fe.elements.shell_mass import shell_mass
from bondline.leaves.fe.sections import ShellSection
from bondline.leaves.nonlinear.elements.block import Answer, Array, Indices, Moved
from bondline.leaves.nonlinear.elements.frames import (
    follow,
    turned,
    world_force,
    world_tangent,
)
from bondline.leaves.nonlinear.materials.law import Law, Metal, Point, elastic
from bondline.leaves.nonlinear.materials.plane_stress import ElasticPlane, plane_law

_MEMBRANE, _PLATE = [0, 1, 5], [2, 3, 4]
_TURN = 256


class _Rest(NamedTuple):
    """What elements are at rest: strains from local dofs, and what stays elastic."""

    B: Array  # membrane strain and curvature, e × g × 6 × 6n
    K: Array  # transverse shear and drilling, e × 6n × 6n
    linear: Array  # all of it, elastic; e × 1 × 1 where nothing asks for it
    area: Array


@dataclass(frozen=True, eq=False)
class Shells:
    """S4 (four nodes) or S3 (three), of one thickness and metal.

    Strains are small, rotations any; the nodes are on the middle surface. The mass is
    lumped.
    """

    widths: ClassVar[tuple[int, ...]] = (3, 4)

    nodes: Indices
    metal: Metal
    thickness: float
    layers: int = 5
    components: tuple[int, ...] = (0, 1, 2, 3, 4, 5)

    @cached_property
    def law(self) -> Law:
        """That of a layer."""
        return plane_law(self.metal)

    @property
    def _facet(self) -> Facet:
        return QUADRILATERAL if self.nodes.shape[1] == 4 else TRIANGLE

    @property
    def _section(self) -> ShellSection:
        return ShellSection(elastic(self.metal), self.thickness)

    @property
    def spots(self) -> int:
        """Points of integration in an element."""
        return len(self._facet.weights) * self.layers

    @property
    def numbers(self) -> int:
        """Of all points."""
        return len(self.nodes) * self.spots * self.law.numbers

    @cached_property
    def _heights(self) -> tuple[Array, Array]:
        """Where layers are, and how thick."""
        z, w = np.polynomial.legendre.leggauss(self.layers)
        return 0.5 * self.thickness * z, 0.5 * self.thickness * w

    @cached_property
    def _known(self) -> dict[int, tuple[Array, _Rest]]:
        return {}

    def _rest(self, points: Array) -> _Rest:
        """Found once for the points of a model."""
        kept = self._known.get(0)
        if kept is None or kept[0] is not points:
            parts = [self._at_rest(points[some]) for some in _turns(self.nodes)]
            rest = _Rest(*(np.concatenate(each) for each in zip(*parts, strict=True)))
            self._known[0] = kept = (points, rest)
        return kept[1]

    def _at_rest(self, X: Array) -> _Rest:
        kind = f"S{X.shape[1]}"
        flat = flatten(X, self._facet, kind)
        e, n, g = len(X), X.shape[1], len(self._facet.weights)
        plate = (mitc4 if n == 4 else mitc3)(flat, self._section)
        B = np.zeros((e, g, 6, n, 6))
        B[:, :, :3, :, :2] = _membrane(flat, self._facet)
        B[:, :, 3:, :, 2:5] = plate.curvature.reshape(e, g, 3, n, 3)
        slip = np.zeros((e, g, 2, n, 6))
        slip[..., 2:5] = plate.shear.reshape(e, g, 2, n, 3)
        arms = _arms(flat)
        B, slip = (np.einsum("egrna,enab->egrnb", A, arms) for A in (B, slip))
        slip = slip.reshape(e, -1, 6 * n)
        weight = SHEAR_FACTOR * elastic(self.metal).G * self.thickness
        dA = np.repeat(flat.weights, 2, axis=1)
        K = slip.swapaxes(1, 2) @ (weight * dA[:, :, None] * slip)
        K = K + _drilling(flat, self._facet, self._section, arms)
        made = _Rest(B.reshape(e, g, 6, 6 * n), K, np.zeros((e, 1, 1)), flat.weights)
        return made._replace(linear=self._linear(made))

    def _linear(self, rest: _Rest) -> Array:
        """The elastic stiffness of small motions, for Rayleigh's β."""
        if not elastic(self.metal).beta:
            return rest.linear
        still = np.zeros(rest.K.shape[:2])
        law = ElasticPlane(elastic(self.metal))
        at = self._layered(rest, still, still[:, :0], law)
        return np.asarray(self._resultants(rest, at)[1] + rest.K)

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """Forces and tangents in world axes, rotations as spins; some at a time."""
        assert moved.R is not None
        rest, wide = self._rest(points), past.reshape(len(self.nodes), -1)
        parts = []
        for k in range(0, max(len(self.nodes), 1), _TURN):
            some = slice(k, k + _TURN)
            now = Moved(moved.d[some], moved.v[some], moved.R[some])
            here = _Rest(*(each[some] for each in rest))
            parts.append(self._answer(points[self.nodes[some]], here, now, wide[some]))
        force, K, C, history = (
            np.concatenate(each) for each in zip(*(a[:4] for a in parts), strict=True)
        )
        stored, plastic = (float(sum(a[k] for a in parts)) for k in (4, 5))
        damping = C if elastic(self.metal).beta else None
        return Answer(force, K, damping, history.ravel(), stored, plastic)

    def _answer(
        self, X: Array, rest: _Rest, moved: Moved, past: Array
    ) -> tuple[Array, Array, Array, Array, float, float]:
        assert moved.R is not None
        e, n = X.shape[:2]
        frame = follow(X, moved.d[:, :, :3], moved.R)
        d = frame.d.reshape(e, 6 * n)
        at = self._layered(rest, d, past)
        f, K = self._resultants(rest, at)
        f = f + (rest.K @ d[:, :, None])[:, :, 0]
        stored = float(0.5 * (d * (rest.K @ d[:, :, None])[:, :, 0]).sum())
        C, beta = np.zeros((e, 1, 1)), elastic(self.metal).beta
        if beta:
            K0 = beta * rest.linear
            v = np.einsum("eji,enj->eni", frame.E, moved.v.reshape(e, -1, 3))
            f = f + (K0 @ (frame.H @ v.reshape(e, -1, 1)))[:, :, 0]
            C = turned(frame.E, frame.H.swapaxes(1, 2) @ K0 @ frame.H)
        tangent = world_tangent(frame, f, K + rest.K)
        weights = rest.area[:, :, None] * self._heights[1]
        sums = [float((each * weights).sum()) for each in (at.stored, at.plastic)]
        history = at.history.reshape(e, -1)
        return world_force(frame, f), tangent, C, history, sums[0] + stored, sums[1]

    def _layered(
        self, rest: _Rest, d: Array, past: Array, law: Law | None = None
    ) -> Point:
        """All layers of all points: e × g × layers."""
        law = law or self.law
        strain = (rest.B @ d[:, None, :, None])[..., 0]
        z, _ = self._heights
        each = strain[:, :, None, :3] + z[:, None] * strain[:, :, None, 3:]
        return law.respond(each, past.reshape(*each.shape[:3], law.numbers))

    def _resultants(self, rest: _Rest, at: Point) -> tuple[Array, Array]:
        """Forces and slopes of local dofs from those of the layers."""
        (z, w), (e, g, _, m) = self._heights, rest.B.shape
        powers = np.stack([w, w * z, w * z * z])
        N, M = np.einsum("kl,eglc->kegc", powers[:2], at.stress, optimize=True)
        A, Bc, D = np.einsum("kl,eglij->kegij", powers, at.tangent, optimize=True)
        dA = rest.area[:, :, None]
        S = np.concatenate([N, M], axis=2) * dA
        rows = rest.B.reshape(e, 6 * g, m)
        f = (S.reshape(e, 1, -1) @ rows)[:, 0]
        CC = np.empty((e, g, 6, 6))
        CC[..., :3, :3], CC[..., :3, 3:], CC[..., 3:, :3], CC[..., 3:, 3:] = (
            A,
            Bc,
            Bc,
            D,
        )
        slopes = ((CC * dA[..., None]) @ rest.B).reshape(e, 6 * g, m)
        return f, np.asarray(rows.swapaxes(1, 2) @ slopes)

    def mass(self, points: Array) -> Array:
        """Lumped, with rotary inertia about every axis."""
        return shell_mass(points[self.nodes], self._facet, self._section, lumped=True)

    def drag(self) -> float:
        """α of the material."""
        return elastic(self.metal).alpha

    def strains(self, past: Array) -> Array | None:
        """Largest over points and layers."""
        if not self.law.numbers:
            return None
        wide = past.reshape(len(self.nodes), -1, self.law.numbers)
        return np.asarray(wide[:, :, 0].max(axis=1))

    def stresses(self, points: Array, moved: Moved, past: Array) -> Array:
        """Largest von Mises stress of every element, over points and layers."""
        assert moved.R is not None
        frame = follow(points[self.nodes], moved.d[:, :, :3], moved.R)
        d = frame.d.reshape(len(self.nodes), -1)
        s = self._layered(self._rest(points), d, past).stress
        xx, yy, xy = np.moveaxis(s, -1, 0)
        square = xx**2 - xx * yy + yy**2 + 3.0 * xy**2
        return np.asarray(np.sqrt(square.max(axis=(1, 2))))


def _turns(nodes: Indices) -> list[Indices]:
    return [nodes[k : k + _TURN] for k in range(0, len(nodes), _TURN)]


def _membrane(flat: Flat, facet: Facet) -> Array:
    """xx yy and γ from u v: e × g × 3 × n × 2; γ is that of the centre."""
    dN = np.linalg.inv(flat.J) @ facet.slopes
    share = flat.weights / flat.area[:, None]
    mean = np.einsum("eg,egin->ein", share, dN)[:, None]
    B = np.zeros((*dN.shape[:2], 3, dN.shape[3], 2))
    B[:, :, 0, :, 0], B[:, :, 1, :, 1] = dN[:, :, 0], dN[:, :, 1]
    B[:, :, 2, :, 0], B[:, :, 2, :, 1] = mean[:, :, 1], mean[:, :, 0]
    return B


def _drilling(flat: Flat, facet: Facet, section: ShellSection, arms: Array) -> Array:
    """Elastic stiffness of θz against the membrane's turn, and of uneven θz."""
    e, n = flat.xy.shape[:2]
    turn = np.zeros((e, 1, n, 6))
    turn[:, 0][..., _MEMBRANE] = _mean_drilling(flat).reshape(e, n, 3)
    turn *= np.sqrt(section.material.G * section.thickness * flat.area)[
        :, None, None, None
    ]
    dN = np.linalg.inv(flat.J) @ facet.slopes * np.sqrt(flat.weights)[..., None, None]
    uneven = np.zeros((e, 2 * len(facet.weights), n, 6))
    uneven[..., 5] = drilling_slope(section) * dN.reshape(e, -1, n)
    rows = np.concatenate([turn, uneven], axis=1)
    rows = np.einsum("ekna,enab->eknb", rows, arms).reshape(e, -1, 6 * n)
    return np.asarray(rows.swapaxes(1, 2) @ rows)


def _arms(flat: Flat) -> Array:
    """From nodes to corners of the facet: rigid arms along the normal, in its axes."""
    T = np.zeros((*flat.heights.shape, 6, 6))
    T[...] = np.eye(6)
    T[..., 0, 4], T[..., 1, 3] = -flat.heights, flat.heights
    return T
