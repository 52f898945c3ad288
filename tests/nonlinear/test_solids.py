"""Solids: patches, incompressible flow, and the thick cylinder."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.leaves.fe.generate import brick, to_tet10, trilinear
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Hold,
    Linear,
    Moved,
    Newton,
    Nonlinear,
    NonlinearModel,
    Plastic,
    Rubber,
    Solids,
    Statics,
    Stuck,
)
from tests.nonlinear.models import one_block

METAL = Material("m", 2.1e11, 0.3, 7850.0)
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
CORNERS = [(x, y, z) for z in (0, 1) for x, y in SQUARE]


@pytest.mark.parametrize("tets", [False, True])
@pytest.mark.parametrize("metal", [METAL, Rubber(Material("r", 1e6, 0.45))])
def test_a_patch_of_any_shape_takes_a_large_constant_gradient(
    metal: object, tets: bool
) -> None:
    patch = brick((2, 2, 2), trilinear(CORNERS))
    patch = to_tet10(patch) if tets else patch
    points, rng = patch.points.copy(), np.random.default_rng(0)
    inner = ((points > 0.01) & (points < 0.99)).all(axis=1)
    if not tets:
        points[inner] += 0.08 * rng.standard_normal((inner.sum(), 3))
    block = Solids(patch.nodes, metal)
    F = np.eye(3) + np.array([(0.1, 0.2, 0.0), (-0.1, 0.05, 0.1), (0.0, 0.0, -0.08)])
    d = points @ (F - np.eye(3)).T
    moved = d[patch.nodes]
    answer = block.respond(points, Moved(moved, 0.0 * moved), np.zeros(0))
    f = np.zeros_like(points)
    np.add.at(f, patch.nodes, answer.force.reshape(*patch.nodes.shape, 3))
    assert np.abs(f[inner]).max() < 1e-12 * np.abs(f).max()


A, B_, P_LIM = 0.1, 0.2, 0.19209058e9


def ring(cells: int) -> tuple[NonlinearModel, np.ndarray, np.ndarray]:
    """A quarter in plane strain, loads of a unit of inner pressure, and radii."""
    r = np.linspace(A, B_, cells + 1)
    phi = np.linspace(0.0, 0.5 * np.pi, cells + 1)
    grid = np.array([(a * np.cos(f), a * np.sin(f)) for a in r for f in phi])
    points = np.concatenate(
        [np.column_stack([grid, np.full(len(grid), z)]) for z in (0, 0.01)]
    )
    n, m = cells + 1, len(grid)
    i, j = (
        k.ravel()
        for k in np.meshgrid(np.arange(cells), np.arange(cells), indexing="ij")
    )
    base = np.column_stack(
        [i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1]
    )
    metal = Plastic(METAL, Linear(0.24e9, 0.0))
    block = Solids(np.hstack([base, base + m]), metal)
    every = np.arange(len(points))
    first, last = every % m % n == 0, every % m % n == cells
    holds = Hold(every, (2,)), Hold(every[first], (1,)), Hold(every[last], (0,))
    model = one_block(points, block, *holds)
    load = np.zeros((len(points), 6))
    for k in range(cells):
        x, y, _ = points[k + 1] - points[k]
        for node in (k, k + 1):  # a quarter of a facet's push for each corner
            load[[node, node + m], :2] += 0.25 * 0.01 * np.array([y, -x])
    f = load[:, :6].ravel()[model.dofs.slots]
    return model, f, np.linalg.norm(points[:, :2], axis=1)


def test_a_thick_cylinder_yields_as_far_as_published() -> None:
    """verification.md: P = 0.14 GPa, u_b = 0.087242 mm, front at 120.5388 mm."""
    model, unit, radius = ring(16)
    statics = Statics(model, Newton(1e-8), np.zeros(model.dofs.size), 0.25, 0.25)
    leaf = Nonlinear(model, {})
    start = leaf.fields(leaf.start(0.0).state)
    found = statics.settle(start, 0.14e9 * unit)
    assert not isinstance(found, Stuck), found
    moved = model.dofs.spread(found.parts.u)
    outer = np.isclose(radius, B_)
    u_b = np.linalg.norm(moved[outer, :2], axis=1).mean()
    assert u_b == pytest.approx(0.087242e-3, rel=5e-3)
    flows = model.blocks[0].strains(found.parts.history)
    assert flows is not None
    middle = radius[model.blocks[0].nodes].mean(axis=1)
    front = middle[flows > 0.0].max()
    assert abs(front - 0.1205388) < (B_ - A) / 16


def test_a_thick_cylinder_carries_no_more_than_its_limit() -> None:
    model, unit, _ = ring(8)
    statics = Statics(model, Newton(1e-6), np.zeros(model.dofs.size), 0.25, 0.25, 0.01)
    leaf = Nonlinear(model, {})
    start = leaf.fields(leaf.start(0.0).state)
    found = statics.settle(start, 0.985 * P_LIM * unit)
    assert not isinstance(found, Stuck), found
    beyond = statics.settle(found.parts, 1.03 * P_LIM * unit)
    assert isinstance(beyond, Stuck) or np.abs(beyond.parts.u).max() > 5e-3
