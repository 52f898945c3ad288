"""What S4 and S3 owe: see `Element`; patch tests; no locking, no loose modes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import block_diag

from bondline.errors import SettingError, UsageError
from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.elements.element import Faced, Stressed
from bondline.leaves.fe.generate import bilinear, grid
from bondline.leaves.fe.sections import Material, ShellSection

from .small import Small, rigid_motions, rotation

STEEL = Material("steel", 2.1e11, 0.3, 7850.0)
PLATE = ShellSection(STEEL, 0.02)
ASIDE = ShellSection(STEEL, 0.02, 0.013)
KINDS = ("S4", "S3")
SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
shells = pytest.mark.parametrize("kind", KINDS)
sections = pytest.mark.parametrize("section", [PLATE, ASIDE], ids=["nodes", "offset"])


def positions(kind, warp=0.15, seed=3):
    """Elements of random shape, warp and place."""
    rng = np.random.default_rng(seed)
    x = np.array(SQUARE, dtype=float)[: ELEMENTS[kind].nodes]
    x = x + rng.uniform(-0.2, 0.2, (6, *x.shape)) * (1.0, 1.0, warp)
    return 0.3 * x @ rotation(seed).T + rng.normal(size=3)


def matrices(kind, x, section):
    element = ELEMENTS[kind]
    yield element.stiffness(x, section)
    yield element.mass(x, section, False)
    yield element.mass(x, section, True)


def close(a, b, tolerance):
    assert_allclose(a, b, rtol=0.0, atol=tolerance * max(np.abs(a).max(), 1e-300))


@sections
@shells
def test_matrices_are_symmetric_and_not_negative(kind, section):
    for A in matrices(kind, positions(kind), section):
        assert_array_equal(A, A.swapaxes(1, 2))
        assert np.linalg.eigvalsh(A).min() > -1e-13 * np.abs(A).max()


@sections
@shells
def test_rigid_motion_gives_no_force(kind, section):
    x = positions(kind)
    K = ELEMENTS[kind].stiffness(x, section)
    centred = x - x.mean(axis=1, keepdims=True)
    assert np.abs(K @ rigid_motions(centred, 6)).max() < 1e-12 * np.abs(K).max()


@pytest.mark.parametrize("slim", [1e-4, 1e-2, 0.5])
@shells
def test_nothing_but_six_rigid_motions_is_loose(kind, slim):
    x = positions(kind)
    K = ELEMENTS[kind].stiffness(x, ShellSection(STEEL, 0.3 * slim))
    d = np.sqrt(np.einsum("ejj->ej", K))
    values = np.linalg.eigvalsh(K / (d[:, :, None] * d[:, None, :]))
    assert values[:, 6].min() > 100.0 * np.abs(values[:, :6]).max()


@shells
def test_a_thick_mesh_has_no_soft_modes(kind):
    mesh = grid((2, 2), bilinear(SQUARE), kind == "S3")
    K = Small(mesh, kind, ShellSection(STEEL, 0.5)).K.toarray()
    d = np.sqrt(np.diag(K))
    values = np.linalg.eigvalsh(K / np.outer(d, d))
    assert np.abs(values[:6]).max() < 1e-12
    assert values[6] > 0.01


@pytest.mark.parametrize("lumped", [False, True])
@sections
@shells
def test_the_mass_of_a_rigid_translation_is_the_elements_mass(kind, section, lumped):
    x = positions(kind, warp=0.0)
    n = ELEMENTS[kind].nodes
    sides = np.roll(x, -1, axis=1) - x
    area = 0.5 * np.cross(x[:, 0], sides[:, 0])
    for k in range(1, n):
        area += 0.5 * np.cross(x[:, k], sides[:, k])
    mass = 7850.0 * 0.02 * np.linalg.norm(area, axis=1)
    shift = rigid_motions(x, 6)[:, :, :3]
    moved = shift.swapaxes(1, 2) @ ELEMENTS[kind].mass(x, section, lumped) @ shift
    assert_allclose(moved, mass[:, None, None] * np.eye(3), atol=1e-12 * mass.max())


@shells
def test_an_offset_moves_the_centre_of_mass(kind):
    x = np.array([SQUARE], dtype=float)[:, : ELEMENTS[kind].nodes]
    for lumped in (False, True):
        M = ELEMENTS[kind].mass(x, ASIDE, lumped)[0]
        motion = rigid_motions(x, 6)[0]
        moment = motion[:, 4] @ M @ motion[:, 0]  # force along x, arm along z
        mass = motion[:, 0] @ M @ motion[:, 0]
        assert_allclose(moment / mass, 0.013)


@shells
def test_a_lumped_mass_without_offset_is_diagonal(kind):
    M = ELEMENTS[kind].mass(positions(kind), PLATE, True)
    diagonal = np.einsum("ejj->ej", M)
    assert diagonal.min() > 0.0
    assert_array_equal(M, diagonal[:, :, None] * np.eye(M.shape[1]))


@sections
@shells
def test_turning_the_nodes_turns_the_matrices(kind, section):
    R, x = rotation(11), positions(kind)
    spin = block_diag(*[R] * (2 * ELEMENTS[kind].nodes))
    turned = matrices(kind, x @ R.T + 0.7, section)
    for A, B in zip(matrices(kind, x, section), turned, strict=True):
        close(spin @ A @ spin.T, B, 1e-12)


@sections
@shells
def test_renumbering_the_nodes_cyclically_permutes_the_matrices(kind, section):
    x, n = positions(kind), ELEMENTS[kind].nodes
    order = np.roll(np.arange(n), -1)
    dofs = (order[:, None] * 6 + np.arange(6)).ravel()
    again = matrices(kind, x[:, order], section)
    for A, B in zip(matrices(kind, x, section), again, strict=True):
        close(A[:, dofs[:, None], dofs], B, 1e-12)


@shells
def test_an_offset_is_a_rigid_arm(kind):
    x = positions(kind, warp=0.0)
    a, b = x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]
    normal = np.cross(a, b)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    raised = ELEMENTS[kind].stiffness(x + 0.013 * normal[:, None], PLATE)
    rng = np.random.default_rng(0)
    u = rng.normal(size=(len(x), ELEMENTS[kind].nodes, 6))
    held = u.copy()
    held[..., :3] += np.cross(u[..., 3:], 0.013 * normal[:, None])
    energy = [
        np.einsum("ei,eij,ej->e", *(v.reshape(len(x), -1), K, v.reshape(len(x), -1)))
        for v, K in ((held, raised), (u, ELEMENTS[kind].stiffness(x, ASIDE)))
    ]
    assert_allclose(*energy, rtol=1e-11)


@shells
def test_abilities_and_the_one_face(kind):
    element = ELEMENTS[kind]
    assert isinstance(element, Stressed)
    assert isinstance(element, Faced)
    assert element.faces == (tuple(range(element.nodes)),)
    assert element.dofs == (0, 1, 2, 3, 4, 5)


@shells
def test_many_elements_are_as_few(kind):
    x = np.concatenate([positions(kind, seed=s) for s in range(110)])
    for few, many in zip(
        matrices(kind, x[600:604], ASIDE), matrices(kind, x, ASIDE), strict=True
    ):
        close(few, many[600:604], 1e-13)


FOLDED = np.array([[(0, 0, 0), (1, 0, 0), (0.2, 0.2, 0), (0, 1, 0)]], dtype=float)


def test_a_folded_shell_is_refused():
    with pytest.raises(UsageError) as error:
        ELEMENTS["S4"].stiffness(FOLDED, PLATE)
    assert error.value.place == "S4 at (0.3, 0.3, 0)"
    assert "convex" in error.value.finding
    assert "in order around" in error.value.remedy


@shells
def test_a_shell_without_area_is_refused(kind):
    x = np.zeros((1, ELEMENTS[kind].nodes, 3))
    x[0, :, 0] = range(ELEMENTS[kind].nodes)
    with pytest.raises(UsageError) as error:
        ELEMENTS[kind].stiffness(x, PLATE)
    assert error.value.place.startswith(f"{kind} at (")
    assert "on a line" in error.value.finding
    assert "S3" in error.value.remedy


@pytest.mark.parametrize(
    "section",
    [
        replace(PLATE, thickness=0.0),
        ShellSection(Material("jelly", -1.0), 0.1),
        ShellSection(Material("jelly", 1.0, 0.6), 0.1),
    ],
)
@shells
def test_a_section_that_is_no_plate_is_refused(kind, section):
    x, element = positions(kind), ELEMENTS[kind]
    calls = [
        lambda: element.stiffness(x, section),
        lambda: element.mass(x, section, False),
        lambda: element.recover(x, section, np.zeros((len(x), 6 * element.nodes))),
    ]
    for call in calls:
        with pytest.raises(SettingError) as error:
            call()
        assert section.material.name in error.value.place
        assert "do not make a plate" in error.value.finding
        assert "must be positive" in error.value.remedy


def cantilever(kind, slim):
    """Tip deflection of a strip under an end load, by the beam's."""
    t = 10.0 * slim
    section = ShellSection(Material("strip", 1e7, 0.0), t)
    strip = grid(
        (10, 1), bilinear([(0, 0, 0), (10, 0, 0), (10, 1, 0), (0, 1, 0)]), kind == "S3"
    )
    model = Small(strip, kind, section)
    f = np.zeros(model.size)
    f[model.dofs(strip.node_sets["u1"], 2)] = 0.5
    u = model.solve(f, model.dofs(strip.node_sets["u0"]))
    tip = u[model.dofs(strip.node_sets["u1"], 2)].mean()
    bending = 1000.0 / (3.0 * 1e7 * t**3 / 12.0)
    return tip / (bending + 10.0 * 1.2 / (0.5e7 * t))


@pytest.mark.parametrize("slim", [1e-5, 1e-4, 1e-3, 1e-1])
@shells
def test_thin_plates_do_not_lock(kind, slim):
    assert_allclose(cantilever(kind, slim), 1.0, atol=0.01)
