"""What is held has no rigid motion, however slender; what is free has six."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.transform import Rotation

from bondline.errors import SingularInterface
from bondline.leaves.fe import Plug, fe_leaf, modes
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.static import static
from bondline.leaves.fe.supports import Support
from bondline.numerics.loose import loose_modes, sharpened, unresisted

from .parts import ALL, STEEL, beam, plate, rod

THICKNESSES = [1e-5, 1e-4, 5e-4, 1e-3, 1e-2]
TURN = Rotation.from_euler("xyz", [0.3, 0.7, 1.1]).as_matrix()
SIDE = 0.02


def sheet(thick: float, tilted: bool = False, nx: int = 20, ny: int = 2):
    mesh = plate(nx, ny, wide=0.05, thick=thick)
    return replace(mesh, points=mesh.points @ TURN.T) if tilted else mesh


def clamped(mesh, loads=()) -> FeModel:
    return FeModel("part", mesh, (Support(mesh.node_sets["u0"], ALL),), loads=loads)


def first_bending(thick: float) -> float:
    """Hz, of a cantilever of 1 m."""
    return 1.875104**2 / (2 * pi) * thick * np.sqrt(STEEL.E / (12 * STEEL.rho))


@pytest.mark.parametrize("tilted", [False, True])
@pytest.mark.parametrize("thick", THICKNESSES)
def test_a_held_sheet_vibrates_whatever_its_thickness(thick, tilted):
    """All modes at once, and seen from a port: 1 % from a slender cantilever."""
    model, known = clamped(sheet(thick, tilted)), first_bending(thick)
    assert modes(model, 1).frequencies[0] == pytest.approx(known, rel=0.01)
    leaf = fe_leaf(model, {"tip": Plug("u1")})
    for share, below in ((0.3, 0), (1.5, 1)):
        assert leaf.receptance(share * 2 * pi * known, False).below == below


@pytest.mark.parametrize("thick", [1e-4, 5e-4, 1e-3, 1e-2])
def test_towards_no_frequency_receptance_is_static_compliance(thick):
    leaf = fe_leaf(clamped(sheet(thick)), {"tip": Plug("u1")})
    slow = leaf.receptance(1e-4 * 2 * pi * first_bending(thick), False)
    rest = leaf.compliance(leaf.start(0.0).state, {}).blocks["tip", "tip"]
    H = slow.blocks["tip", "tip"].real
    known = rest.reshape(H.shape)
    size = np.sqrt(np.outer(np.diag(known), np.diag(known)))
    assert (np.abs(H - known) < 1e-4 * size).all()


@pytest.mark.parametrize("n", [10, 100, 700, 1300, 2000])
def test_a_held_beam_is_held_with_any_number_of_elements(n):
    """K loses the fourth power of n in digits: 1 % is left with 2,000 elements."""
    model = clamped(beam(n, 1.0, SIDE), (NodalForce(np.array([n]), 1, 1.0),))
    deflection = 1.0 / (3.0 * STEEL.E * SIDE**4 / 12.0)
    assert static(model).u[n, 1] == pytest.approx(deflection, rel=0.01)
    found = modes(model, 3).frequencies
    assert found[:2] == pytest.approx(first_bending(SIDE), rel=0.01)
    leaf = fe_leaf(model, {"tip": Plug("u1")})
    assert leaf.receptance(pi * first_bending(SIDE), False).below == 0


def test_a_long_thin_strip_is_held():
    mesh, thick = sheet(1e-4, nx=1200, ny=4), 1e-4
    width = 0.05
    model = clamped(mesh, (NodalForce(mesh.node_sets["u1"], 2, 0.2),))
    tip = static(model).u[mesh.node_sets["u1"], 2]
    known = 1.0 / (3.0 * STEEL.E * width * thick**3 / 12.0)
    assert tip == pytest.approx(known, rel=0.05)
    assert modes(model, 1).frequencies[0] == pytest.approx(
        first_bending(thick), rel=0.05
    )


FREE = {
    **{f"sheet {t:g}": (sheet, (t,)) for t in THICKNESSES},
    **{f"tilted {t:g}": (sheet, (t, True)) for t in THICKNESSES},
    "large": (sheet, (1e-4, False, 120, 4)),
    **{f"beam {n}": (beam, (n,)) for n in (4, 100, 700, 2000)},
}


@pytest.mark.parametrize("name", FREE)
def test_a_free_body_has_six_rigid_motions(name):
    make, given = FREE[name]
    model = FeModel("part", make(*given))
    found = modes(model, 8).frequencies
    assert (found[:6] == 0.0).all()
    assert found[6] > 0.0
    with pytest.raises(SingularInterface) as caught:
        static(model)
    assert caught.value.finding.startswith("6 free motions meet no resistance")


@pytest.mark.parametrize("thick", THICKNESSES)
def test_a_free_sheet_shows_six_rigid_motions_at_its_ports(thick):
    leaf = fe_leaf(FeModel("part", sheet(thick)), {"tip": Plug("u1")})
    slow = 1e-3 * 2 * pi * first_bending(thick)
    assert leaf.receptance(slow, False).below == 6


@pytest.mark.parametrize("n", [50, 700])
def test_a_beam_on_a_pin_turns_in_three_ways(n):
    model = FeModel("part", beam(n), (Support(np.array([0]), (0, 1, 2)),))
    with pytest.raises(SingularInterface) as caught:
        static(model)
    assert caught.value.finding.startswith("3 free motions meet no resistance")


def test_dofs_without_any_stiffness_are_loose():
    """Trusses along x: y and z of five nodes, and one motion along x."""
    K = FeModel("rod", rod(4)).assembled.system.K
    assert loose_modes(K).shape[1] == K.shape[0] - 4


def test_a_motion_with_any_energy_of_its_own_is_resisted():
    """Springs of 1 and 10⁻¹⁰ side by side are both real; their difference is not."""
    K = csr_array(np.diag([1.0, 1e-10]))
    assert unresisted(K, np.eye(2)).tolist() == [False, False]
    chain = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert unresisted(chain, np.array([[1.0, 1.0], [1.0, -1.0]])).tolist() == [
        True,
        False,
    ]


def test_low_eigenvalues_are_found_again():
    """Mixed by one part in 10¹⁰, and told wrong: what K says comes back."""
    exact = 10.0 ** np.array([-18.0, -16.0, -9.0, -1.0, 0.0])
    mixed = np.eye(5) + 1e-10 * np.random.default_rng(1).standard_normal((5, 5))
    mixed[:2, :2] = np.sqrt(0.5) * np.array([[1.0, 1.0], [1.0, -1.0]])
    told = np.array([0.0, 1e-17, 1e-9, 0.1, 1.0])
    squares, shapes = sharpened(np.diag(exact), np.eye(5), told, mixed)
    assert squares == pytest.approx(exact, rel=1e-2, abs=0.0)
    assert np.abs(np.abs(shapes[:2, :2]) - np.eye(2)).max() < 1e-2
