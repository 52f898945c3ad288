"""Bars and beams against closed forms; sections against their limits."""

from __future__ import annotations

from dataclasses import replace
from math import inf, pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError, UsageError
from bondline.leaves.fe.elements import ELEMENTS
from bondline.leaves.fe.generate import line, linear
from bondline.leaves.fe.profiles import (
    box,
    channel,
    circle,
    i_profile,
    pipe,
    rectangle,
)
from bondline.leaves.fe.sections import BeamSection, Material, TrussSection

from .small import Small, rotation

STEEL = Material("steel", 2.1e11, 0.3, 7850.0)
L = 2.0
SECTION = BeamSection(STEEL, 1e-3, 2e-6, 5e-7, 6e-7, np.array([0, 1.0, 0]), 8e-4, 6e-4)
E, G = STEEL.E, STEEL.G


def cantilever(kind, section=SECTION, cells=1, R=None):
    """Clamped at the origin, along x or where R turns it."""
    R = np.eye(3) if R is None else R
    bar = line(cells, linear((0, 0, 0), (L, 0, 0))).moved(np.zeros(3), R)
    section = replace(section, direction=R @ section.direction)
    small = Small(bar, kind, section)
    return small, small.dofs(bar.node_sets["u0"]), small.dofs(bar.node_sets["u1"])


def tip(kind, load, section=SECTION, cells=1, R=None):
    """Motion of the tip under a load there, both in the beam's axes."""
    R = np.eye(3) if R is None else R
    spin = np.kron(np.eye(2), R)
    small, fixed, end = cantilever(kind, section, cells, R)
    f = np.zeros(small.size)
    f[end] = spin @ np.asarray(load, dtype=float)
    return spin.T @ small.solve(f, fixed)[end]


@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("kind", ["B31", "B33"])
def test_a_cantilever_is_exact_for_loads_at_its_tip(kind, seed, cells):
    R = None if seed is None else rotation(seed)
    s1, s2 = (8e-4, 6e-4) if kind == "B31" else (inf, inf)
    along_y = L**3 / (3 * E * 5e-7) + L / (G * s1)
    along_z = L**3 / (3 * E * 2e-6) + L / (G * s2)
    turn_y, turn_z = L**2 / (2 * E * 2e-6), L**2 / (2 * E * 5e-7)
    wanted = {
        0: [L / (E * 1e-3), 0, 0, 0, 0, 0],
        1: [0, along_y, 0, 0, 0, turn_z],
        2: [0, 0, along_z, 0, -turn_y, 0],
        3: [0, 0, 0, L / (G * 6e-7), 0, 0],
        4: [0, 0, -turn_y, 0, L / (E * 2e-6), 0],
        5: [0, turn_z, 0, 0, 0, L / (E * 5e-7)],
    }
    for j, motion in wanted.items():
        found = tip(kind, np.eye(6)[j], cells=cells, R=R)
        assert_allclose(found, motion, rtol=1e-9, atol=1e-9 * np.abs(motion).max())


def test_infinite_shear_areas_make_b31_a_b33():
    stiff = replace(SECTION, shear1=inf, shear2=inf)
    x = np.random.default_rng(0).normal(size=(3, 2, 3))
    for A, B in (
        (ELEMENTS["B31"].stiffness(x, stiff), ELEMENTS["B33"].stiffness(x, SECTION)),
        (ELEMENTS["B31"].mass(x, stiff, 0), ELEMENTS["B33"].mass(x, SECTION, 0)),
    ):
        assert_allclose(A, B)


def test_macneal_harder_straight_beam_with_beams():
    flat = rectangle(0.2, 0.1).section(Material("m", 1e7, 0.3), (0, 1, 0))
    bar = line(6, linear((0, 0, 0), (6, 0, 0)))
    small = Small(bar, "B33", flat)
    end = small.dofs(bar.node_sets["u1"])
    for j, wanted in ((0, 3.0e-5), (1, 0.1081), (2, 0.4321), (3, 0.0341)):
        f = np.zeros(small.size)
        f[end[j]] = 1.0
        u = small.solve(f, small.dofs(bar.node_sets["u0"]))
        assert_allclose(u[end[j]], wanted, rtol=2e-3)


def test_macneal_harder_curved_beam_with_beams():
    """A quarter of a circle, radii 4.12 to 4.32, thickness 0.1, tip loads."""

    def arc(u):
        a = 0.5 * pi * (1.0 - u[:, 0])
        return 4.22 * np.column_stack([np.cos(a), np.sin(a), 0.0 * a])

    bar = line(30, arc)
    section = rectangle(0.1, 0.2).section(Material("m", 1e7, 0.25), (0, 0, 1))
    small = Small(bar, "B31", section)
    end = small.dofs(bar.node_sets["u1"])
    for j, wanted in ((0, 0.08734), (2, 0.5022)):
        f = np.zeros(small.size)
        f[end[j]] = 1.0
        u = small.solve(f, small.dofs(bar.node_sets["u0"]))
        assert_allclose(u[end[j]], wanted, rtol=0.015)


ROOTS = np.array([1.8751040687, 4.6940911330, 7.8547574382])


@pytest.mark.parametrize("lumped", [False, True])
def test_frequencies_of_a_slender_cantilever(lumped):
    slender = rectangle(0.01, 0.02).section(STEEL, (0, 1, 0))
    small, fixed, _ = cantilever("B33", slender, cells=20)
    found = small.frequencies(6, fixed, lumped)
    both = [np.sqrt(E * a / (7850 * 2e-4)) for a in (slender.I11, slender.I22)]
    wanted = np.sort(np.outer(both, ROOTS**2 / L**2).ravel() / (2 * pi))
    assert_allclose(found[:5], wanted[:5], rtol=1e-2 if lumped else 1e-3)


def test_frequencies_of_a_thick_simply_supported_beam_are_timoshenkos():
    """w = sin kx, θ = cos kx: a quadratic in ω² with shear and rotary inertia."""
    shape = rectangle(0.2, 0.4)
    section = shape.section(STEEL, (0, 1, 0))
    small, _, _ = cantilever("B31", section, cells=40)
    ends = np.concatenate([small.patch.node_sets["u0"], small.patch.node_sets["u1"]])
    every = np.arange(len(small.patch.points))
    plane = [small.dofs(every, j) for j in (0, 1, 3, 5)]  # only z and ry are left
    found = small.frequencies(
        3, np.unique([*np.concatenate(plane), *small.dofs(ends, 2)])
    )
    k, m, r = pi * np.arange(1, 4) / L, 7850 * shape.area, 7850 * shape.I11
    GA, EI = G * shape.shear2, E * shape.I11
    b = (GA * k**2) * r + (EI * k**2 + GA) * m
    c = GA * k**2 * EI * k**2
    w2 = (b - np.sqrt(b**2 - 4 * m * r * c)) / (2 * m * r)
    assert_allclose(found, np.sqrt(w2) / (2 * pi), rtol=2e-3)


def test_an_offset_beam_is_a_centred_one_on_rigid_arms():
    offset = (0.03, -0.05)
    moved = replace(SECTION, offset=offset)
    force = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    arm = np.array([0.0, *offset])  # axes 1 and 2 are y and z
    at_centroid = force.copy()
    at_centroid[3:] -= np.cross(arm, force[:3])
    u = tip("B31", at_centroid)
    u[:3] -= np.cross(u[3:], arm)
    assert_allclose(tip("B31", force, moved), u)


def test_an_offset_mass_is_felt_at_its_arm():
    moved = replace(SECTION, offset=(0.0, 0.1))
    x = np.array([[[0, 0, 0], [L, 0, 0.0]]])
    for lumped in (False, True):
        M = ELEMENTS["B31"].mass(x, moved, lumped)[0]
        spin = np.zeros(12)
        spin[[3, 9]] = 1.0
        own = 7850 * (2e-6 + 5e-7) * L
        assert_allclose(spin @ M @ spin, own + 7850 * 1e-3 * L * 0.1**2)


def test_section_forces_of_a_cantilever_balance_its_load():
    load = np.array([100.0, 20.0, -30.0, 4.0, 5.0, 6.0])
    small, fixed, end = cantilever("B31", cells=4)
    f = np.zeros(small.size)
    f[end] = load
    u = small.solve(f, fixed)
    found = small.element.resultants(small.x, small.section, small.of_elements(u))
    for x, forces in zip(small.x.reshape(-1, 3), found.reshape(-1, 6), strict=True):
        arm = np.array([L, 0, 0]) - x
        moment = load[3:] + np.cross(arm, load[:3])
        assert_allclose(forces, [*load[:3], *moment], rtol=1e-8, atol=1e-8)


def test_stress_at_the_fibres_is_the_bending_formula():
    shape = rectangle(0.02, 0.06)
    forces = np.array([[1000.0, 0, 0, 0, 50.0, 20.0]])
    found = shape.stress(forces)[0]
    mean, b1, b2 = 1000 / 1.2e-3, 50 * 0.03 / shape.I11, 20 * 0.01 / shape.I22
    assert_allclose(found.max(), mean + b1 + b2)
    assert_allclose(found.min(), mean - b1 - b2)
    upper = shape.fibres[:, 1] > 0  # a positive M1 pulls where axis 2 points
    assert found[upper].mean() > found[~upper].mean()


def test_a_bar_pulls_along_its_axis_only():
    x = np.array([[[0, 0, 0], [3.0, 4.0, 0]]])
    section = TrussSection(STEEL, 1e-4)
    u = np.array([[0, 0, 0, 3e-3, 4e-3, 0]])
    element, strain = ELEMENTS["T3D2"], 1e-3
    assert_allclose(element.resultants(x, section, u)[0, :, 0], E * 1e-4 * strain)
    got = element.recover(x, section, u)
    assert_allclose(
        got.stress[0, 0, 1, :4], E * strain * np.array([0.36, 0.64, 0, 0.48])
    )
    assert_allclose(got.strain[0, 0, 0, :3].sum(), strain * (1 - 2 * 0.3))
    turn = np.array([[0, 0, 0, -4e-3, 3e-3, 1.0]])
    assert_allclose(element.stiffness(x, section) @ turn[0], 0.0, atol=1e-6)


def test_frequencies_of_a_bar():
    bar = line(40, linear((0, 0, 0), (L, 0, 0)))
    small = Small(bar, "T3D2", TrussSection(STEEL, 1e-4))
    across = np.concatenate([small.dofs(np.arange(41), j) for j in (1, 2)])
    found = small.frequencies(2, np.unique([0, *across]))
    wanted = np.array([1, 3]) / (4 * L) * np.sqrt(E / 7850)
    assert_allclose(found, wanted, rtol=1e-3)


def test_torsion_of_rectangles_is_saint_venants():
    assert_allclose(rectangle(1.0, 1.0).J, 0.1405770, rtol=1e-6)
    assert_allclose(rectangle(2.0, 1.0).J, 0.2286817 * 2.0, rtol=1e-5)
    assert_allclose(rectangle(1e-3, 1.0).J, 1e-9 / 3.0, rtol=1e-3)
    assert_allclose(rectangle(0.3, 0.7).J, rectangle(0.7, 0.3).J)


def test_round_sections():
    full, thin = circle(0.1), pipe(0.1, 1e-4)
    assert_allclose([full.area, full.I11], [pi * 1e-2, pi * 1e-4 / 4])
    assert_allclose(full.shear1 / full.area, 6.0 / 7.0)
    assert_allclose(thin.shear1 / thin.area, 0.5, rtol=1e-3)
    assert_allclose(thin.J, 2 * pi * 0.1**3 * 1e-4, rtol=2e-3)


def plates(parts):
    """Area, centroid and second moments of rectangles (x0, x1, y0, y1)."""
    boxes = np.array(parts, dtype=float)
    b, h = boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 2]
    x, y = boxes[:, :2].mean(axis=1), boxes[:, 2:].mean(axis=1)
    A = b * h
    cx, cy = (A @ x) / A.sum(), (A @ y) / A.sum()
    I11 = (b * h**3 / 12 + A * (y - cy) ** 2).sum()
    I22 = (h * b**3 / 12 + A * (x - cx) ** 2).sum()
    return A.sum(), I11, I22


FLANGES = [(0, 0.1, 0, 0.01), (0, 0.1, 0.19, 0.2)]
WALLS = {
    "box": (
        box(0.1, 0.2, 0.01, 0.005),
        [*FLANGES, (0, 0.005, 0.01, 0.19), (0.095, 0.1, 0.01, 0.19)],
    ),
    "i": (
        i_profile(0.1, 0.2, 0.01, 0.005),
        [*FLANGES, (0.0475, 0.0525, 0.01, 0.19)],
    ),
    "channel": (
        channel(0.1, 0.2, 0.01, 0.005),
        [*FLANGES, (0, 0.005, 0.01, 0.19)],
    ),
}


@pytest.mark.parametrize("name", sorted(WALLS))
def test_walls_are_the_sum_of_their_plates(name):
    shape, parts = WALLS[name]
    assert_allclose([shape.area, shape.I11, shape.I22], plates(parts))


@pytest.mark.parametrize("name", sorted(WALLS))
def test_shear_areas_are_a_little_less_than_the_walls_along_the_force(name):
    shape, _ = WALLS[name]
    webs = (2 if name == "box" else 1) * 0.19 * 0.005
    flanges = 2 * 0.1 * 0.01
    assert 0.8 * webs < shape.shear2 < webs
    assert 0.5 * flanges < shape.shear1 < flanges


def test_torsion_of_walls():
    closed, opened = WALLS["box"][0], WALLS["i"][0]
    cell = 0.095 * 0.19
    around = 2 * (0.095 / 0.01 + 0.19 / 0.005)
    assert_allclose(closed.J, 4 * cell**2 / around)
    assert_allclose(opened.J, (2 * 0.1 * 0.01**3 + 0.18 * 0.005**3) / 3)
    assert opened.J < 0.01 * closed.J


def test_the_shear_centre_of_a_channel_is_behind_its_web():
    """e = b² h² t / (4 I), from the web; 3 b²/(h + 6 b) for walls of one thickness."""
    t, b, h = 1e-5, 0.1, 0.2
    shape = channel(b + t / 2, h + t, t, t)
    web = shape.fibres[:, 0].min() + t / 2
    assert_allclose(web - shape.shear_centre[0], 3 * b**2 / (h + 6 * b), rtol=1e-3)


def test_beams_that_have_no_axes_are_refused():
    x = np.array([[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 2.0, 0]]])
    with pytest.raises(UsageError) as e:
        ELEMENTS["B31"].stiffness(x, SECTION)
    assert e.value.place == "B31 at (0, 1, 0)"
    assert "along the beam" in e.value.finding
    assert "across the beam" in e.value.remedy
    with pytest.raises(UsageError) as e:
        ELEMENTS["T3D2"].mass(np.zeros((2, 2, 3)), TrussSection(STEEL, 1.0), False)
    assert e.value.place == "T3D2 at (0, 0, 0) and 1 more"
    assert "same place" in e.value.finding
    assert "SPRING" in e.value.remedy


@pytest.mark.parametrize(
    ("make", "finding"),
    [
        (lambda: rectangle(0.0, 1.0), "width = 0"),
        (lambda: circle(-1.0), "radius = -1"),
        (lambda: pipe(0.1, 0.2), "thicker than the radius"),
        (lambda: box(0.1, 0.1, 0.05, 0.01), "fill the box"),
        (lambda: i_profile(0.1, 0.1, 0.05, 0.01), "fill the rectangle"),
        (lambda: channel(0.1, 0.1, 0.01, 0.1), "fill the rectangle"),
    ],
)
def test_profiles_that_cannot_be_are_refused(make, finding):
    with pytest.raises(SettingError) as e:
        make()
    assert e.value.place.startswith("profile ")
    assert finding in e.value.finding
    assert e.value.remedy
