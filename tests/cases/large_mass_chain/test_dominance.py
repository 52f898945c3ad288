"""The compliance matrix is all but diagonal where masses are large: but see where."""

from __future__ import annotations

from math import hypot, pi

import numpy as np
import pytest

from bondline.core import Window
from bondline.leaves import LargeMass, SpringChain
from bondline.leaves.corrected import Corrected
from bondline.leaves.fe import ALL, BeamSection, FeModel, Material, Plug, fe_leaf, modes
from bondline.leaves.fe.generate import Piece, join, line
from bondline.leaves.fe.generate.maps import linear
from bondline.leaves.large_mass import Masses, dynamic_compliance

NONE = 1e-12  # as good as no large mass
HALF, REACH = 0.16, 0.384  # m: 2.40 kg, 243 Hz


def coupling(leaf, ratio, h):
    """The largest |C_ij| / √(C_ii C_jj)."""
    led = LargeMass(leaf, masses=Masses(ratio))
    window, start = Window(0.0, h), led.start(0.0).state
    pursuit = led.pursuit(window)
    trial = led.loaded.predict(start.inside, window)
    C = dynamic_compliance(pursuit, trial, start.f_e, pursuit.mass)
    assert (np.diag(C) < 0.0).all()  # a part that lags is pushed
    size = np.sqrt(np.abs(np.diag(C)))
    off = np.abs(C) / np.outer(size, size)
    np.fill_diagonal(off, 0.0)
    return off.max()


ROW = SpringChain("row")
STIFF = SpringChain("stiff", elements=1.0, mass=4.0, stiffness=4e7, stiffening=0.0)


@pytest.mark.parametrize(
    ("leaf", "h", "column"),
    [
        (ROW, 1e-4, {1e2: 5e-28, 1e4: 5e-30, 1e6: 5e-32}),
        (ROW, 1e-3, {NONE: 6e-8, 1.0: 4e-9, 1e1: 4e-10, 1e4: 4e-13, 1e6: 4e-15}),
        (ROW, 1e-2, {NONE: 0.27, 1.0: 9e-2, 1e1: 1.3e-2, 1e4: 1.4e-5, 1e8: 1.4e-9}),
        (STIFF, 1e-4, {NONE: 4.8e-2, 1.0: 1.6e-2, 1e2: 2.5e-4, 1e6: 2.5e-8}),
        (STIFF, 1e-3, {NONE: 0.83, 1.0: 0.62, 1e2: 2.4e-2, 1e4: 2.5e-4, 1e6: 2.5e-6}),
    ],
)
def test_off_diagonals_fall_with_the_mass(leaf, h, column):
    """A long soft chain is diagonal by itself; a stiff part needs the mass."""
    for ratio, expected in column.items():
        found = coupling(leaf, ratio, h)
        assert expected / 1.5 < found < 1.5 * expected


@pytest.fixture(scope="module")
def arm():
    """Two legs of tube, 42 x 3 mm, eight beams each: two bushes and a ball joint."""
    outer, inner = 0.021, 0.018
    A, bend = pi * (outer**2 - inner**2), pi / 4 * (outer**4 - inner**4)
    steel = Material("steel", E=2.1e11, nu=0.3, rho=7850.0)
    tube = BeamSection(steel, A, bend, bend, 2 * bend, np.array([0.0, 0.0, 1.0]))
    legs = {
        name: Piece(line(8, linear((x, 0, 0), (0, REACH, 0))), "B33", tube)
        for name, x in (("left", -HALF), ("right", HALF))
    }
    model = FeModel("arm", join(legs))
    sets = model.mesh.node_sets
    nodes = {"a": "left.u0", "b": "right.u0", "tip": "left.u1"}
    plugs = {port: Plug(sets[name], ALL) for port, name in nodes.items()}
    mass = 2.0 * hypot(HALF, REACH) * A * 7850.0
    assert mass == pytest.approx(2.40, abs=0.01)
    assert modes(model, count=7).frequencies[6] == pytest.approx(243.0, rel=0.01)
    return Corrected(fe_leaf(model, plugs), mass)


@pytest.mark.parametrize(
    ("ratio", "row"),
    [
        (1.0, (1.6e-2, 0.13, 0.75)),
        (1e1, (1.6e-3, 1.5e-2, 0.53)),
        (1e2, (1.7e-4, 1.6e-3, 0.14)),
        (1e4, (1.7e-6, 1.6e-5, 1.8e-3)),
        (1e6, (1.7e-8, 1.6e-7, 1.8e-5)),
    ],
)
def test_an_arm_with_three_nodes_of_six_dofs(arm, ratio, row):
    found = [coupling(arm, ratio, h) for h in (1e-5, 1e-4, 1e-3)]
    for one, expected in zip(found, row, strict=True):
        assert expected / 1.5 < one < 1.5 * expected


def test_an_arm_without_large_masses_couples_all_its_dofs(arm):
    assert min(coupling(arm, NONE, h) for h in (1e-5, 1e-4, 1e-3)) > 0.5


def test_rotations_need_a_large_mass_of_their_own(arm):
    """M_L on translations only leaves off-diagonals that no mass removes."""

    def light_turns(ratio):
        return LargeMass(arm, masses=Masses(ratio, radius=1e-9))

    for ratio in (1e4, 1e8):
        led = light_turns(ratio)
        window, start = Window(0.0, 1e-4), led.start(0.0).state
        pursuit = led.pursuit(window)
        trial = led.loaded.predict(start.inside, window)
        size = np.maximum(pursuit.mass, 1e-3)
        C = dynamic_compliance(pursuit, trial, start.f_e, size)
        d = np.sqrt(np.abs(np.diag(C)))
        off = np.abs(C) / np.outer(d, d) - np.eye(len(d))
        assert off.max() == pytest.approx(0.585, rel=0.15)
