"""Small finite-element blocks in the plane and in space, all arrays, all dense."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from bondline.core import Port, Surface, ref
from bondline.gluing.joints.mesh_tie import MeshTie

ENDS = ref("a.face"), ref("b.face")
POISSON = 0.3  # Young's modulus is one
GAUSS = 0.5 + 0.5 * np.array([-1.0, 1.0]) / np.sqrt(3.0)

# corners of one cell of the grid, in the order of its nodes
SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
CUBE = np.array([(*xy, z) for z in (0, 1) for xy in SQUARE.tolist()])
SPLIT = {
    "Q4": [(0, 1, 2, 3)],
    "T3": [(0, 1, 2), (0, 2, 3)],
    "hex8": [tuple(range(8))],
    # six tetrahedra about the diagonal 0-6: faces of neighbours match
    "tet4": [
        (0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6),
        (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6),
    ],
}  # fmt: skip
FACES = {
    "Q4": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "T3": [(0, 1), (1, 2), (2, 0)],
    "hex8": [
        (0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4),
        (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7),
    ],
    "tet4": [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)],
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Block:
    """A box of elements with its stiffness; `box` holds its lower and upper corner."""

    kind: str
    points: np.ndarray
    elements: np.ndarray
    box: np.ndarray
    K: np.ndarray

    @property
    def dim(self):
        return self.points.shape[1]

    def side(self, axis, end):
        """Facets on one side of the box: `end` 0 is the lower, 1 the upper one."""
        on = np.isclose(self.points[:, axis], self.box[end, axis], atol=1e-12)
        faces = [e[list(f)] for e in self.elements for f in FACES[self.kind]]
        return [tuple(f.tolist()) for f in faces if on[f].all()]

    def loads(self, facets, traction):
        """∫ φ t over facets, for a traction t(x)."""
        f = np.zeros(self.points.shape)
        for facet in facets:
            X, nodes = self.points[list(facet)], list(facet)
            for N, w in facet_rule(X):
                f[nodes] += w * np.outer(N, traction(N @ X))
        return f.ravel()

    def port(self, name, facets):
        """The nodes of some facets as a port, and which of the block's they are."""
        nodes = sorted({n for f in facets for n in f})
        own = {n: i for i, n in enumerate(nodes)}
        points = np.zeros((len(nodes), 3))
        points[:, : self.dim] = self.points[nodes]
        surface = Surface(points, tuple(tuple(own[n] for n in f) for f in facets))
        dofs = ("x", "y", "z")[: self.dim]
        return Port(name, dofs, len(nodes), surface=surface), np.array(nodes)


def block(kind, *lines, move=None):
    """Elements between grid lines, one array an axis; `move` shifts the points."""
    dim = len(lines)
    counts = [len(x) for x in lines]
    points = np.stack([g.ravel() for g in np.meshgrid(*lines, indexing="ij")], axis=1)
    number = np.arange(len(points)).reshape(counts)
    cells = list(product(*(range(n - 1) for n in counts)))
    corners = SQUARE if dim == 2 else CUBE
    cubes = [[number[tuple(np.add(c, d))] for d in corners] for c in cells]
    elements = np.array([np.array(c)[list(s)] for c in cubes for s in SPLIT[kind]])
    box = np.array([points.min(axis=0), points.max(axis=0)])
    if move is not None:
        points = move(points)
    return Block(kind, points, elements, box, stiffness(kind, points, elements))


def stiffness(kind, points, elements):
    """∫ Cᵢₖⱼₗ ∂ₖNₐ ∂ₗN_b, plane stress in the plane."""
    n, dim = points.shape
    lame = POISSON / (1 - POISSON**2)
    if dim == 3:
        lame = POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    mu, d = 0.5 / (1 + POISSON), np.eye(dim)
    C = lame * np.einsum("ik,jl->ikjl", d, d)
    C += mu * (np.einsum("ij,kl->ikjl", d, d) + np.einsum("il,kj->ikjl", d, d))
    K = np.zeros((n, dim, n, dim))
    for e in elements:
        X = points[e]
        for grad, w in gradients(kind, dim):
            J = X.T @ grad
            g = grad @ np.linalg.inv(J)
            dV = w * np.linalg.det(J)
            assert dV > 0.0, "an element is turned inside out"
            K[np.ix_(e, range(dim), e, range(dim))] += dV * np.einsum(
                "ikjl,ak,bl->aibj", C, g, g
            )
    return K.reshape(n * dim, n * dim)


def gradients(kind, dim):
    """∂N/∂ξ and weights at the points of an exact rule."""
    if kind in ("T3", "tet4"):
        volume = 1.0 / (2.0 if dim == 2 else 6.0)
        return [(np.vstack([-np.ones(dim), np.eye(dim)]), volume)]
    signs = 2.0 * (SQUARE if dim == 2 else CUBE) - 1.0
    found = []
    for xi in product(GAUSS, repeat=dim):
        factors = 0.5 * (1.0 + signs * (2.0 * np.array(xi) - 1.0))
        grad = [signs[:, k] * np.delete(factors, k, 1).prod(1) for k in range(dim)]
        found.append((np.stack(grad, axis=1), 1.0 / 2**dim))
    return found


def facet_rule(X):
    """Shape functions and weights on a line, a triangle or a quadrilateral."""
    if len(X) == 2:
        length = np.linalg.norm(X[1] - X[0])
        return [(np.array([1 - s, s]), 0.5 * length) for s in GAUSS]
    if len(X) == 3:
        area = 0.5 * np.linalg.norm(np.cross(X[1] - X[0], X[2] - X[0]))
        return [(0.5 * (1.0 - np.eye(3)[k]), area / 3.0) for k in range(3)]
    found = []
    for s, t in product(GAUSS, repeat=2):
        N = np.array([(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t])
        a = (1 - t) * (X[1] - X[0]) + t * (X[2] - X[3])
        b = (1 - s) * (X[3] - X[0]) + s * (X[2] - X[1])
        found.append((N, 0.25 * np.linalg.norm(np.cross(a, b))))
    return found


def strain_of(stress):
    """Hooke's law with E = 1; the same form in plane stress and in space."""
    return (1 + POISSON) * stress - POISSON * np.trace(stress) * np.eye(len(stress))


def supports(points):
    """Dofs that hold a body without straining it: 3 in the plane, 6 in space."""
    dim = points.shape[1]
    low, high = points.min(axis=0), points.max(axis=0)

    def dof(axis, k):
        corner = low.copy()
        if axis is not None:
            corner[axis] = high[axis]
        return int(np.argmin(((points - corner) ** 2).sum(axis=1))) * dim + k

    held = [dof(None, k) for k in range(dim)] + [dof(1, 0)]
    return held if dim == 2 else [*held, dof(1, 2), dof(2, 0)]


def solve_glued(blocks, f, B, exact):
    """u of both blocks from the saddle system [K Bᵀ; B 0], the first one held.

    `B` has the columns of both blocks, one after the other; the held dofs are given
    the values of `exact`. A column of `f` and `exact` is one load case.
    """
    sizes = [len(b.K) for b in blocks]
    n = sum(sizes)
    K = np.zeros((n, n))
    K[: sizes[0], : sizes[0]], K[sizes[0] :, sizes[0] :] = (b.K for b in blocks)
    held = supports(blocks[0].points)
    rows = np.vstack([B, np.eye(n)[held]])
    m = len(rows)
    saddle = np.block([[K, rows.T], [rows, np.zeros((m, m))]])
    right = np.concatenate([f, np.zeros((len(B), *f.shape[1:])), exact[held]])
    return np.linalg.solve(saddle, right)[:n]


def even(n, low=0.0, high=1.0):
    return np.linspace(low, high, n + 1)


def graded(n, power=1.3):
    return even(n) ** power


def glue_blocks(left, right, swap=False, **how):
    """The tie at x = 1, and its B in the dofs of both blocks."""
    faces = left.port("face", left.side(0, 1)), right.port("face", right.side(0, 0))
    ports = tuple(port for port, _ in faces)
    order = slice(None, None, -1 if swap else 1)
    tie = MeshTie("j", ENDS[order], ports[order], **how)
    tie.suits("here", ports[order])
    d, sizes = left.dim, [b.points.size for b in (left, right)]
    B = np.zeros((len(tie.components), sum(sizes)))
    each = zip((0, sizes[0]), faces, tie.jacobian(())[order], strict=True)
    for start, (_, nodes), B_i in each:
        B[:, start + (nodes[:, None] * d + np.arange(d)).ravel()] = B_i
    return tie, B


def tractions(blocks, stress_at):
    """Loads of a stress field on all sides but the common one."""
    f = []
    for k, b in enumerate(blocks):
        sides = [(a, end) for a in range(b.dim) for end in (0, 1)]
        sides.remove((0, 1 - k))
        f.append(
            sum(
                b.loads(
                    b.side(a, end),
                    lambda x, a=a, end=end: stress_at(x)[a] * (2 * end - 1),
                )
                for a, end in sides
            )
        )
    return np.concatenate(f)
