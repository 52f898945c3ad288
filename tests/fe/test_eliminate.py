"""Supports and links: one elimination, whatever the order; conflicts are refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.errors import SettingError
from bondline.leaves.fe.links import Equation, Interpolation, RigidLink
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.static import static, total
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic

from .parts import ALL, STEEL, added, beam, block, mass, plate, rod, rows, square


def clamped(mesh, *nodes):
    return Support(rows(*nodes), ALL)


def tee(end, links=(), blocks=()):
    """A cantilever beam whose end (row 4) carries a point (row 5) at `end`."""
    mesh = added(beam(4), [end], blocks)
    return FeModel("tee", mesh, (clamped(mesh, 0),), links)


@pytest.mark.parametrize("load", range(6))
def test_a_rigid_link_is_the_limit_of_a_stiff_beam(load):
    end, force = (1.0, 0.2, 0.3), (NodalForce(rows(5), load, 10.0),)
    linked = replace(tee(end, (RigidLink(4, rows(5)),)), loads=force)
    u, errors = static(linked).u, []
    for factor in (1e3, 1e4):
        stiff = square(0.02, replace(STEEL, E=STEEL.E * factor))
        welded = replace(tee(end, blocks=[("B33", [4, 5], stiff)]), loads=force)
        errors.append(np.abs(static(welded).u - u).max() / np.abs(u).max())
    assert errors[0] < 2e-3
    assert_allclose(errors[1] / errors[0], 0.1, rtol=0.01)
    # and reversed: the node of the beam follows the far one
    other = replace(tee(end, (RigidLink(5, rows(4)),)), loads=force)
    assert_allclose(static(other).u, u, atol=1e-9 * np.abs(u).max())


def test_slaves_move_as_a_rigid_body():
    mesh = plate(3, 3)
    link = RigidLink(0, mesh.node_sets["u1"])
    model = FeModel("m", mesh, (clamped(mesh, *mesh.node_sets["u0"]),), (link,))
    with pytest.raises(SettingError, match="follows support 1"):  # 0 is clamped
        _ = replace(
            model, links=(RigidLink(mesh.node_sets["u1"][0], rows(0)),)
        ).assembled
    model = FeModel("m", mesh, (), (link,))
    q = np.random.default_rng(0).normal(size=model.assembled.T.shape[1])
    u = model.assembled.dofs.spread(model.assembled.T @ q)
    arm = mesh.points[link.slaves] - mesh.points[0]
    assert_allclose(u[link.slaves, :3], u[0, :3] + np.cross(u[0, 3:], arm))
    assert_allclose(u[link.slaves, 3:], np.tile(u[0, 3:], (4, 1)))


def test_slaves_without_elements_move_along():
    mesh = added(beam(1), [(1.0, 0.5, 0.0), (2.0, 2.0, 2.0)])
    made = FeModel("m", mesh, (), (RigidLink(1, rows(2)),)).assembled
    assert made.T.shape == (18, 12)
    assert (made.dofs.index[3] == -1).all()


def test_only_the_named_components_are_linked():
    mesh = plate(2, 1)
    made = FeModel("m", mesh, (), (RigidLink(0, rows(2), (2,)),)).assembled
    assert made.T.shape == (36, 35)


def test_rotations_of_solids_do_not_exist():
    mesh = added(block(), [(5.0, 5.0, 5.0)])  # a loose node has no dofs at all
    made = FeModel("m", mesh).assembled
    assert made.dofs.size == 3 * 27
    assert (made.dofs.index[:27, :3] >= 0).all()
    assert (made.dofs.index[:, 3:] == -1).all()
    assert (made.dofs.index[27] == -1).all()
    # a master that carries bricks has all six, though no element turns it
    linked = FeModel("m", mesh, (), (RigidLink(27, np.arange(9)),)).assembled
    assert (linked.dofs.index[27] >= 0).all()
    assert (linked.dofs.index[:27, 3:] == -1).all()


@pytest.mark.parametrize("about", [(0.0, 0.0, 0.0), (0.3, -1.0, 2.0)])
def test_an_interpolation_conserves_force_and_moment(about):
    mesh = added(block(), [(0.4, 0.7, 1.9)])
    nodes = np.arange(18, 27)
    weights = np.linspace(0.5, 2.0, 9)
    link = Interpolation(27, ALL, nodes, weights)
    hold = Support(np.arange(9), (0, 1, 2))
    for component in range(6):
        load = NodalForce(rows(27), component, 7.0)
        model = FeModel("m", mesh, (hold,), (link,), (load,))
        made = model.assembled
        spread = made.T.T @ (made.forces @ made.at(0.0)[0])
        at_nodes = np.zeros(made.dofs.size)
        at_nodes[made.elimination.free] = spread
        single = np.zeros((28, 6))
        single[27, component] = 7.0
        asked = total(mesh.points, single, np.array(about))
        found = total(mesh.points, made.dofs.spread(at_nodes), np.array(about))
        assert_allclose(found.force, asked.force, atol=1e-12)
        assert_allclose(found.moment, asked.moment, atol=1e-12)


def test_an_interpolation_follows_rigid_motion():
    mesh = added(block(), [(0.4, 0.7, 1.9)])
    link = Interpolation(27, ALL, np.arange(18, 27), np.ones(9))
    made = FeModel("m", mesh, (), (link,)).assembled
    move, turn = np.array([1.0, 2.0, 3.0]), np.array([0.1, -0.2, 0.3])
    u = move + np.cross(turn, mesh.points)
    q = u[:27].ravel()
    assert_allclose(
        made.dofs.spread(made.T @ q)[27], np.concatenate([u[27], turn]), atol=1e-12
    )


def test_a_line_of_nodes_tells_no_rotation_about_itself():
    mesh = added(rod(2), [(0.5, 0.0, 0.0)])
    link = Interpolation(3, (0, 1, 2, 4, 5), np.arange(3), np.ones(3))
    assert FeModel("m", mesh, (), (link,)).assembled.dofs.index[3].max() >= 0
    with pytest.raises(SettingError, match="on a line") as error:
        _ = FeModel("m", mesh, (), (replace(link, components=ALL),)).assembled
    assert error.value.place == "interpolation 1"
    assert "Add a node beside the line" in error.value.remedy


def test_links_of_links_are_followed():
    """0 carries 1 carries 2 carries 3: as if 0 carried all."""
    points = [(1.0, 0.1, 0.0), (1.2, 0.1, 0.4), (1.3, 0.5, 0.4)]
    mesh = added(beam(4), points, [("MASS", [[7]], mass(2.0, 0.1))])
    hold, load = (clamped(mesh, 0),), (NodalForce(rows(7), 1, 3.0),)
    steps = [RigidLink(4, rows(5)), RigidLink(5, rows(6)), RigidLink(6, rows(7))]
    direct = FeModel("m", mesh, hold, (RigidLink(4, rows(5, 6, 7)),), load)
    expected = static(direct).u
    for order in permutations(steps):
        found = static(FeModel("m", mesh, hold, tuple(order), load)).u
        assert_allclose(found, expected, atol=1e-13 * np.abs(expected).max())


def test_the_order_of_supports_and_links_does_not_matter():
    mesh = added(plate(3, 2), [(1.2, 0.2, 0.1)])
    supports = (
        Support(mesh.node_sets["u0"], (0, 1, 2)),
        Support(mesh.node_sets["u0"], (2, 3)),  # z twice, and the same
        Support(rows(12), (0, 4), 1e-3),
    )
    links = (
        RigidLink(12, mesh.node_sets["u1"], (0, 1, 2, 4, 5)),
        Equation(rows(5, 6), (2, 2), np.array([1.0, -1.0])),
    )
    load = (NodalForce(rows(12), 2, 5.0),)
    first = static(FeModel("m", mesh, supports, links, load))
    other = static(FeModel("m", mesh, supports[::-1], links[::-1], load))
    assert_allclose(other.u, first.u, atol=1e-14)
    assert_allclose(other.reactions, first.reactions, atol=1e-6)


def test_an_equation_is_kept():
    mesh = plate(3, 2)
    slant = Equation(rows(3, 3), (0, 1), np.array([3.0, 4.0]))
    hold = (clamped(mesh, *mesh.node_sets["u0"]),)
    load = (NodalForce(rows(3), 0, 1e3),)
    found = static(FeModel("m", mesh, hold, (slant,), load)).u
    assert_allclose(3.0 * found[3, 0] + 4.0 * found[3, 1], 0.0, atol=1e-20)
    assert abs(found[3, 0]) > 0.0


def test_supports_of_dofs_that_do_not_exist_are_passed_over():
    mesh = block()
    both = [FeModel("m", mesh, (Support(np.arange(9), c),)) for c in (ALL, (0, 1, 2))]
    a, b = (m.assembled for m in both)
    assert_array_equal(a.elimination.held, b.elimination.held)


SAME = "Let every dof follow one thing"


@pytest.mark.parametrize(
    ("supports", "links", "place", "finding", "remedy"),
    [
        (
            (Support(rows(1), (2,)), Support(rows(1), (2,), 0.5)),
            (),
            "m: node 2, z",
            "support 1 (value 0) and support 2 (value 0.5)",
            SAME,
        ),
        (
            (Support(rows(1), (2,), 1.0), Support(rows(1), (2,), 1.0, Harmonic())),
            (),
            "m: node 2, z",
            "support 1 (value 1) and support 2 (value 1)",
            SAME,
        ),
        (
            (Support(rows(2), (1,)),),
            (RigidLink(0, rows(2)),),
            "m: node 3, y",
            "support 1 (value 0) and rigid link 1",
            "support the master",
        ),
        (
            (),
            (RigidLink(0, rows(2)), RigidLink(1, rows(2))),
            "m: node 3, x",
            "rigid link 1 and rigid link 2",
            SAME,
        ),
        (
            (),
            (RigidLink(0, rows(1)), RigidLink(1, rows(0))),
            "m: links",
            "in a ring: node 1, x",
            "form a tree",
        ),
        ((), (RigidLink(0, rows(0)),), "rigid link 1, node 1", "own slaves", "Take it"),
        ((), (RigidLink(0, rows(9)),), "rigid link 1", "no row 9", "not the owner's"),
        ((), (RigidLink(0, rows(1), (6,)),), "rigid link 1", "component 6", "0 … 5"),
        ((Support(rows(-1), (0,)),), (), "support 1", "no row -1", "rows of"),
        ((Support(rows(1), (7,)),), (), "support 1", "component 7", "0 … 5"),
        ((Support([0.5], (0,)),), (), "support 1", "its nodes are [0.5]", "node set"),
        ((Support("u9", (0,)),), (), "support 1", "no node set 'u9'", "u0, u1"),
        ((), (RigidLink("u0", rows(5)),), "rigid link 1", "has 2 nodes", "one node"),
        (
            (),
            (Interpolation(0, (0,), rows(1, 2), np.ones(3)),),
            "interpolation 1",
            "2 nodes have the weights",
            "one weight a node",
        ),
        (
            (),
            (Interpolation(0, (0,), rows(0, 1), np.ones(2)),),
            "interpolation 1, node 1",
            "one of the nodes that it follows",
            "Take it out",
        ),
        (
            (),
            (Equation(rows(0, 1), (0,), np.ones(2)),),
            "equation 1",
            "2 nodes, 1 components and 2 coefficients",
            "one of each",
        ),
        (
            (),
            (Equation(rows(0, 1), (0, 0), np.array([0.0, 1.0])),),
            "equation 1",
            "first coefficient is 0",
            "come first",
        ),
    ],
)
def test_contradictions_are_refused(supports, links, place, finding, remedy):
    with pytest.raises(SettingError) as error:
        _ = FeModel("m", plate(2, 1), supports, links).assembled
    assert error.value.place == place
    assert finding in error.value.finding
    assert remedy in error.value.remedy


@pytest.mark.parametrize(
    ("mesh", "links", "loads", "place"),
    [
        (block(), (), (NodalForce(rows(4), 3, 1.0),), "m: node 5, rx"),
        (
            added(rod(1), [(0, 0, 1)]),
            (),
            (NodalForce(rows(2), 0, 1.0),),
            "m: node 3, x",
        ),
        (
            added(rod(1), [(1.0, 0, 1.0), (2.0, 0, 1.0)]),
            (Equation(rows(3, 2), (0, 0), np.ones(2)),),
            (),
            "m: node 3, x",
        ),
    ],
)
def test_what_nothing_resists_is_refused(mesh, links, loads, place):
    with pytest.raises(SettingError, match="nothing gives it") as error:
        _ = FeModel("m", mesh, (), links, loads).assembled
    assert error.value.place == place
    assert "Connect an element" in error.value.remedy
