"""A manufactured field in solids: how fast its errors fall with the elements' size."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.elements import brick as hexa
from bondline.leaves.fe.elements import tets
from bondline.leaves.fe.generate import brick
from bondline.leaves.fe.sections import Material, SolidSection
from tests.cases.ladder.shapes import CUT_SOLIDS
from tests.fe.small import Small

SIDES = ("u0", "u1", "v0", "v1", "w0", "w1")


def wave(x):
    """A field, its gradient and the body force it needs, E = 1, ν = ¼: λ = μ = 0.4."""
    c, k, mu = np.array([1.0, -0.5, 0.3]), np.array([1.1, 2.3, -1.7]), 0.4
    phase = x @ k + 0.3
    slope = np.cos(phase)[..., None, None] * np.outer(c, k)
    push = 2.0 * mu * (c @ k) * k + mu * (k @ k) * c
    return np.sin(phase)[..., None] * c, slope, np.sin(phase)[..., None] * push


def rule(kind):
    """A rule finer than the element's own: points, weights, shapes, slopes."""
    if kind == "C3D8":
        a, w = np.polynomial.legendre.leggauss(3)
        grid = np.stack(np.meshgrid(a, a, a), axis=-1).reshape(-1, 3)
        weights = np.einsum("i,j,k->ijk", w, w, w).ravel()
        return grid, weights, hexa.shape, hexa.slopes
    points, weights = tets._L14, tets._W14
    if kind == "C3D10":
        return points, weights, tets.shape10, tets.slopes10
    flat = np.repeat(tets._DN4, len(points), axis=0)
    return points, weights, lambda L: L, lambda L: flat


def errors(kind, cells):
    """Errors in L2 and H1 of the wave on a smoothly mapped cube."""

    def curve(u):
        return u + 0.04 * np.sin(2.0 * np.pi * u[:, [1, 2, 0]])

    patch = CUT_SOLIDS[kind](brick((cells, cells, cells), lambda u: u)).mapped(curve)
    small = Small(patch, kind, SolidSection(Material("m", 1.0, 0.25)))
    f = small.body_force(lambda x: wave(x)[2], rule(kind))
    fixed = small.dofs(np.unique(np.concatenate([patch.node_sets[s] for s in SIDES])))
    u = small.solve(f, fixed, wave(patch.points)[0].ravel()[fixed])
    return small.distance(u, wave, rule(kind))


def rates(kind, cells):
    """Orders in L2 and H1 from one halving."""
    coarse, fine = errors(kind, cells), errors(kind, 2 * cells)
    return np.log2(np.array(coarse) / fine)
