"""The modes of the truck frame in two layers are those of the model all at once."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from bondline.gluing.frequency import modes, response
from bondline.numerics.modal import modes_between
from tests.cases.truck_frame.all_at_once import factored, parts, whole
from tests.cases.truck_frame.glued import frame

BAND = 90.0  # Hz: five modes


@pytest.fixture(scope="module")
def case():
    return frame("SystemStructure.ssd"), whole()


@pytest.mark.full
def test_frequencies_are_those_of_the_whole(case):
    model, one = case
    system = one.model.assembled.system
    expected = modes_between(system.K, system.M, (0.0, BAND)).frequencies
    found = [m.omega / (2.0 * pi) for m in modes(model, 2.0 * pi * BAND)]
    assert found == pytest.approx(expected, rel=1e-9)


def test_the_response_is_that_of_the_whole(case):
    """With the damping of the decks, Rayleigh's."""
    model, one = case
    made = one.model.assembled
    (M, C, K), rail = made.system, parts()["right_rail"].mesh
    node = one.rows["right_rail"][rail.node_sets["C1"][0]]
    unit = np.zeros(made.T.shape[0])
    unit[made.dofs.index[node, 2]] = 1.0
    f = made.T.T @ unit
    omegas = 2.0 * pi * np.array([28.1, 60.0])
    expected = [f @ factored(K + 1j * w * C - w * w * M).solve(f + 0j) for w in omegas]
    ends = ["right_rail.C1.z[1]"] * 2
    got = response(model, omegas, *ends)
    assert got == pytest.approx(np.array(expected), rel=1e-8)
