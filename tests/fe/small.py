"""A tiny dense-minded assembly for tests of elements: nodes, matrices, one solve."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import eigsh, splu

from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.elements.isoparametric import gradients
from bondline.leaves.fe.generate import Patch


class Small:
    """One patch of one kind: K, M and solutions with some dofs fixed."""

    def __init__(self, patch: Patch, kind: str, section: object) -> None:
        self.patch, self.element, self.section = patch, ELEMENTS[kind], section
        self.kind = kind
        self.x = patch.points[patch.nodes]
        self.width = len(self.element.dofs)
        self.size = len(patch.points) * self.width

    def dofs(self, nodes, component=None):
        first = np.asarray(nodes)[:, None] * self.width
        which = range(self.width) if component is None else [component]
        return (first + np.array(which)).ravel()

    def summed(self, matrices):
        rows = self.patch.nodes[:, :, None] * self.width + np.arange(self.width)
        rows = rows.reshape(len(self.x), -1)
        i = np.repeat(rows[:, :, None], rows.shape[1], axis=2)
        at = (i.ravel(), i.swapaxes(1, 2).ravel())
        return coo_array((matrices.ravel(), at), shape=(self.size,) * 2).tocsc()

    @property
    def K(self):
        return self.summed(self.element.stiffness(self.x, self.section))

    def M(self, lumped=False):
        return self.summed(self.element.mass(self.x, self.section, lumped))

    def solve(self, f, fixed, values=0.0):
        """Displacements, all dofs, with those in `fixed` prescribed."""
        u = np.zeros(self.size)
        u[fixed] = values
        free = np.setdiff1d(np.arange(self.size), fixed)
        K = self.K
        rest = np.asarray(f - K @ u)[free]
        u[free] = splu(K[free][:, free].tocsc()).solve(rest)
        return u

    def roundoff(self, u, fixed):
        """How far `solve` may miss `u`, dof by dof: ε |K⁻¹| |K| |u|.

        To first order that is what rounding the entries of K and f does (Skeel 1979).
        """
        free = np.setdiff1d(np.arange(self.size), fixed)
        K = self.K[free][:, free].toarray()
        found = np.zeros(self.size)
        found[free] = np.abs(np.linalg.inv(K)) @ (np.abs(K) @ np.abs(u[free]))
        return np.finfo(float).eps * found

    def frequencies(self, count, fixed, lumped=False, shift=0.0):
        free = np.setdiff1d(np.arange(self.size), fixed)
        K, M = self.K[free][:, free], self.M(lumped)[free][:, free]
        start = np.ones(len(free))
        w2 = eigsh(K, count, M, sigma=shift, v0=start, return_eigenvectors=False)
        return np.sqrt(np.sort(w2).clip(0.0)) / (2.0 * np.pi)

    def of_elements(self, u):
        wide = u.reshape(-1, self.width)
        return wide[self.patch.nodes].reshape(len(self.x), -1)

    def recovered(self, u):
        return self.element.recover(self.x, self.section, self.of_elements(u))

    def at_points(self, rule):
        """Shapes, gradients, positions and volumes at the points of a rule."""
        points, weights, shapes, slopes = rule
        N, (g, det) = shapes(points), gradients("test", self.x, slopes(points))
        return N, g, N @ self.x, det * weights

    def body_force(self, f, rule):
        """∫ Nᵀ f dV; `f` maps positions to forces."""
        N, _, x, dV = self.at_points(rule)
        each = np.einsum("ga,egi,eg->eai", N, f(x), dV)
        total = np.zeros((len(self.patch.points), 3))
        np.add.at(total, self.patch.nodes, each)
        return total.ravel()

    def distance(self, u, exact, rule):
        """Errors in L2 of displacements and of their gradient."""
        N, g, x, dV = self.at_points(rule)
        nodes = self.of_elements(u).reshape(len(self.x), -1, 3)
        value, slope = exact(x)[:2]
        moved = N @ nodes - value
        bent = np.einsum("egaj,eai->egij", g, nodes) - slope
        return (
            np.sqrt(np.einsum("egi,egi,eg->", moved, moved, dV)),
            np.sqrt(np.einsum("egij,egij,eg->", bent, bent, dV)),
        )


def rotation(seed):
    """A rotation drawn from a seed."""
    q, r = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def rigid_motions(x, width):
    """Six rigid motions of every element at `x`: elements × m × 6."""
    count, n = x.shape[:2]
    modes = np.zeros((count, n, width, 6))
    for k in range(3):
        modes[:, :, k, k] = 1.0
        turn = np.eye(3)[k]
        modes[:, :, :3, 3 + k] = np.cross(turn, x)
        if width == 6:
            modes[:, :, 3 + k, 3 + k] = 1.0
    return modes.reshape(count, n * width, 6)
