"""Shells: roll-up, patches, plastic bending."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.leaves.fe.generate import bilinear, grid
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import Hold, Linear, Moved, Plastic, Shells
from bondline.leaves.nonlinear.elements.block import Indices
from tests.nonlinear.models import one_block, settled

ALL = (0, 1, 2, 3, 4, 5)


def strip(
    cells: int, triangles: bool, length: float, width: float
) -> tuple[np.ndarray, Indices]:
    corners = [(0, 0, 0), (length, 0, 0), (length, width, 0), (0, width, 0)]
    patch = grid((cells, 1), bilinear(corners), triangles)
    return patch.points, patch.nodes


@pytest.mark.parametrize("triangles", [False, True])
def test_an_end_moment_rolls_a_strip_up(triangles: bool) -> None:
    """2 π E I / L at the tip, ν = 0: a closed circle."""
    metal = Material("m", 1.2e6, 0.0, 1.0)
    points, nodes = strip(16, triangles, 12.0, 1.0)
    root, tip = (np.flatnonzero(np.isclose(points[:, 0], x)) for x in (0.0, 12.0))
    model = one_block(points, Shells(nodes, metal, 0.1, 2), Hold(root, ALL))
    load = np.zeros((len(points), 6))
    load[tip, 4] = -2.0 * np.pi * 1.2e6 * 0.1**3 / 12.0 / 12.0 / 2.0
    f = load.ravel()[model.dofs.slots]
    found = settled(model, f, 0.05, 0.1)
    moved = model.dofs.spread(found.parts.u)[tip]
    assert np.abs(moved[:, 0] + 12.0).max() < 0.05
    assert np.abs(moved[:, 2]).max() < 0.05


@pytest.mark.parametrize("triangles", [False, True])
def test_membrane_patches_have_constant_strain(triangles: bool) -> None:
    metal = Material("m", 1e6, 0.3, 1.0)
    corners = [(0, 0, 0), (1.0, 0.1, 0), (1.2, 1.0, 0), (-0.1, 0.9, 0)]
    patch = grid((3, 3), bilinear(corners), triangles)
    points = patch.points.copy()
    inner = np.setdiff1d(
        np.arange(len(points)), np.concatenate(list(patch.node_sets.values()))
    )
    slope = 1e-6 * np.array([(1.0, 0.6, 0.0), (0.2, -0.5, 0.0), (0.0, 0.0, 0.0)])
    d = np.zeros((len(points), 6))
    d[:, :3] = points @ slope.T
    d[:, 5] = 0.5 * (slope[1, 0] - slope[0, 1])
    from bondline.leaves.nonlinear.turning import exp, matrices

    R = matrices(exp(d[:, 3:]))
    block = Shells(patch.nodes, metal, 0.1)
    moved = Moved(d[patch.nodes], 0.0 * d[patch.nodes], R[patch.nodes])
    answer = block.respond(points, moved, np.zeros(0))
    f = np.zeros_like(d)
    np.add.at(f, patch.nodes, answer.force.reshape(*patch.nodes.shape, 6))
    assert inner.size
    assert np.abs(f[inner]).max() < 1e-5 * np.abs(f).max()  # strains of 1e-6 squared


def test_a_strip_yields_through_its_thickness_like_a_plate() -> None:
    """ν = 0, free sides: m = 1.5 (1 − (κ_y/κ)²/3), as a beam of fibres."""
    metal = Plastic(Material("m", 2e11, 0.0), Linear(2.5e8, 1e5))
    points, nodes = strip(4, False, 1.0, 0.1)
    root, tip = (np.flatnonzero(np.isclose(points[:, 0], x)) for x in (0.0, 1.0))
    model = one_block(points, Shells(nodes, metal, 0.02, 20), Hold(root, ALL))
    load = np.zeros((len(points), 6))
    full = 2.5e8 * 0.1 * 0.02**2 / 4.0
    load[tip, 4] = -0.5 * 0.85 * full
    found = settled(model, load.ravel()[model.dofs.slots], 0.2, 0.2)
    kappa = -model.dofs.spread(found.parts.u)[tip, 4].mean()
    yields = 2.5e8 / (2e11 * 0.01)
    assert kappa == pytest.approx(yields / np.sqrt(3.0 * (1.0 - 0.85)), rel=0.03)


@pytest.mark.parametrize("triangles", [False, True])
def test_a_strip_under_a_shear_force_ends_where_published(triangles: bool) -> None:
    """Sze, Liu and Lo (2004): P = 4, E = 1.2e6, ν = 0: u = −3.286, w = 6.698."""
    metal = Material("m", 1.2e6, 0.0, 1.0)
    points, nodes = strip(16, triangles, 10.0, 1.0)
    root, tip = (np.flatnonzero(np.isclose(points[:, 0], x)) for x in (0.0, 10.0))
    model = one_block(points, Shells(nodes, metal, 0.1, 2), Hold(root, ALL))
    load = np.zeros((len(points), 6))
    load[tip, 2] = 2.0
    found = settled(model, load.ravel()[model.dofs.slots], 0.1, 0.2)
    moved = model.dofs.spread(found.parts.u)[tip].mean(axis=0)
    assert moved[0] == pytest.approx(-3.286, rel=2e-3)
    assert moved[2] == pytest.approx(6.698, rel=2e-3)
