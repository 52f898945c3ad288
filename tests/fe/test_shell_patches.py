"""Patch tests of S4, S3 and both: constant strain, constant curvature, recovered."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.sections import Material, ShellSection

from .small import rotation

SECTION = ShellSection(Material("patch", 1e6, 0.25), 0.001)
XY = np.array(
    [
        *((0, 0), (0.24, 0), (0.24, 0.12), (0, 0.12)),
        *((0.04, 0.02), (0.18, 0.03), (0.16, 0.08), (0.08, 0.08)),
    ]
)
QUADS = np.array([(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)])
TRIANGLES = np.concatenate((QUADS[:, :3], QUADS[:, [2, 3, 0]]))
MESHES = {
    "quads": {"S4": QUADS},
    "triangles": {"S3": TRIANGLES},
    "both": {"S4": QUADS[:4], "S3": TRIANGLES[[4, 9]]},
}
# of both fields at z = 0; the plate thins by ν/(1 - ν) of the stretch
STRAIN = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, -2.0 / 3.0]])
meshes = pytest.mark.parametrize("mesh", MESHES)


def linear_field(xy):
    """The membrane patch test of MacNeal & Harder (1985)."""
    x, y = xy.T
    u = np.zeros((len(xy), 6))
    u[:, 0], u[:, 1] = 1e-3 * (x + 0.5 * y), 1e-3 * (y + 0.5 * x)
    return u


def quadratic_field(xy):
    """Their plate patch test."""
    x, y = xy.T
    u = np.zeros((len(xy), 6))
    u[:, 2] = 0.5e-3 * (x * x + x * y + y * y)
    u[:, 3], u[:, 4] = 1e-3 * (y + 0.5 * x), -1e-3 * (x + 0.5 * y)
    return u


def stiffness(mesh, section, x):
    K = np.zeros((6 * len(x),) * 2)
    for kind, rows in MESHES[mesh].items():
        for nodes, k in zip(
            rows, ELEMENTS[kind].stiffness(x[rows], section), strict=True
        ):
            dofs = (nodes[:, None] * 6 + np.arange(6)).ravel()
            K[np.ix_(dofs, dofs)] += k
    return K


def solve(K, fixed, values):
    free = np.setdiff1d(np.arange(len(K)), fixed)
    u = np.zeros(len(K))
    u[fixed] = values
    scale = np.sqrt(np.diag(K)[free])  # thin plates: rotations are in other units
    A = K[np.ix_(free, free)] / np.outer(scale, scale)
    u[free] = np.linalg.solve(A, -(K @ u)[free] / scale) / scale
    return u


def outer(components):
    return (np.arange(4)[:, None] * 6 + np.array(components)).ravel()


def in_space(u, R):
    return (u.reshape(-1, 2, 3) @ R.T).reshape(-1, 6)


@pytest.mark.parametrize("thickness", [1e-3, 1e-2, 5e-2])
@pytest.mark.parametrize("field", [linear_field, quadratic_field])
@meshes
def test_a_patch_takes_the_field_of_its_rim(mesh, field, thickness):
    """Rotations about the normal are free, on the rim too."""
    section = ShellSection(SECTION.material, thickness)
    x = np.c_[XY, np.zeros(8)]
    wanted = field(XY).ravel()
    fixed = outer((0, 1, 2, 3, 4))
    u = solve(stiffness(mesh, section, x), fixed, wanted[fixed])
    error = (u - wanted).reshape(8, 6) * (1, 1, 1, 0.24, 0.24, 0.24)
    assert np.abs(error).max() < 1e-12 * np.abs(wanted).max()


@meshes
def test_lumped_tractions_stretch_a_patch_evenly(mesh):
    x = np.c_[XY, np.zeros(8)]
    K = stiffness(mesh, SECTION, x)
    f = np.zeros((8, 6))
    f[[1, 2], 0] = 0.5 * 0.12 * SECTION.thickness  # 1 Pa
    fixed = np.array([0, 2, 3, 4, 5, 6 * 3, *outer((2, 3, 4))])
    fixed = np.unique(fixed)
    free = np.setdiff1d(np.arange(48), fixed)
    u = np.zeros(48)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], f.ravel()[free])
    u = u.reshape(8, 6)
    assert_allclose(u[:, 0], 1e-6 * XY[:, 0], atol=1e-18)
    assert_allclose(u[:, 1] - u[0, 1], -0.25e-6 * XY[:, 1], atol=1e-18)


@pytest.mark.parametrize("turned", [False, True])
@meshes
def test_recovered_stress_of_a_patch_is_constant(mesh, turned):
    R = rotation(5) if turned else np.eye(3)
    x = np.c_[XY, np.zeros(8)] @ R.T
    u = in_space(linear_field(XY) + quadratic_field(XY), R)
    t = 0.5 * SECTION.thickness
    shear = 2.0 / 5.0 * 1e6 * 1e-3  # G times the shear angle 1e-3
    plane = np.array([[1e3 / 0.75, shear, 0], [shear, 1e3 / 0.75, 0], [0, 0, 0]])
    for kind, rows in MESHES[mesh].items():
        found = ELEMENTS[kind].recover(x[rows], SECTION, u[rows].reshape(len(rows), -1))
        assert found.layers == ("bottom", "middle", "top")
        for z, stress, strain in zip(
            (-t, 0.0, t), found.stress, found.strain, strict=True
        ):
            wanted = R @ ((1.0 - z) * plane) @ R.T
            assert_allclose(stress, spread(wanted, stress), atol=1e-8)
            local = 1e-3 * (1.0 - z) * STRAIN
            assert_allclose(strain, spread(R @ local @ R.T, strain), atol=1e-14)


def spread(tensor, like):
    a, b = (0, 1, 2, 0, 1, 2), (0, 1, 2, 1, 2, 0)
    return np.broadcast_to(tensor[a, b], like.shape)


def test_transverse_shear_is_a_parabola():
    x = np.array([[(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]], dtype=float)
    u = np.zeros((4, 6))
    u[:, 2] = 1e-3 * x[0, :, 0]  # w = x/1000 with upright normals
    stress = ELEMENTS["S4"].recover(x, SECTION, u.reshape(1, -1)).stress
    middle = 1.5 * 5.0 / 6.0 * 0.4e6 * 1e-3
    assert_allclose(stress[1, 0], np.tile([0, 0, 0, 0, 0, middle], (4, 1)), atol=1e-9)
    assert_allclose(stress[[0, 2]], 0.0, atol=1e-9)
