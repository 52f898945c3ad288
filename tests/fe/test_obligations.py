"""What every kind of bar, beam, solid, mass and spring owes (see `Element`)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.elements.element import Damped, Faced, Resultant, Stressed
from bondline.leaves.fe.generate import brick, to_tet4, to_tet10, trilinear
from bondline.leaves.fe.sections import (
    BeamSection,
    Bushing,
    Material,
    PointMass,
    SolidSection,
    TrussSection,
)

from .small import rigid_motions, rotation

STEEL = Material("steel", 2.1e11, 0.3, 7850.0)
CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
CUBE += [(x, y, 1) for x, y, _ in CUBE]
BEAM = BeamSection(
    STEEL, 1e-3, 2e-6, 5e-7, 6e-7, np.array([0.2, 1.0, 0.3]), 8e-4, 7e-4, (0.02, -0.03)
)
SPRING = Bushing(np.arange(1.0, 7.0), np.arange(2.0, 8.0), rotation(7))
TENSOR = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]])
SECTIONS = {
    "T3D2": TrussSection(STEEL, 1e-3),
    "B31": BEAM,
    "B33": BEAM,
    "C3D4": SolidSection(STEEL),
    "C3D8": SolidSection(STEEL),
    "C3D10": SolidSection(STEEL),
    "MASS": PointMass(3.0, TENSOR),
    "SPRING": SPRING,
}
KINDS = sorted(SECTIONS)
MASSIVE = sorted(set(KINDS) - {"SPRING"})
ELASTIC = sorted(set(KINDS) - {"MASS"})
# a permutation of the nodes that leaves the element the same body
CYCLES = {
    "T3D2": [1, 0],
    "C3D4": [1, 2, 0, 3],
    "C3D8": [1, 2, 3, 0, 5, 6, 7, 4],
    "C3D10": [1, 2, 0, 3, 5, 6, 4, 8, 9, 7],
    "SPRING": [1, 0],
}


def solid(kind):
    block = brick((2, 1, 1), trilinear(CUBE))
    cut = {"C3D8": lambda p: p, "C3D4": to_tet4, "C3D10": to_tet10}[kind]
    return cut(block)


def positions(kind, seed=3):
    """Some elements of random shape and place."""
    rng = np.random.default_rng(seed)
    if kind.startswith("C3D"):
        patch = solid(kind)
        bent = patch.points + 0.06 * rng.uniform(-1, 1, patch.points.shape)
        return bent[patch.nodes] @ rotation(seed).T + rng.normal(size=3)
    return rng.normal(size=(5, ELEMENTS[kind].nodes, 3))


def mass_of(kind, x):
    """The element's mass from its measure."""
    if kind == "MASS":
        return np.full(len(x), 3.0)
    if kind in ("T3D2", "B31", "B33"):
        return 7850.0 * 1e-3 * np.linalg.norm(x[:, 1] - x[:, 0], axis=1)
    if kind == "C3D4":
        return 7850.0 * np.linalg.det(x[:, 1:] - x[:, :1]) / 6.0
    return None


def turned_section(kind, R):
    section = SECTIONS[kind]
    if kind in ("B31", "B33"):
        return replace(section, direction=R @ section.direction)
    if kind == "MASS":
        return PointMass(section.mass, R @ section.inertia @ R.T)
    if kind == "SPRING":
        return replace(section, axes=section.axes @ R.T)
    return section


def matrices(kind, x, section=None):
    element, section = ELEMENTS[kind], section or SECTIONS[kind]
    yield element.stiffness(x, section)
    yield element.mass(x, section, False)
    yield element.mass(x, section, True)
    if isinstance(element, Damped):
        yield element.damping(x, section)


@pytest.mark.parametrize("kind", KINDS)
def test_matrices_are_symmetric_and_not_negative(kind):
    for A in matrices(kind, positions(kind)):
        assert A.shape[1] == ELEMENTS[kind].nodes * len(ELEMENTS[kind].dofs)
        scale = max(np.abs(A).max(), 1e-300)
        assert_allclose(A, A.swapaxes(1, 2), atol=1e-13 * scale)
        assert np.linalg.eigvalsh(A).min() > -1e-12 * scale


@pytest.mark.parametrize("kind", ELASTIC)
def test_only_rigid_motion_gives_no_force(kind):
    x = positions(kind)
    K = ELEMENTS[kind].stiffness(x, SECTIONS[kind])
    modes = rigid_motions(x, len(ELEMENTS[kind].dofs))
    scale = np.abs(K).max() * np.abs(modes).max()
    assert_allclose(K @ modes, 0.0, atol=1e-12 * scale)
    scaled = _unit_diagonal(K)
    zero = np.linalg.eigvalsh(scaled) < 1e-9
    assert_array_equal(zero.sum(axis=1), 5 if kind == "T3D2" else 6)


def _unit_diagonal(K):
    d = np.sqrt(np.einsum("ejj->ej", K))
    return K / (d[:, :, None] * d[:, None, :])


@pytest.mark.parametrize("lumped", [False, True])
@pytest.mark.parametrize("kind", MASSIVE)
def test_the_mass_of_a_rigid_translation_is_the_elements_mass(kind, lumped):
    x = positions(kind)
    M = ELEMENTS[kind].mass(x, SECTIONS[kind], lumped)
    shift = rigid_motions(x, len(ELEMENTS[kind].dofs))[:, :, :3]
    moved = shift.swapaxes(1, 2) @ M @ shift
    m = mass_of(kind, x)
    m = moved[:, 0, 0] if m is None else m
    assert_allclose(moved, m[:, None, None] * np.eye(3), atol=1e-12 * m.max())


@pytest.mark.parametrize("kind", ["C3D8", "C3D10"])
def test_the_mass_of_a_mesh_is_its_volume_times_density(kind):
    patch = solid(kind)
    M = ELEMENTS[kind].mass(patch.points[patch.nodes], SECTIONS[kind], False)
    assert_allclose(M[:, ::3, ::3].sum(), 7850.0)


@pytest.mark.parametrize("kind", KINDS)
def test_turning_the_nodes_turns_the_matrices(kind):
    R, x = rotation(11), positions(kind)
    spin = np.kron(np.eye(ELEMENTS[kind].nodes * len(ELEMENTS[kind].dofs) // 3), R)
    turned = matrices(kind, x @ R.T, turned_section(kind, R))
    for A, B in zip(matrices(kind, x), turned, strict=True):
        assert_allclose(B, spin @ A @ spin.T, atol=1e-11 * max(np.abs(A).max(), 1e-300))


@pytest.mark.parametrize("kind", sorted(CYCLES))
def test_renumbering_the_nodes_permutes_the_matrices(kind):
    x, order = positions(kind), CYCLES[kind]
    width = len(ELEMENTS[kind].dofs)
    dofs = (np.array(order)[:, None] * width + np.arange(width)).ravel()
    again = matrices(kind, x[:, order])
    for A, B in zip(matrices(kind, x), again, strict=True):
        permuted = A[:, dofs[:, None], dofs]
        assert_allclose(B, permuted, atol=1e-11 * max(np.abs(A).max(), 1e-300))


@pytest.mark.parametrize("kind", ["B31", "B33"])
def test_a_beam_without_offset_across_does_not_know_its_direction(kind):
    x, section = positions(kind), replace(BEAM, offset=(0.02, 0.0))
    dofs = np.r_[6:12, 0:6]
    again = matrices(kind, x[:, ::-1], section)
    for A, B in zip(matrices(kind, x, section), again, strict=True):
        assert_allclose(B, A[:, dofs[:, None], dofs], atol=1e-11 * np.abs(A).max())


@pytest.mark.parametrize("kind", MASSIVE)
def test_lumped_masses_are_positive(kind):
    M = ELEMENTS[kind].mass(positions(kind), SECTIONS[kind], True)
    assert np.all(np.linalg.eigvalsh(M) > 0.0)


@pytest.mark.parametrize("kind", ["T3D2", "C3D4", "C3D8", "C3D10"])
def test_lumped_masses_are_diagonal(kind):
    M = ELEMENTS[kind].mass(positions(kind), SECTIONS[kind], True)
    diagonal = np.einsum("ejj->ej", M)
    assert_array_equal(M, diagonal[:, :, None] * np.eye(M.shape[1]))


@pytest.mark.parametrize("kind", KINDS)
def test_abilities_are_those_of_the_kind(kind):
    element = ELEMENTS[kind]
    assert isinstance(element, Stressed) == (kind in ("T3D2", "C3D4", "C3D8", "C3D10"))
    assert isinstance(element, Resultant) == (kind in ("T3D2", "B31", "B33", "SPRING"))
    assert isinstance(element, Faced) == kind.startswith("C3D")
    assert isinstance(element, Damped) == (kind == "SPRING")


@pytest.mark.parametrize("kind", ["C3D4", "C3D8", "C3D10"])
def test_normals_of_the_faces_point_inside_as_abaqus_lists_them(kind):
    x = positions(kind)
    for face in ELEMENTS[kind].faces:
        a, b, c = (x[:, face[k]] for k in range(3))
        inside = x.mean(axis=1) - x[:, list(face)].mean(axis=1)
        assert np.all(np.einsum("ei,ei->e", np.cross(b - a, c - a), inside) > 0.0)
