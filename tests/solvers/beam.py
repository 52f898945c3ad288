"""A clamped beam of bricks cut in four, each quarter by another solver.

The plain brick of eight nodes is the same in Kratos, CalculiX and scikit-fem where its
faces are parallel: eight points integrate its stiffness and its mass without an error.
Ours has modes of its own besides. (CalculiX takes too few points for the mass of
tetrahedra: it is singular.)
"""

from __future__ import annotations

from functools import cache

import numpy as np

from bondline.leaves.calculix import calculix_leaf
from bondline.leaves.fe.generate import Piece, brick, join
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import Material, SolidSection
from bondline.leaves.fe.supports import Support
from bondline.leaves.kratos_matrices import kratos_linear
from bondline.leaves.kratos_model import kratos
from bondline.leaves.kratos_structure import KratosStructure
from bondline.leaves.skfem import skfem_leaf

E, NU, RHO = 70e9, 0.33, 2700.0
QUARTER, SIDE = 0.25, 0.1
CELLS = (2, 1, 1)
_RING = [(0, 0), (1, 0), (1, 1), (0, 1)]
_CORNERS = [(x, y, z) for z in (0, 1) for x, y in _RING]  # of our bricks


@cache
def patch(k, count=1):
    """`count` quarters from number k on."""
    cells = (CELLS[0] * count, *CELLS[1:])

    def place(u):
        size = np.array([QUARTER * count, SIDE, SIDE])
        return np.asarray(u) * size + np.array([QUARTER * k, 0.0, 0.0])

    return brick(cells, place)


def side(k, name, count=1):
    """Rows of the nodes of a side, from the lowest place on: as all ports list them."""
    rows, points = patch(k, count).node_sets[name], patch(k, count).points
    return rows[np.lexsort(np.round(points[rows], 9).T[::-1])]


def by_bondline(name, k, count=1, held=()):
    section = SolidSection(Material("alloy", E, NU, RHO))
    mesh = join({"p": Piece(patch(k, count), "C3D8", section)})
    supports = tuple(Support(f"p.{s}", (0, 1, 2)) for s in held)
    ports = {s: side(k, s, count) for s in ("u0", "u1") if s not in held}
    return fe_leaf(FeModel(name, mesh, supports), ports)


def fill(k):
    """The quarter as a model part of Kratos."""

    def filled(part):
        KM, SM = kratos()
        made = part.CreateNewProperties(1)
        made[KM.YOUNG_MODULUS], made[KM.POISSON_RATIO], made[KM.DENSITY] = E, NU, RHO
        made[KM.CONSTITUTIVE_LAW] = SM.LinearElastic3DLaw()
        for i, at in enumerate(patch(k).points.tolist(), start=1):
            part.CreateNewNode(i, *at)
        for i, nodes in enumerate((patch(k).nodes + 1).tolist(), start=1):
            part.CreateNewElement("SmallDisplacementElement3D8N", i, nodes, made)

    return filled


def by_kratos(name, k):
    return KratosStructure(name, fill(k), {s: side(k, s) + 1 for s in ("u0", "u1")})


def kratos_matrices(name, k):
    """The same quarter, assembled by Kratos and stepped here."""
    return kratos_linear(name, fill(k), {s: side(k, s) + 1 for s in ("u0", "u1")})


def deck(k):
    """The quarter as a deck of CalculiX."""
    lines = ["*NODE, NSET=ALL"]
    points, nodes = patch(k).points.tolist(), (patch(k).nodes + 1).tolist()
    lines += [f"{i},{x!r},{y!r},{z!r}" for i, (x, y, z) in enumerate(points, 1)]
    lines += ["*ELEMENT, TYPE=C3D8, ELSET=E"]
    for i, each in enumerate(nodes, 1):
        lines += [",".join(map(str, [i, *each]))]
    for end in ("u0", "u1"):
        lines += [f"*NSET, NSET={end}", *(f"{n}," for n in side(k, end) + 1)]
    lines += ["*MATERIAL, NAME=ALLOY", "*ELASTIC", f"{E!r},{NU!r}"]
    lines += ["*DENSITY", f"{RHO!r}", "*SOLID SECTION, MATERIAL=ALLOY, ELSET=E", ""]
    return "\n".join(lines)


def by_calculix(name, k):
    return calculix_leaf(name, deck(k), {"u0": "u0", "u1": "u1"})


def by_skfem(name, k, ports=("u0", "u1")):
    import skfem
    from skfem.helpers import ddot, dot, sym_grad, trace

    lam, mu = E * NU / (1 + NU) / (1 - 2 * NU), E / 2 / (1 + NU)

    @skfem.BilinearForm
    def stiffness(u, v, w):
        e, d = sym_grad(u), sym_grad(v)
        return lam * trace(e) * trace(d) + 2.0 * mu * ddot(e, d)

    @skfem.BilinearForm
    def mass(u, v, w):
        return RHO * dot(u, v)

    corners = skfem.refdom.RefHex.p.T.astype(int).tolist()
    order = [_CORNERS.index(tuple(corner)) for corner in corners]
    mesh = skfem.MeshHex(patch(k).points.T.copy(), patch(k).nodes[:, order].T.copy())
    ends = {"u0": QUARTER * k, "u1": QUARTER * (k + 1)}
    mesh = mesh.with_boundaries(
        {s: lambda x, at=at: np.isclose(x[0], at) for s, at in ends.items()}
    )
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementHex1()), intorder=3)
    forms = {"K": stiffness, "M": mass}
    return skfem_leaf(name, basis, forms, {s: s for s in ports})
