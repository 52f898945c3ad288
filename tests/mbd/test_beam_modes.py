"""Analytic beams: closed forms, the gun of kim2000, laws of the invariants."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes
from bondline.leaves.mbd.modal.shapes import (
    BENDING_ENDS,
    STRETCHING_ENDS,
    bending,
    gauss,
    stretching,
)

from .gun import LENGTH, gun_modes
from .models import GUN
from .models import gun_modes as given_modes

BEAM = Beam(2.0, 3.0, EIy=4e3, EIz=1e3, EA=1e7, GJ=5e2, radii=(0.02, 0.04))


def moment(modes, k):
    """∫ s × φₖ dm from the antisymmetric part of ∫ s φₖᵀ dm."""
    S = modes.S1[k]
    return np.array([S[1, 2] - S[2, 1], S[2, 0] - S[0, 2], S[0, 1] - S[1, 0]])


def test_the_gun_has_the_figures_of_its_reference():
    gun = gun_modes()
    assert_allclose(gun.c0, [3409.887869520897, 0, 0], rtol=1e-14)
    assert_allclose(gun.J0[1, 1], 12646.083662586465, rtol=1e-14)
    assert_allclose(gun.I0[:2, 2], [26.839605171849534, 14.874573077974738], 1e-12)
    assert_allclose(-moment(gun, 0)[1], 110.10577543447748, rtol=1e-12)
    assert_allclose(-moment(gun, 1)[1], 20.23891392606399, rtol=1e-12)
    omega = np.sqrt(np.diag(gun.K))
    assert_allclose(omega[:2], [40.891967234683115, 256.2655842731502], rtol=1e-12)
    assert_allclose(gun.M, np.eye(4), atol=1e-13)
    muzzle = gun.nodes["muzzle"]
    assert_allclose(muzzle.shift[2, :2], [0.05834599659915782, -0.05834599659915782])
    assert_allclose(muzzle.frame.at[0], 0.25203222937948677 + LENGTH)


@pytest.mark.parametrize("ends", BENDING_ENDS)
@pytest.mark.parametrize("number", [1, 2, 7, 40])
def test_a_bending_mode_solves_its_equation_and_is_normal(ends, number):
    shape = bending(ends, number)
    x, w = gauss(number)
    other = bending(ends, number + 1)
    assert_allclose(shape.at(x, 4), shape.root**4 * shape.at(x, 0))
    assert_allclose(w @ shape.at(x, 0) ** 2, 1.0, rtol=1e-13)
    assert abs(w @ (shape.at(x, 0) * other.at(x, 0))) < 1e-12
    for end, place in zip(ends.split("-"), (0.0, 1.0), strict=True):
        held = {"clamped": (0, 1), "pinned": (0, 2), "free": (2, 3)}[end]
        for d in held:
            assert abs(shape.at(np.array([place]), d)[0]) < 1e-12 * shape.root**d


@pytest.mark.parametrize("ends", STRETCHING_ENDS)
def test_bars_stretch_in_waves(ends):
    shape = stretching(ends, 3)
    x, w = gauss(3)
    assert_allclose(w @ shape.at(x, 0) ** 2, 1.0, rtol=1e-13)
    for end, place in zip(ends.split("-"), (0.0, 1.0), strict=True):
        d = 1 if end == "free" else 0
        assert abs(shape.at(np.array([place]), d)[0]) < 1e-12 * shape.root**d


def test_free_modes_carry_no_momentum():
    kinds = [Shapes(f"bend-{a}", 4, "free-free") for a in "yz"]
    beam = beam_modes(
        Beam(2.0, 3.0, EIy=4e3, EIz=1e3, frame=Frame((0.3, 0.1, -0.2))), kinds
    )
    assert_allclose(beam.I0, 0.0, atol=1e-12)
    assert_allclose([moment(beam, k) for k in range(8)], 0.0, atol=1e-12)


def test_rotary_inertia_counts_where_the_section_has_radii():
    twist = beam_modes(BEAM, [Shapes("torsion", 2), Shapes("axial", 1)])
    polar = BEAM.mass * (0.02**2 + 0.04**2)
    assert_allclose(twist.M, np.eye(3), atol=1e-13)
    assert_allclose(twist.J0[0, 0], polar)
    wave = np.sqrt(BEAM.GJ * BEAM.length / polar) * np.pi / (2 * BEAM.length)
    assert_allclose(np.sqrt(twist.K[0, 0]), wave, rtol=1e-13)
    # ∫ s × φ dm of a twist is its share of the spin of the sections
    assert_allclose(moment(twist, 0)[0], np.sqrt(polar) * 2 * np.sqrt(2) / np.pi)
    bent = beam_modes(BEAM, [Shapes("bend-z", 1)])
    assert 1.0 < bent.M[0, 0] < 1.01


def test_a_turned_beam_is_the_beam_seen_from_elsewhere():
    shapes = [Shapes("bend-y", 2), Shapes("bend-z", 1), Shapes("torsion", 1)]
    frame = Frame((0.3, -0.4, 0.5), (0.5, 0.1, -0.7, 0.2))
    straight = beam_modes(BEAM, shapes, nodes={"end": 2.0})
    turned = beam_modes(
        Beam(**{**vars(BEAM), "frame": frame}), shapes, nodes={"end": 2.0}
    )
    R, p = frame.R, frame.p
    assert_allclose(turned.c0, BEAM.mass * p + R @ straight.c0)
    assert_allclose(turned.I0, straight.I0 @ R.T, atol=1e-14)
    about = np.outer(p, straight.I0[0] @ R.T) + R @ straight.S1[0] @ R.T
    assert_allclose(turned.S1[0], about, atol=1e-14)
    assert_allclose(turned.K, straight.K)
    assert_allclose(turned.nodes["end"].tilt, R @ straight.nodes["end"].tilt)


@pytest.mark.parametrize("held", ["left", "right", "both"])
def test_a_spinning_beam_is_stiffened_as_its_axial_force_says(held):
    ends = {"left": "clamped-free", "right": "free-clamped", "both": "clamped-clamped"}
    beam = beam_modes(BEAM, [Shapes("bend-z", 2, ends[held])], held=held)
    x = np.linspace(0, 2, 4001)
    mu, L = 1.5, 2.0
    ahead = -mu * x**2 / 2  # N' = −μ x for a unit of ω²
    end = {"left": ahead[-1], "right": 0.0, "both": ahead.mean()}[held]
    end = -mu * L**2 / 6 if held == "both" else end
    N = ahead - end
    slopes = [
        bending(ends[held], n).at(x / L, 1) / L / np.sqrt(BEAM.mass) for n in (1, 2)
    ]
    G = [[np.trapezoid(N * a * b, x) for a in slopes] for b in slopes]
    for product in (7, 8):  # ωyωy and ωzωz
        assert_allclose(beam.stiffening[product], G, rtol=1e-5)
    assert_allclose(beam.stiffening[[1, 2, 3, 4, 5, 6, 9, 10, 11]], 0.0, atol=1e-14)


def test_stiffening_does_not_depend_on_how_the_beam_is_turned():
    """For any motion: Σ γ G of the turned beam equals that of the straight one."""
    shapes, rng = [Shapes("bend-z", 2)], np.random.default_rng(3)
    frame = Frame((0.0, 0.0, 0.0), (0.5, 0.1, -0.7, 0.2))
    straight = beam_modes(BEAM, shapes, held="left").stiffening
    turned = beam_modes(
        Beam(**{**vars(BEAM), "frame": frame}), shapes, held="left"
    ).stiffening
    A, alpha, w = rng.normal(size=(3, 3))
    seen = [v @ frame.R for v in (A, alpha, w)]
    assert_allclose(
        gammas(A, alpha, w) @ turned.reshape(12, -1),
        gammas(*seen) @ straight.reshape(12, -1),
    )


def gammas(A, alpha, w):
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
    return np.array([*A, *alpha, *(w[i] * w[j] for i, j in pairs)])


def test_damping_ratios_are_those_of_the_modes():
    beam = beam_modes(BEAM, [Shapes("bend-z", 3)], damping=[0.01, 0.02])
    squares, y = np.linalg.eig(np.linalg.solve(beam.M, beam.K))
    order = np.argsort(squares)
    each = [y[:, i] for i in order]
    two = [(v @ beam.D @ v) / (v @ beam.M @ v) for v in each]
    zeta = np.array(two) / (2 * np.sqrt(squares[order]))
    assert_allclose(zeta, [0.01, 0.02, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Shapes("bend-x"), "bend-y"),
        (
            lambda: beam_modes(BEAM, [Shapes("bend-z", 1, "clamped-fre")]),
            "clamped-free",
        ),
        (lambda: beam_modes(Beam(1.0, 1.0), [Shapes("axial")]), "EA"),
        (lambda: beam_modes(Beam(1.0, 1.0, GJ=1.0), [Shapes("torsion")]), "radii"),
        (lambda: beam_modes(BEAM, [], nodes={"tip": 2.5}), "2 long"),
        (lambda: Beam(-1.0, 1.0), "length"),
        (lambda: beam_modes(BEAM, [Shapes("bend-z")], held="lef"), "left"),
        (lambda: beam_modes(BEAM, [Shapes("bend-z")], damping=[-1]), "ratios"),
        (lambda: Shapes("axial", -1), "count"),
    ],
)
def test_what_is_no_beam_is_refused(make, says):
    with pytest.raises(SettingError, match=says):
        make()


def test_the_gun_as_a_beam_has_the_integrals_that_others_found():
    made, given = gun_modes(), given_modes({**GUN, "J_my": 0.0})
    for name in ("c0", "J0", "I0", "S1", "S2", "M", "K"):
        known = getattr(given, name)
        assert_allclose(getattr(made, name), known, atol=1e-11 * np.abs(known).max())
