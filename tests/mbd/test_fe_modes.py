"""Flexible bodies of finite elements: against beams, rigid bodies and each other."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

from bondline.errors import SettingError
from bondline.leaves.fe.matrices import MatrixSet
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.reduction import Wanted
from bondline.leaves.fe.supports import Support
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes, matrix_modes
from bondline.leaves.mbd.modal.fe import Attachments, fe_modes, reduced_modes
from bondline.leaves.mbd.modal.fields import Region, defect
from bondline.leaves.mbd.modal.floating import Bodied
from bondline.leaves.mbd.solids import box
from tests.fe.parts import ALL, STEEL, beam, block, plate

SIDE, L = 0.02, 1.0
LINE = Beam(
    L,
    STEEL.rho * SIDE**2 * L,
    EIy=STEEL.E * SIDE**4 / 12,
    EIz=STEEL.E * SIDE**4 / 12,
    radii=(SIDE / 12**0.5, SIDE / 12**0.5),
)


def held(mesh):
    return FeModel("held", mesh, supports=(Support("u0", ALL),))


def pairs(a, axis):
    """Squares summed over pairs of one frequency, however these are turned."""
    whole = (np.asarray(a) ** 2).sum(axis=axis)
    return whole[0::2] + whole[1::2]


def test_a_beam_of_elements_is_the_analytic_beam():
    fine = fe_modes(held(beam(40)), Attachments({"tip": "u1"}), 4)
    line = beam_modes(
        LINE, [Shapes("bend-y", 9), Shapes("bend-z", 9)], nodes={"tip": L}
    )
    assert_allclose(fine.mass, line.mass)
    assert_allclose(fine.c0, line.c0, atol=1e-14)
    assert_allclose(fine.J0, line.J0, rtol=1e-12, atol=1e-14)
    squares, y = eigh(line.K, line.M)
    y = y[:, :4]
    assert_allclose(np.diag(fine.K), squares[:4], rtol=1e-6)
    assert_allclose(pairs(fine.I0, 1), pairs(y.T @ line.I0, 1), rtol=1e-6)
    tip, end = fine.nodes["tip"], line.nodes["tip"]
    assert_allclose(pairs(tip.shift, 0), pairs(end.shift @ y, 0), rtol=1e-5)
    assert_allclose(pairs(tip.tilt, 0), pairs(end.tilt @ y, 0), rtol=1e-3)


def test_the_symmetric_parts_converge_with_the_square_of_the_length():
    errors = []
    for n in (4, 8, 16):
        made = fe_modes(held(beam(n)), Attachments(), 1)
        line = beam_modes(LINE, [Shapes("bend-y", 1)])
        errors.append(abs(np.einsum("kkii", made.S2) - np.einsum("kkii", line.S2)))
    rate = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (rate > 1.7).all()


def solid():
    return FeModel("solid", block((6, 2, 2), (1.0, 0.2, 0.3), (0.5, 0.0, -0.1)))


@pytest.mark.parametrize("origin", [(0.0, 0.0, 0.0), (1.0, 0.1, 0.05)])
def test_a_mesh_weighs_what_its_rigid_body_does(origin):
    made = fe_modes(solid(), Attachments(origin=origin), 2)
    lump = box(1.0, 0.2, 0.3, density=STEEL.rho)
    at = np.array([1.0, 0.1, 0.05]) - origin
    assert_allclose(made.mass, lump.mass)
    assert_allclose(made.c0, lump.mass * at, atol=1e-12)
    about = lump.inertia + lump.mass * (at @ at * np.eye(3) - np.outer(at, at))
    # A linear brick integrates squares exactly.
    assert_allclose(made.J0, about, rtol=1e-12, atol=1e-12)


def test_solids_lose_nothing():
    made = fe_modes(solid(), Attachments(), 4)
    assert_allclose(np.einsum("klii->kl", made.S2), made.M, atol=1e-12)
    assert defect(made) < 1e-12


def test_shells_lose_their_rotary_inertia_and_no_more():
    made = fe_modes(FeModel("plate", plate(8, 6)), Attachments(), 3)
    assert 0.0 < defect(made) < 1e-2


def test_free_modes_are_mean_axes():
    made = fe_modes(solid(), Attachments(), 4)
    assert_allclose(made.I0, 0.0, atol=1e-6)
    odd = made.S1 - made.S1.swapaxes(1, 2)
    assert_allclose(odd, 0.0, atol=1e-6)


def test_an_attached_frame_rests_in_its_node():
    where = Attachments({"root": "u0", "tip": "u1"}, attached="root")
    made = fe_modes(solid(), where, 4)
    assert_allclose(made.nodes["root"].shift, 0.0, atol=1e-14)
    assert_allclose(made.nodes["root"].tilt, 0.0, atol=1e-12)
    assert np.abs(made.nodes["tip"].shift).max() > 0.1


def inertia_seen(modes, k):
    """What moves with modal coordinate k once rigid motion is free to follow."""
    R = np.zeros((6, 6))
    R[:3, :3], R[3:, 3:] = modes.mass * np.eye(3), modes.J0
    c = np.cross(np.eye(3), modes.c0)
    R[3:, :3], R[:3, 3:] = c, c.T
    S = modes.S1[k]
    d = [S[1, 2] - S[2, 1], S[2, 0] - S[0, 2], S[0, 1] - S[1, 0]]
    b = np.concatenate([modes.I0[k], d])
    return modes.M[k, k] - b @ np.linalg.solve(R, b)


def test_frames_differ_by_rigid_motion_alone():
    free = fe_modes(solid(), Attachments({"root": "u0"}), 3)
    led = fe_modes(solid(), Attachments({"root": "u0"}, attached="root"), 3)
    for k in range(3):
        assert_allclose(inertia_seen(led, k), inertia_seen(free, k), rtol=1e-6)


def test_craig_and_bampton_give_static_answers_at_the_ports():
    mesh = beam(10)
    made = reduced_modes(
        FeModel("free", mesh),
        {"a": "u0", "b": "u1"},
        Attachments({"root": "u0", "tip": "u1"}, attached="root"),
        Wanted(modes=2, samples=0),
    )
    # A force at the tip of the beam held at its root: f L³/(3 EI).
    tip = made.nodes["tip"].shift
    bend = tip[1] @ np.linalg.solve(made.K, tip[1])
    assert_allclose(bend, L**3 / (3 * LINE.EIz), rtol=1e-9)


def test_damping_of_the_mesh_and_ratios_add():
    model = FeModel("damped", beam(6), (Support("u0", ALL),), rayleigh=(2.0, 0.0))
    made = fe_modes(model, Attachments(damping=0.01), 2)
    wanted = np.diag(2.0 + 0.02 * np.sqrt(np.diag(made.K)))
    assert_allclose(made.D, wanted, rtol=1e-8, atol=1e-6)


def test_matrices_of_others_make_the_same_body():
    model = solid()
    own = fe_modes(model, Attachments({"tip": "u1"}), 3)
    made = model.assembled
    slots = made.dofs.slots
    labels = np.stack([model.mesh.ids[slots // 6], slots % 6], axis=1)
    theirs = MatrixSet("theirs", made.system, labels)
    points = dict(zip(model.mesh.ids.tolist(), model.mesh.points.tolist(), strict=True))
    how = Bodied({"tip": Region(tuple(model.mesh.node_sets["u1"].tolist()))})
    got = matrix_modes(theirs, points, how, 3)
    assert_allclose(got.J0, own.J0, atol=1e-12)
    assert_allclose(got.K, own.K, rtol=1e-9)
    assert_allclose(
        np.abs(got.nodes["tip"].shift), np.abs(own.nodes["tip"].shift), atol=1e-9
    )


def test_matrices_that_miss_a_displacement_are_refused():
    model = held(beam(3))
    made = model.assembled
    slots = made.dofs.slots[made.elimination.free]
    labels = np.stack([model.mesh.ids[slots // 6], slots % 6], axis=1)
    points = dict(zip(model.mesh.ids.tolist(), model.mesh.points.tolist(), strict=True))
    with pytest.raises(SettingError, match="hold it by a joint"):
        matrix_modes(MatrixSet("held", made.system, labels), points, Bodied(), 1)


def test_nodes_on_a_line_cannot_tell_how_they_turn():
    mesh = block((2, 2, 2))
    edge = np.flatnonzero((mesh.points[:, 0] == 0) & (mesh.points[:, 1] == 0))
    with pytest.raises(SettingError, match="on a line"):
        fe_modes(FeModel("b", mesh), Attachments({"edge": edge}), 1)


def test_the_edge_of_a_sheet_turns_about_itself_with_its_nodes():
    mesh = plate(6, 4)
    where = Attachments({"root": "u0", "tip": "u1"}, attached="root")
    made = fe_modes(FeModel("sheet", mesh), where, 2)
    assert_allclose(made.nodes["root"].tilt, 0.0, atol=1e-12)
    assert np.abs(made.nodes["tip"].tilt[1]).max() > 0.1  # about y, along the edge


def test_a_frame_follows_a_node_that_is_there():
    with pytest.raises(SettingError, match="root"):
        fe_modes(solid(), Attachments(attached="root"), 1)
