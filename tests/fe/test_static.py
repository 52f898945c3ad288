"""Statics: balance of reactions, enforced displacements, mechanisms named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError, SingularInterface
from bondline.leaves.fe.links import Equation, Interpolation, RigidLink
from bondline.leaves.fe.loads import Gravity, NodalForce, Pressure
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import nodal_stress, principal, resultants, von_mises
from bondline.leaves.fe.static import static, total
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Table

from .parts import ALL, STEEL, added, beam, block, mass, plate, rod, rows

G = np.array([1.0, 2.0, -9.81])


def balanced(model):
    """Sums of loads and reactions, and a scale for each."""
    found, made = static(model), model.assembled
    loads = made.dofs.spread(made.forces @ made.at(model.static_time)[0])
    acting = total(model.mesh.points, loads)
    held = total(model.mesh.points, found.reactions)
    scale = np.abs(loads).max() + np.abs(found.reactions).max()
    return acting, held, scale


def cases():
    sheet = added(plate(3, 3), [(1.1, 0.25, 0.2)], [("MASS", [[16]], mass(5.0, 0.1))])
    side, far = sheet.node_sets["u0"], sheet.node_sets["u1"]
    pressure = Pressure(np.array([(e, 1) for e in sheet.blocks[0].ids]), 1e3)
    loads = (Gravity(G), NodalForce(rows(5), 1, 30.0), pressure)
    yield FeModel(
        "plain", sheet, (Support(side, ALL), Support(rows(16), ALL)), (), loads
    )
    yield FeModel("rbe2", sheet, (Support(side, ALL),), (RigidLink(16, far),), loads)
    # the master is held: its reaction collects what the slaves feel
    hold = (Support(rows(16), ALL),)
    yield FeModel("held master", sheet, hold, (RigidLink(16, far),), loads)
    mean = Interpolation(16, ALL, np.arange(5, 15), np.arange(1.0, 11.0))
    yield FeModel("rbe3", sheet, (Support(side, ALL),), (mean,), loads)
    solid = block((2, 2, 2))
    push = Pressure(solid.face_sets["w1"], 1e6)
    lift = Support(solid.node_sets["u1"], (1,), 1e-4)
    hold = (Support(solid.node_sets["u0"], (0, 1, 2)), lift)
    yield FeModel("solid", solid, hold, (), (push, Gravity(G)))


@pytest.mark.parametrize("model", list(cases()), ids=lambda m: m.name)
def test_reactions_balance_the_loads(model):
    acting, held, scale = balanced(model)
    assert_allclose(held.force, -acting.force, atol=1e-8 * scale)
    assert_allclose(held.moment, -acting.moment, atol=1e-8 * scale)


def test_a_rod_under_its_end_force():
    mesh = rod(4)
    hold = (Support(rows(0), (0,)), Support(np.arange(5), (1, 2)))
    found = static(FeModel("m", mesh, hold, (), (NodalForce(rows(4), 0, 2100.0),)))
    assert_allclose(found.u[:, 0], mesh.points[:, 0] * 2100.0 / (210e9 * 1e-4))
    assert_allclose(found.reactions[0, 0], -2100.0)


def test_a_cantilever_beam():
    mesh, bend = beam(3), 0.02**4 / 12
    model = FeModel(
        "m", mesh, (Support(rows(0), ALL),), (), (NodalForce(rows(3), 2, 10.0),)
    )
    found = static(model)
    assert_allclose(found.u[3, 2], 10.0 / (3 * 210e9 * bend), rtol=1e-9)
    assert_allclose(found.reactions[0], [0, 0, -10.0, 0, 10.0, 0], atol=1e-6)
    ends = resultants(mesh, found.u)
    assert sorted(ends) == mesh.blocks[0].ids.tolist()
    moments = np.abs(ends[1][0, 4:]).max(), np.abs(ends[3][-1, 4:]).max()
    assert_allclose(moments, (10.0, 0.0), atol=1e-6)


def test_a_support_may_move():
    """A rod between two walls that part: u is linear, reactions pull."""
    mesh = rod(4)
    move = Support(rows(4), (0,), 2e-3, Table((0.0, 1.0), (0.0, 1.0)))
    hold = (Support(rows(0), (0,)), Support(np.arange(5), (1, 2)), move)
    half = FeModel("m", mesh, hold, static_time=0.5)
    found = static(half)
    assert_allclose(found.u[:, 0], 1e-3 * mesh.points[:, 0])
    pull = 210e9 * 1e-4 * 1e-3
    assert_allclose(found.reactions[[0, 4], 0], [-pull, pull])
    assert_allclose(static(replace(half, static_time=2.0)).u, 2.0 * found.u)


def test_rigid_motion_of_all_supports_strains_nothing():
    mesh, turn = plate(3, 2), np.array([1e-3, -2e-3, 5e-4])
    side = mesh.node_sets["u0"]
    u = np.cross(turn, mesh.points) + np.array([1e-2, 0.0, 2e-2])
    moved = np.c_[u, np.tile(turn, (len(u), 1))]
    hold = tuple(
        Support(rows(n), (c,), float(moved[n, c])) for n in side.tolist() for c in ALL
    )
    found = static(FeModel("m", mesh, hold))
    assert_allclose(found.u, moved, atol=1e-13)
    assert np.abs(found.reactions).max() < 1e-3  # of forces of 1e7 N


def test_enforced_motion_passes_through_links():
    mesh = added(plate(2, 2), [(1.3, 0.0, 0.0)])
    side = mesh.node_sets["u1"]
    lift = (Support(rows(9), (0, 1, 3, 4, 5)), Support(rows(9), (2,), 0.01))
    model = FeModel("m", mesh, lift, (RigidLink(9, side),))
    found = static(model)
    assert_allclose(found.u[:, 2], 0.01, atol=1e-12)
    assert_allclose(found.u[:, [0, 1]], 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("mesh", "supports", "count"),
    [
        (plate(2, 2), (), "6 free motions meet"),
        (plate(2, 2), (Support(rows(0), (0, 1, 2)),), "3 free motions meet"),
        (rod(1), (Support(rows(0), (0, 1, 2)),), "2 free motions meet"),
    ],
)
def test_what_is_loose_is_named(mesh, supports, count):
    with pytest.raises(SingularInterface) as error:
        static(FeModel("m", mesh, supports))
    assert error.value.place == "m, statics"
    assert count in error.value.finding
    assert "what moves most: node" in error.value.finding
    assert "Support the model" in error.value.remedy


def test_a_plane_truss_without_mass_needs_no_support_out_of_plane():
    light = replace(STEEL, rho=0.0)
    mesh = added(
        rod(1, material=light),
        [(0.5, 0.5, 0.0)],
        [("T3D2", [[0, 2], [1, 2]], rod(material=light).blocks[0].section)],
    )
    hold = (Support(rows(0), (0, 1)), Support(rows(1), (1,)))
    found = static(FeModel("m", mesh, hold, (), (NodalForce(rows(2), 1, -1e3),)))
    assert_allclose(found.reactions[:2, 1], [500.0, 500.0])
    assert_allclose(found.u[:, 2:], 0.0)


def test_stress_of_a_block_in_tension():
    mesh = block((2, 2, 2))
    pull = Pressure(mesh.face_sets["u1"], -1e6)
    hold = tuple(
        Support(mesh.node_sets[side], (c,)) for c, side in enumerate(("u0", "v0", "w0"))
    )
    found = static(FeModel("m", mesh, hold, (), (pull,)))
    (field,) = nodal_stress(mesh, found.u)
    assert field.nodes.tolist() == list(range(27))
    assert_allclose(field.stress[0], np.tile([1e6, 0, 0, 0, 0, 0], (27, 1)), atol=1e-3)
    strain = np.array([1.0, -0.3, -0.3, 0, 0, 0]) * 1e6 / 210e9
    assert_allclose(field.strain[0], np.tile(strain, (27, 1)), atol=1e-15)
    assert_allclose(von_mises(field.stress), 1e6, rtol=1e-9)
    assert_allclose(principal(field.at(4))[0], [1e6, 0, 0], atol=1e-3)
    with pytest.raises(SettingError, match="no element of this section") as error:
        field.at(99)
    assert error.value.place == "stress at row 99 of the mesh"
    assert "section that has it" in error.value.remedy


def test_stress_is_not_averaged_over_a_change_of_section():
    """Two plates in line, one twice as thick: the stress jumps by two at the seam."""
    thin = plate(2, 2, (0.0, 1.0), thick=0.01)
    thick = plate(2, 2, (0.0, 1.0), thick=0.02).blocks[0]
    halves = thin.points[thin.blocks[0].nodes].mean(axis=1)[:, 0] < 0.5
    left, right = (
        replace(b, nodes=b.nodes[h], ids=b.ids[h])
        for b, h in ((thin.blocks[0], halves), (thick, ~halves))
    )
    mesh = replace(thin, blocks=(left, right))
    end = mesh.node_sets["u1"]
    share = np.array([0.25, 0.5, 0.25]) * 1e4
    loads = tuple(NodalForce(rows(n), 0, f) for n, f in zip(end, share, strict=True))
    hold = (Support(mesh.node_sets["u0"], (0, 2, 3, 4, 5)), Support(rows(0), (1,)))
    fields = nodal_stress(mesh, static(FeModel("m", mesh, hold, (), loads)).u)
    seam = int(np.flatnonzero((mesh.points == [0.5, 0.25, 0.0]).all(axis=1))[0])
    one, two = (f.at(seam)[1, 0] for f in fields)
    assert fields[0].layers == ("bottom", "middle", "top")
    assert_allclose(one, 2e6, rtol=0.1)
    assert_allclose(two, 1e6, rtol=0.1)


def test_principal_values_do_not_turn_with_the_axes():
    rng = np.random.default_rng(2)
    A = rng.normal(size=(5, 3, 3))
    A = A + A.transpose(0, 2, 1)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))

    def six(S):
        return S[:, [0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]

    turned = Q @ A @ Q.T
    assert_allclose(principal(six(turned)), principal(six(A)))
    assert_allclose(von_mises(six(turned)), von_mises(six(A)))
    p = principal(six(A))
    apart = (p - np.roll(p, 1, axis=1)) ** 2
    assert_allclose(von_mises(six(A)), np.sqrt(0.5 * apart.sum(axis=1)))


def test_a_slanted_support_carries_along_its_normal_only():
    mesh = plate(2, 2)
    slide = Equation(rows(2, 2), (0, 1), np.array([0.6, 0.8]))
    model = FeModel(
        "m",
        mesh,
        (Support(mesh.node_sets["u0"], ALL),),
        (slide,),
        (NodalForce(rows(2), 0, 100.0),),
    )
    found = static(model)
    missing = total(mesh.points, found.reactions).force + np.array([100.0, 0, 0])
    assert_allclose(missing / np.linalg.norm(missing), [0.6, 0.8, 0.0], atol=1e-9)


def test_a_model_may_be_held_everywhere():
    mesh = rod(1)
    hold = (Support(rows(0), (0, 1, 2)), Support(rows(1), (1, 2)))
    model = FeModel("m", mesh, (*hold, Support(rows(1), (0,), 1e-3)))
    assert model.assembled.T.shape == (6, 0)
    assert_allclose(static(model).reactions[1, 0], 210e9 * 1e-4 * 1e-3)
