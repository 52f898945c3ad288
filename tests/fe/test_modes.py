"""Vibration of models, and damping given mode by mode."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.core import uniform
from bondline.errors import SettingError
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.modes import modes
from bondline.leaves.fe.supports import Initial, Support

from .parts import ALL, STEEL, beam, plate

FREE = [1.8751040687, 4.6940911330, 7.8547574382]  # βL of a cantilever


def cantilever(n=8, **more):
    return FeModel("m", beam(n), (Support(np.array([0]), ALL),), **more)


def test_a_cantilever_beam_has_its_frequencies_twice():
    speed = sqrt(STEEL.E * (0.02**2 / 12.0) / STEEL.rho)
    exact = [b**2 * speed / (2.0 * pi) for b in FREE]
    found = modes(cantilever(), 6).frequencies
    assert_allclose(found[:4], np.repeat(exact[:2], 2), rtol=2e-3)


def test_shapes_are_normal_to_each_other():
    model = cantilever(4)
    found = modes(model, 5)
    assert found.complete
    made = model.assembled
    flat = found.shapes.reshape(5, -1)[:, made.dofs.slots[made.elimination.free]]
    M, _, K = made.system
    assert_allclose(flat @ (M @ flat.T), np.eye(5), atol=1e-9)
    squares = (2.0 * pi * found.frequencies) ** 2
    assert_allclose(flat @ (K @ flat.T), np.diag(squares), atol=1e-7 * squares[-1])
    assert_allclose(found.shapes[:, 0], 0.0)


def test_a_free_plate_has_six_rigid_motions():
    found = modes(FeModel("m", plate(3, 3)), 7).frequencies
    assert found[6] > 1.0
    assert (found[:6] < 1e-2).all()


def test_modes_of_a_band():
    model = cantilever(4)
    every = modes(model, 6).frequencies
    some = modes(model, band=(0.5 * every[0], 1.5 * every[1])).frequencies
    assert_allclose(some, every[:2], rtol=1e-9)


def test_a_damping_ratio_is_the_decay_of_its_mode():
    model = cantilever(3)
    first = modes(model, 1)
    starts = tuple(
        Initial(np.array([n]), c, float(first.shapes[0, n, c]))
        for n in range(1, 4)
        for c in range(6)
    )
    leaf = fe_leaf(replace(model, initial=starts), {}, modal=(0.05,), publish=("4.z",))
    w, h = 2.0 * pi * first.frequencies[0], 1e-4
    state = leaf.start(0.0).state
    energy = []
    period = round(2.0 * pi / w / h)
    for n in range(2 * period + 1):
        if n % period == 0:
            u, v, _ = state.reshape(3, -1)
            M, _, K = model.assembled.system
            energy.append(u @ (K @ u) + v @ (M @ v))
        state = leaf.advance(state, uniform(0.0, h, n), {}).state
    lost = np.log(energy[0] / energy[2])
    assert_allclose(lost, 2.0 * 0.05 * w * 2 * period * h, rtol=0.01)


def test_modes_need_mass():
    light = FeModel("m", plate(1, 1, material=replace(STEEL, rho=0.0)))
    with pytest.raises(SettingError, match="no mass resists"):
        modes(light)
