"""Fibre beams: large rotations, published solutions, plastic moments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Beams2,
    Beams3,
    Hold,
    Linear,
    Newton,
    Nonlinear,
    NonlinearModel,
    Plastic,
    Socket,
)
from bondline.leaves.nonlinear.elements import fibres
from tests.nonlinear.models import at, one_block, row, settled, straight

SOFT = Material("soft", 1e6, 0.0, 1.0)
ALL = (0, 1, 2, 3, 4, 5)


def test_an_end_moment_of_2_pi_EI_over_L_bends_a_plane_beam_to_a_circle() -> None:
    section = fibres.layers(SOFT, 0.1, 0.2, 4)
    model = one_block(
        straight(10.0, 10), Beams2(row(10), section), Hold((0,), (0, 1, 5))
    )
    load = np.zeros(model.dofs.size)
    load[-1] = 2.0 * np.pi * 1e6 * float(section.area @ section.y1**2) / 10.0
    tip = settled(model, load, 0.1, 0.2).parts.u[-3:]
    assert tip == pytest.approx([-10.0, 0.0, 2.0 * np.pi], abs=1e-8)


def test_the_same_in_space_whatever_the_direction_of_the_beam() -> None:
    section = fibres.rectangle(SOFT, 0.1, 0.2, 4)
    along = np.array([1.0, 2.0, -0.5])
    along /= np.linalg.norm(along)
    about = np.cross(along, [0.0, 0.0, 1.0])
    about /= np.linalg.norm(about)
    points = np.linspace(0.0, 10.0, 11)[:, None] * along
    beams = Beams3(row(10), section, np.cross(about, along))
    model = one_block(points, beams, Hold((0,), ALL))
    load = np.zeros(model.dofs.size)
    EI = 1e6 * float(section.area @ section.y1**2)
    load[-3:] = 2.0 * np.pi * EI / 10.0 * about
    tip = settled(model, load, 0.1, 0.2).parts.u[-6:-3]
    assert tip == pytest.approx(-10.0 * along, abs=1e-7)


@pytest.mark.parametrize(
    ("force", "published"),
    [(300.0, (58.84, 22.33, 40.08)), (600.0, (47.23, 15.79, 53.37))],
)
def test_the_bend_of_45_degrees_ends_where_simo_and_vu_quoc_found_it(
    force: float, published: tuple[float, float, float]
) -> None:
    """Bathe and Bolourchi's bend (1979); values of Simo and Vu-Quoc (1986).

    They take J = 1/6 (the polar moment), shear and eight elements; other authors
    differ by up to 0.5. With Saint-Venant's J we have Crisfield's (1990) values.
    """
    angle = np.linspace(0.0, np.pi / 4.0, 9)
    points = 100.0 * np.column_stack([np.sin(angle), 1.0 - np.cos(angle), 0.0 * angle])
    section = replace(
        fibres.rectangle(Material("m", 1e7, 0.0, 1.0), 1.0, 1.0, 4), J=1.0 / 6.0
    )
    beams = Beams3(row(8), section, np.array([0.0, 0.0, 1.0]))
    model = one_block(points, beams, Hold((0,), ALL))
    leaf = Nonlinear(model, {"tip": Socket((8,), frame=True)}, newton=Newton(1e-10))
    loads = {"tip": np.array([0.0, 0.0, force, 0.0, 0.0, 0.0])}
    rest = at(leaf.equilibrium(leaf.start(0.0).state, 1.0, loads, {}))
    assert np.abs(rest.outputs["tip"].x - published).max() < 0.16


def test_a_plastic_hinge_carries_three_halves_of_the_yield_moment() -> None:
    """A rectangle in bending, hardly hardening: M → 1.5 M_y = σ_y b h²/4."""
    metal = Plastic(Material("m", 2e11, 0.3), Linear(2.5e8, 1e5))
    section = fibres.layers(metal, 0.1, 0.05, 40)
    model = one_block(straight(1.0, 2), Beams2(row(2), section), Hold((0,), (0, 1, 5)))
    full = 2.5e8 * 0.05 * 0.1**2 / 4.0
    load = np.zeros(model.dofs.size)
    load[-1] = 0.99 * full
    found = settled(model, load, 0.3, 0.3)
    curvature = found.parts.u[-1] / 1.0
    yields = 2.5e8 / (2e11 * 0.05)
    # m = 1.5 (1 − (κ_y/κ)²/3) for perfect plasticity, by hand
    assert curvature == pytest.approx(yields / np.sqrt(3.0 * (1.0 - 0.99)), rel=0.02)


def test_both_kinds_of_beam_agree_in_a_plane() -> None:
    metal = Plastic(Material("m", 2e11, 0.3, 7850.0), Linear(3e8, 1e9))
    flat = fibres.layers(metal, 0.1, 0.05, 6)
    deep = replace(flat, J=1e-6)
    plane = one_block(straight(1.0, 4), Beams2(row(4), flat), Hold((0,), (0, 1, 5)))
    space = one_block(
        straight(1.0, 4),
        Beams3(row(4), deep, np.array([0.0, 1.0, 0.0])),
        Hold((0,), ALL),
        Hold((1, 2, 3, 4), (2, 3, 4)),
    )
    load = np.zeros(plane.dofs.size)
    load[-2] = 3.7e4
    a, b = settled(plane, load, 0.2, 0.2), settled(space, load, 0.2, 0.2)
    assert np.abs(a.parts.history).max() > 1e-3  # it yields
    assert a.parts.u == pytest.approx(b.parts.u, rel=1e-8, abs=1e-12)


def test_nodes_that_do_not_exist_are_named() -> None:
    beams = Beams2(row(3), fibres.layers(SOFT, 1, 1))
    with pytest.raises(SettingError, match="there is no node 3 of 3"):
        NonlinearModel("m", straight(1.0, 2), (beams,))
