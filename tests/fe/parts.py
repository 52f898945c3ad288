"""Small models for tests of the solver: plates, bars, beams, blocks."""

from __future__ import annotations

import numpy as np

from bondline.core import Rejected, uniform
from bondline.leaves.fe.generate import bilinear, brick, grid, line, linear, trilinear
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.sections import (
    BeamSection,
    Bushing,
    Material,
    PointMass,
    ShellSection,
    SolidSection,
    TrussSection,
)

STEEL = Material("steel", 210e9, 0.3, 7850.0)
DAMPED = Material("damped", 210e9, 0.3, 7850.0, alpha=5.0, beta=1e-5)
ALL = (0, 1, 2, 3, 4, 5)


def plate(nx=4, ny=3, x=(0.0, 1.0), wide=0.5, thick=0.01, material=STEEL):
    """Shells over x and y; sets u0 u1 v0 v1 are its sides."""
    (a, b), w = x, wide
    corners = [(a, 0, 0), (b, 0, 0), (b, w, 0), (a, w, 0)]
    patch = grid((nx, ny), bilinear(corners))
    return patch.mesh("S4", ShellSection(material, thick))


def block(cells=(2, 2, 2), sizes=(1.0, 1.0, 1.0), at=(0.0, 0.0, 0.0), material=STEEL):
    """Bricks; sets u0 … w1 are nodes and faces of its sides."""
    base = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
    corners = np.vstack([np.c_[base, z * np.ones(4)] for z in (0, 1)])
    patch = brick(cells, trilinear(corners * sizes + np.array(at)))
    return patch.mesh("C3D8", SolidSection(material))


def rod(n=4, length=1.0, area=1e-4, material=STEEL):
    """Trusses along x; sets u0 u1 are its ends."""
    patch = line(n, linear((0, 0, 0), (length, 0, 0)))
    return patch.mesh("T3D2", TrussSection(material, area))


def beam(n=4, length=1.0, side=0.02, material=STEEL, end=None):
    """Square Euler-Bernoulli beams along x."""
    patch = line(n, linear((0, 0, 0), (length, 0, 0) if end is None else end))
    return patch.mesh("B33", square(side, material))


def square(side=0.02, material=STEEL):
    bend, twist = side**4 / 12.0, 0.1406 * side**4
    up = np.array([0.0, 1.0, 0.0])
    return BeamSection(material, side**2, bend, bend, twist, up)


def added(mesh, points=(), blocks=()):
    """More points (ids go on) and more blocks (kind, nodes, section)."""
    extra = np.array(points, dtype=float).reshape(-1, 3)
    first = int(mesh.ids.max()) + 1
    number = 1 + max(int(b.ids.max()) for b in mesh.blocks)
    made = list(mesh.blocks)
    for kind, nodes, section in blocks:
        rows = np.atleast_2d(np.array(nodes))
        made.append(Block(kind, rows, section, number + np.arange(len(rows))))
        number += len(rows)
    return Mesh(
        np.vstack([mesh.points, extra]),
        tuple(made),
        np.concatenate([mesh.ids, first + np.arange(len(extra))]),
        mesh.node_sets,
        mesh.element_sets,
        mesh.face_sets,
    )


def mass(m, J=0.0):
    return PointMass(m, J * np.eye(3))


def spring(k, c=0.0):
    six = np.zeros(6)
    return Bushing(six + np.asarray(k), six + np.asarray(c))


def rows(*nodes):
    return np.array(nodes, dtype=np.intp)


def run(leaf, windows, h):
    """The state after so many windows from the start."""
    state = leaf.start(0.0).state
    for n in range(windows):
        done = leaf.advance(state, uniform(0.0, h, n), {})
        assert not isinstance(done, Rejected)
        state = done.state
    return state
