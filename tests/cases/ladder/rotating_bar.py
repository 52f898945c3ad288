"""A bar that turns steadily is stretched by its own mass.

u(x) = rho w² / (2 E) (x L² - x³/3) if it is stretched little. The pull acts on the
stretched bar, so that u = sin(k x) / (k cos(k L)) - x, with k = w sqrt(rho / E), is the
answer of a floating frame with all its modes. The speed is chosen so that both differ
by 4e-6. Gates: 1e-3 of the first with 8 modes, whose sum ends there.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin, sqrt

import numpy as np

from bondline.core import Vector
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.numerics.integrators import RungeKutta4
from tests.cases.ladder.mechanisms import Moving, relaxed
from tests.cases.ladder.rung import Rung, within

SOURCE = "closed form"
E, RHO, AREA, LENGTH, SPEED = 2.1e11, 7850.0, 1e-4, 2.0, 8.0
PLACES = {"mid": 1.0, "end": 2.0}


def bar(count: int) -> Mechanism:
    beam = Beam(LENGTH, RHO * AREA * LENGTH, EA=E * AREA)
    modes = beam_modes(beam, [Shapes("axial", count)], nodes=PLACES)
    spin = Joint("spin", "revolute", Frame(), "bar", speed=(SPEED,))
    return Mechanism("bar", (Body("bar", modes=modes),), (spin,), (), (0, 0, 0))


def stretch(mechanism: Mechanism) -> Vector:
    """How far the nodes are from where they were, where no mode accelerates."""
    still = Moving(mechanism, RungeKutta4(1.0))
    state = np.r_[relaxed(still, slice(1, None)), still.packed.layout.speed]
    places = [still.points(f"bar.{name}", state[None])[0, 0] for name in PLACES]
    return np.array(places) - np.array(list(PLACES.values()))


def rungs(fine: bool) -> Iterator[Rung]:
    k = SPEED * sqrt(RHO / E)
    for count, gate in ((8, 1e-3), (40, 1e-5)):
        found = stretch(bar(count))
        for u, (name, x) in zip(found, PLACES.items(), strict=True):
            little = RHO * SPEED**2 / (2.0 * E) * (x * LENGTH**2 - x**3 / 3.0)
            exact = sin(k * x) / (k * cos(k * LENGTH)) - x
            wanted = little if count == 8 else exact
            yield Rung(
                *("rotating bar", f"{count} modes, {name}", wanted, float(u)),
                *(within(gate), None, 0.0, "", count + 1, SOURCE),
            )
