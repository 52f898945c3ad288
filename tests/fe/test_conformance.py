"""Finite-element leaves do what they declare."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Causality
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.links import RigidLink
from bondline.leaves.fe.loads import Gravity, NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic
from bondline.testing import check_leaf

from .parts import ALL, DAMPED, added, plate


def sheet(steps, moved):
    mesh = added(plate(2, 2, material=DAMPED), [(1.2, 0.2, 0.1)])
    hold = (Support(mesh.node_sets["u0"], ALL),)
    link = (RigidLink(9, mesh.node_sets["u1"]),)
    wave = Harmonic(b=(1.0,), omega=300.0)
    loads = (Gravity(np.array([0, 0, -9.81])), NodalForce(np.array([4]), 2, 9.0, wave))
    takes = Causality.MOTION_IN if moved else Causality.FORCE_IN
    ports = {
        "end": Plug(np.array([9]), causality=takes),
        "rim": Plug(np.array([3, 4]), (0, 1, 2)),  # node 3 is clamped
    }
    # the kit lets go of a part at rest at t = 0, not under the peak of its loads
    model = FeModel("sheet", mesh, hold, link, loads, static_time=0.0)
    return fe_leaf(model, ports, steps=steps, publish=("10.az", "stress:5"))


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("steps", [1, 4])
def test_they_conform(steps, moved):
    check_leaf(sheet(steps, moved), window=1e-5).raise_if_failed()
