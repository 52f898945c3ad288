"""Loads: resultants, histories, what depends on what."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError
from bondline.leaves.fe.generate import bilinear, grid
from bondline.leaves.fe.loads import Gravity, NodalForce, Pressure
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.pressure import pressed
from bondline.leaves.fe.sections import ShellSection, SolidSection
from bondline.leaves.fe.static import total
from bondline.leaves.histories import Harmonic, Table

from .parts import STEEL, added, beam, block, mass, plate, rod

G = np.array([1.0, -2.0, -9.81])


def resultant(model, t=0.0):
    made = model.assembled
    forces = made.dofs.spread(made.forces @ made.at(t)[0])
    return total(model.mesh.points, forces)


@pytest.mark.parametrize("lumped", [False, True])
@pytest.mark.parametrize(
    ("mesh", "m", "centre"),
    [
        (plate(3, 2), 7850.0 * 0.5 * 0.01, (0.5, 0.25, 0.0)),
        (block((2, 1, 3), (1, 2, 3)), 7850.0 * 6.0, (0.5, 1.0, 1.5)),
        (rod(3), 7850.0 * 1e-4, (0.5, 0.0, 0.0)),
        (beam(3), 7850.0 * 4e-4, (0.5, 0.0, 0.0)),
        (
            added(rod(1, area=1e-12), [(0, 0, 2)], [("MASS", [[2]], mass(4.0))]),
            4.0,
            None,
        ),
    ],
)
def test_gravity_is_mass_times_g_at_the_centre(mesh, m, centre, lumped):
    found = resultant(FeModel("m", mesh, loads=(Gravity(G),), lumped=lumped))
    assert_allclose(found.force, m * G, rtol=1e-8)
    if centre is not None:
        moment = np.cross(centre, m * G)
        assert_allclose(found.moment, moment, atol=1e-8 * m * 10)


@pytest.mark.parametrize("side", ["u0", "u1", "v0", "v1", "w0", "w1"])
def test_pressure_pushes_into_the_faces_of_solids(side):
    mesh = block((2, 2, 2), (1.0, 2.0, 3.0))
    force = pressed(mesh, mesh.face_sets[side])
    axis, end = "uvw".index(side[0]), int(side[1])
    area = 6.0 / (1.0, 2.0, 3.0)[axis]
    n = (2 * end - 1) * np.eye(3)[axis]
    assert_allclose(force.sum(axis=0), -area * n, atol=1e-12)
    nodes = np.flatnonzero(np.abs(force).max(axis=1))
    assert set(nodes) <= set(mesh.node_sets[side])


def test_pressure_on_all_faces_balances():
    rng = np.random.default_rng(5)
    mesh = block((2, 2, 2))
    shaken = mesh.points + 0.1 * rng.normal(size=mesh.points.shape)
    mesh = Mesh(shaken, mesh.blocks, mesh.ids)
    skin = [(e, f) for e in mesh.blocks[0].ids for f in range(1, 7)]
    force = np.c_[pressed(mesh, np.array(skin)), np.zeros((27, 3))]
    found = total(mesh.points, force)  # inner faces push both ways
    assert_allclose(found.force, 0.0, atol=1e-13)
    assert_allclose(found.moment, 0.0, atol=1e-13)


def test_pressure_on_a_tetrahedron_of_ten_nodes_balances():
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
    edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
    middles = np.array([corners[list(e)].mean(axis=0) for e in edges])
    bent = middles + 0.05 * np.random.default_rng(1).normal(size=(6, 3))
    points = np.vstack([corners, bent])
    section, nodes = SolidSection(STEEL), np.arange(10)[None]
    mesh = Mesh(
        points, (Block("C3D10", nodes, section, np.array([8])),), 1 + np.arange(10)
    )
    all_faces = np.array([(8, f) for f in (1, 2, 3, 4)])
    assert_allclose(pressed(mesh, all_faces).sum(axis=0), 0.0, atol=1e-15)
    flat = Mesh(np.vstack([corners, middles]), mesh.blocks, mesh.ids)
    one = pressed(flat, np.array([(8, 1)]))
    assert_allclose(one.sum(axis=0), (0.0, 0.0, 0.5), atol=1e-15)
    assert_allclose(one[:4, 2], 0.0, atol=1e-15)  # consistent: all at the middles


@pytest.mark.parametrize("triangles", [False, True])
def test_pressure_on_shells_acts_against_the_normal_of_the_face(triangles):
    corners = [(0, 0, 0), (2, 0, 0), (2, 1, 1), (0, 1, 1)]
    patch = grid((2, 2), bilinear(corners), triangles)
    mesh = patch.mesh("S3" if triangles else "S4", ShellSection(STEEL, 0.01))
    ids = mesh.blocks[0].ids
    n = np.array([0.0, -1.0, 1.0])  # 2 m² times the unit normal (0, −1, 1)/√2 · √2
    top = pressed(mesh, np.array([(e, 1) for e in ids])).sum(axis=0)
    bottom = pressed(mesh, np.array([(e, 2) for e in ids])).sum(axis=0)
    assert_allclose(top, -2.0 * n, atol=1e-12)
    assert_allclose(bottom, 2.0 * n, atol=1e-12)


def test_loads_of_one_history_share_a_column():
    wave, ramp = Harmonic(b=(1.0,), omega=2.0), Table((0.0, 1.0), (0.0, 1.0))
    node = np.array([3])
    loads = (
        NodalForce(node, 0, 2.0, wave),
        NodalForce(node, 0, 3.0, wave),
        NodalForce(node, 1, 5.0, ramp),
        Gravity(G, ramp),
        Pressure(np.array([(1, 1)]), 10.0),
    )
    model = FeModel("m", plate(2, 1), loads=loads)
    made = model.assembled
    assert made.histories == (wave, ramp, loads[-1].history)
    assert made.forces.shape[1] == 3
    assert made.kinks == (0.0, 1.0)
    found = made.dofs.spread(made.T @ made.load(0.25))
    assert_allclose(found[3, 0], 5.0 * np.sin(0.5) + 0.25 * G[0] * share(model, 3))


def share(model, node):
    """What the unit field along x weighs at a node."""
    weight = FeModel("w", model.mesh, loads=(Gravity(np.array([1.0, 0, 0])),)).assembled
    return weight.dofs.spread(weight.load(0.0))[node, 0]


@pytest.mark.parametrize(
    ("load", "place", "finding", "remedy"),
    [
        (NodalForce(np.array([99]), 0, 1.0), "load 1", "no row 99", "Give rows of"),
        (NodalForce(np.array([0]), 6, 1.0), "load 1", "no component 6", "0 … 5"),
        (NodalForce("u2", 0, 1.0), "load 1", "no node set 'u2'", "u0, u1"),
        (NodalForce([0.5], 0, 1.0), "load 1", "its nodes are [0.5]", "Give rows of"),
        (Pressure("tpo", 1.0), "load 1", "no face set 'tpo'", ""),
        (Gravity(9.81), "load 1, gravity", "9.81 is not a vector", "0.0, 0.0, -9.81"),
        (
            Pressure(np.array([(77, 1)]), 1.0),
            "pressure on element 77",
            "no such element",
            "owner's numbers",
        ),
        (
            Pressure(np.array([(1, 3)]), 1.0),
            "pressure on element 1, S4",
            "no face 3",
            "Its faces are 1 … 2",
        ),
    ],
)
def test_loads_on_nothing_are_refused(load, place, finding, remedy):
    with pytest.raises(SettingError) as error:
        _ = FeModel("m", plate(2, 1), loads=(load,)).assembled
    assert error.value.place == place
    assert finding in error.value.finding
    assert remedy in error.value.remedy


def test_pressure_on_a_beam_is_refused():
    with pytest.raises(SettingError, match="no face 1") as error:
        pressed(beam(2), np.array([(1, 1)]))
    assert error.value.place == "pressure on element 1, B33"
    assert error.value.remedy == "It has none."
