"""Bricks and tetrahedra: patch tests, locking, closed forms.

Orders and benchmarks are on the ladder, `tests/cases/ladder`.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError, UsageError
from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.generate import Patch, brick, to_tet4, to_tet10, trilinear
from bondline.leaves.fe.sections import Material, SolidSection

from .small import Small

CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
CUBE += [(x, y, 1) for x, y, _ in CUBE]
STEEL = SolidSection(Material("steel", 2.1e11, 0.3, 7850.0))
RUBBER = SolidSection(Material("rubber", 1000.0, 0.4999, 1.0))
CUT = {"C3D8": lambda p: p, "C3D4": to_tet4, "C3D10": to_tet10}
KINDS = sorted(CUT)
SIDES = ("u0", "u1", "v0", "v1", "w0", "w1")


def outside(patch: Patch):
    return np.unique(np.concatenate([patch.node_sets[name] for name in SIDES]))


def shaken(patch: Patch, size: float, seed: int = 1) -> Patch:
    """Inner nodes moved at random."""
    x = patch.points.copy()
    inner = np.setdiff1d(np.arange(len(x)), outside(patch))
    noise = np.random.default_rng(seed).uniform(-size, size, (len(inner), 3))
    x[inner] += noise
    return Patch(x, patch.nodes, patch.node_sets, patch.face_sets)


@pytest.mark.parametrize("section", [STEEL, RUBBER], ids=["steel", "rubber"])
@pytest.mark.parametrize("kind", KINDS)
def test_constant_strain_passes_a_distorted_patch(kind, section):
    patch = CUT[kind](shaken(brick((3, 3, 3), trilinear(CUBE)), 0.08))
    if kind == "C3D10":
        patch = shaken(patch, 0.01)  # edges inside are curved
    small = Small(patch, kind, section)
    H = np.random.default_rng(5).normal(size=(3, 3))
    u = (patch.points @ H.T).ravel()
    fixed = small.dofs(outside(patch))
    found = small.solve(np.zeros(small.size), fixed, u[fixed])
    assert_allclose(found, u, atol=1e-12)
    strain = small.recovered(found).strain[0]
    sym = 0.5 * (H + H.T)
    wanted = [*np.diag(sym), sym[0, 1], sym[1, 2], sym[2, 0]]
    assert_allclose(strain, np.broadcast_to(wanted, strain.shape), atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_stress_is_hookes(kind):
    patch = CUT[kind](brick((1, 1, 1), trilinear(CUBE)))
    small = Small(patch, kind, STEEL)
    E, nu, s = 2.1e11, 0.3, 1e6
    u = patch.points * np.array([s / E, -nu * s / E, -nu * s / E])
    stress = small.recovered(u.ravel()).stress[0]
    wanted = np.broadcast_to([s, 0, 0, 0, 0, 0], stress.shape)
    assert_allclose(stress, wanted, atol=1e-9 * s)


def test_a_strip_of_one_layer_of_bricks_bends_like_a_beam():
    """Pure bending: exact for rectangular bricks, whatever their slenderness."""
    for thickness in (0.1, 1e-2, 1e-3):
        patch = brick((8, 1, 1), lambda u, t=thickness: u * np.array([1.0, 0.1, t]))
        small = Small(patch, "C3D8", SolidSection(Material("m", 1e7, 0.0)))
        end = patch.node_sets["u1"]
        f = np.zeros((len(patch.points), 3))
        sign = np.where(patch.points[end, 2] > 0.5 * thickness, 1.0, -1.0)
        f[end, 0] = sign / (2.0 * thickness)  # a unit moment
        clamped = small.dofs(patch.node_sets["u0"])
        u = small.solve(f.ravel(), clamped)
        roundoff = small.roundoff(u, clamped).reshape(-1, 3).max(axis=0)
        EI = 1e7 * 0.1 * thickness**3 / 12.0
        tip = u[small.dofs(end, 2)]
        assert_allclose(tip, -1.0 / (2.0 * EI), rtol=0.0, atol=roundoff[2])
        face = 6.0 / (0.1 * thickness**2)  # M c / I
        stress = small.recovered(u).stress[0, :, :, 0]
        strain = 2.0 * roundoff[0] * 8  # two ends of a cell, an eighth apart
        assert_allclose(np.abs(stress), face, rtol=0.0, atol=1e7 * strain)


def squeezed(kind, cells, nu):
    """Force to squeeze a cube between two plates that it sticks to."""
    patch = CUT[kind](brick((cells, cells, cells), trilinear(CUBE)))
    small = Small(patch, kind, SolidSection(Material("m", 1.0, nu)))
    sets = patch.node_sets
    sym = [small.dofs(sets[s], c) for s, c in (("u0", 0), ("v0", 1), ("w0", 2))]
    top = [small.dofs(sets["w1"], c) for c in (0, 1)]
    down = small.dofs(sets["w1"], 2)
    fixed = np.unique(np.concatenate([*sym, *top, down]))
    values = np.where(np.isin(fixed, down), -0.01, 0.0)
    u = small.solve(np.zeros(small.size), fixed, values)
    return float((small.K @ u)[down].sum() / -0.01)


def test_a_squeezed_rubber_block_does_not_lock_in_volume():
    """Coarse bricks are as close to the fine answer as they are for steel."""
    steel, rubber = (
        squeezed("C3D8", 3, nu) / squeezed("C3D10", 5, nu) for nu in (0.3, 0.4999)
    )
    assert 1.0 < steel < 1.03
    assert 1.0 < rubber < 1.06


@pytest.mark.parametrize("kind", KINDS)
def test_an_element_inside_out_is_refused(kind):
    patch = CUT[kind](brick((2, 1, 1), trilinear(CUBE)))
    x = patch.points[patch.nodes]
    x[1:] = x[1:] * np.array([-1.0, 1.0, 1.0])
    with pytest.raises(UsageError) as e:
        ELEMENTS[kind].stiffness(x, STEEL)
    assert e.value.place.startswith(f"{kind} at (-")
    assert "inside out or folded" in e.value.finding
    assert "mend the mesh" in e.value.remedy


def test_an_incompressible_material_is_refused():
    x = np.array([CUBE], dtype=np.float64)
    with pytest.raises(SettingError) as e:
        ELEMENTS["C3D8"].stiffness(x, SolidSection(Material("water", 1e6, 0.5)))
    assert e.value.place == "material water"
    assert "nu = 0.5" in e.value.finding
    assert "0.4999" in e.value.remedy


def test_many_elements_give_what_each_gives_alone():
    """Elements are taken in turns; where a turn ends must not matter."""
    patch = brick((10, 10, 6), trilinear(CUBE))
    x = patch.points[patch.nodes]
    x = x + 0.01 * np.random.default_rng(2).normal(size=x.shape)
    K = ELEMENTS["C3D8"].stiffness(x, STEEL)
    some = [0, 255, 256, 599]
    alone = [ELEMENTS["C3D8"].stiffness(x[[i]], STEEL)[0] for i in some]
    assert_allclose(K[some], alone, rtol=1e-12, atol=1e-12 * np.abs(K).max())
