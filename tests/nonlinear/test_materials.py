"""Return mapping: published paths, tangents, and laws that agree with each other."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Hardening,
    Law,
    Linear,
    Plastic,
    Rubber,
    Swift,
    Table,
)
from bondline.leaves.nonlinear.materials.plane_stress import plane_law
from bondline.leaves.nonlinear.materials.solid import solid_law
from bondline.leaves.nonlinear.materials.uniaxial import fibre_law

E, E_T = 195e3, 1930.0
STEEL = Material("steel", E, 0.3)
H = E * E_T / (E - E_T)
ALONE = Plastic(STEEL, Linear(181.0, H))
KINDS = [
    ALONE,
    Plastic(STEEL, Linear(181.0, 500.0), 2000.0),
    Plastic(STEEL, Swift(500.0, 0.01, 0.2), 3000.0),
    Plastic(STEEL, Table((0.0, 0.002, 0.01), (181.0, 250.0, 300.0))),
]
A, B = np.array([151.2, 0.0, 93.1]), np.array([257.2, 0.0, 33.1])


def follow(law: Law, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Strains xx and xy at A and B of the path 0 → A → B in stress."""
    share = np.arange(1, steps + 1) / steps
    targets = [*(s * A for s in share), *(A + s * (B - A) for s in share)]
    strain, past, found = np.zeros(3), np.zeros(law.numbers), []
    for target in targets:
        for _ in range(40):
            at = law.respond(strain[None], past[None])
            off = target - at.stress[0]
            if np.abs(off).max() < 1e-9:
                break
            strain = strain + np.linalg.solve(at.tangent[0], off)
        past = at.history[0]
        found.append(strain * [1.0, 1.0, 0.5])
    return found[steps - 1][[0, 2]], found[-1][[0, 2]]


def test_traction_and_shear_end_where_published() -> None:
    """verification.md: A is proportional, so exact; B is of first order."""
    at_a, coarse = follow(plane_law(ALONE), 100)
    _, fine = follow(plane_law(ALONE), 200)
    assert at_a == pytest.approx([0.0148297136, 0.0136014011], rel=1e-8)
    assert 2.0 * fine - coarse == pytest.approx([0.0352648615, 0.0204708791], rel=5e-6)


def loaded(law: Law, size: int) -> tuple[np.ndarray, np.ndarray]:
    """A strain and a history with plastic flow before and after."""
    rng = np.random.default_rng(1)
    first = 4e-3 * rng.standard_normal((6, size))
    second = first + 2e-3 * rng.standard_normal((6, size))
    if size == 1:
        first, second = first[:, 0], second[:, 0]
    return second, law.respond(first, np.zeros((6, law.numbers))).history


@pytest.mark.parametrize("metal", KINDS)
@pytest.mark.parametrize("make", [plane_law, solid_law])
def test_tangents_are_those_of_the_algorithm(make: type, metal: Plastic) -> None:
    law = make(metal)
    size = 3 if make is plane_law else 6
    strain, past = loaded(law, size)
    at, h = law.respond(strain, past), 1e-8
    columns = [
        (
            law.respond(strain + h * e, past).stress
            - law.respond(strain - h * e, past).stress
        )
        / (2.0 * h)
        for e in np.eye(size)
    ]
    assert np.abs(np.stack(columns, axis=-1) - at.tangent).max() < 1e-7 * E


@pytest.mark.parametrize("metal", KINDS)
def test_a_fibre_has_the_tangent_of_its_algorithm(metal: Plastic) -> None:
    law = fibre_law(metal)
    strain, past = loaded(law, 1)
    more, less = (law.respond(strain + h, past).stress for h in (1e-8, -1e-8))
    tangent = law.respond(strain, past).tangent
    assert np.abs((more - less) / 2e-8 - tangent).max() < 1e-7 * E


@pytest.mark.parametrize("metal", KINDS)
def test_plane_stress_is_the_solid_without_stress_across(metal: Plastic) -> None:
    plane, solid = plane_law(metal), solid_law(metal)
    past3, past6, across = np.zeros((6, 7)), np.zeros((6, 13)), np.zeros(6)
    rng = np.random.default_rng(2)
    strain = np.zeros((6, 3))
    for _ in range(3):
        strain = strain + 3e-3 * rng.standard_normal((6, 3))
        for _ in range(60):
            wide = np.zeros((6, 6))
            wide[:, [0, 1, 3]], wide[:, 2] = strain, across
            full = solid.respond(wide, past6)
            across = across - full.stress[:, 2] / full.tangent[:, 2, 2]
        flat = plane.respond(strain, past3)
        past3, past6 = flat.history, full.history
        assert flat.stress == pytest.approx(full.stress[:, [0, 1, 3]], abs=1e-8)
        assert flat.stored == pytest.approx(full.stored, abs=1e-10)
        assert flat.plastic == pytest.approx(full.plastic, abs=1e-10)


@pytest.mark.parametrize("metal", KINDS)
def test_work_goes_into_storage_and_plastic_flow(metal: Plastic) -> None:
    law, strain = fibre_law(metal), np.zeros(1)
    past, work, stress = np.zeros((1, 3)), 0.0, 0.0
    for target in (0.01, -0.01, 0.02):
        for new in np.linspace(strain[0], target, 2001)[1:]:
            at = law.respond(np.array([new]), past)
            work += 0.5 * (stress + at.stress[0]) * (new - strain[0])
            strain, past, stress = np.array([new]), at.history, at.stress[0]
    assert work == pytest.approx(at.stored[0] + at.plastic[0], rel=1e-4)


def test_rubber_is_steel_where_it_is_stretched_little() -> None:
    strain = 1e-7 * np.random.default_rng(0).standard_normal((4, 6))
    none = np.zeros((4, 0))
    soft, stiff = (solid_law(m).respond(strain, none) for m in (Rubber(STEEL), STEEL))
    assert soft.stress == pytest.approx(stiff.stress, rel=1e-5, abs=1e-8)
    assert soft.tangent == pytest.approx(stiff.tangent, rel=1e-5, abs=1.0)


@pytest.mark.parametrize(
    "law", [Linear(1.0, 2.0), Swift(3.0, 0.1, 0.3), KINDS[3].hardening]
)
def test_the_work_of_a_hardening_is_its_integral(law: Hardening) -> None:
    p = np.linspace(0.0, 0.02, 20001)
    sigma, slope = law.at(p)
    whole = ((sigma[1:] + sigma[:-1]) * np.diff(p)).sum() / 2.0
    assert law.work(p)[-1] == pytest.approx(whole, rel=1e-7)
    assert np.diff(sigma) / np.diff(p) == pytest.approx(slope[:-1], rel=1e-2, abs=1e-6)


def test_a_metal_that_yields_at_nothing_is_refused() -> None:
    with pytest.raises(SettingError, match="yields at 0 Pa"):
        Linear(0.0, 1.0)
    with pytest.raises(SettingError, match="rising from 0"):
        Table((0.1, 0.2), (1.0, 2.0))


@pytest.mark.parametrize("H", [float("nan"), float("inf"), -1.0])
def test_a_hardening_that_is_no_number_is_refused(H: float) -> None:
    with pytest.raises(SettingError, match="Give 0 or more"):
        Linear(420e6, H)
