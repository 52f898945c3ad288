"""wang2003's four-bar with a rigid third bar: an exact parallelogram, all in one leaf.

The bars' angle follows (m1/3 + m2 + m3/3) l² theta'' = torque, until they are in line
at 0.1409 s. Gate: ten times the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.mbd.forces import JointLoad, Table
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.numerics.integrators import Dop853
from tests.cases.ladder.mechanisms import Moving, error
from tests.cases.ladder.rung import Rung
from tests.cases.ladder.squeezer import flat

SOURCE = "wang2003, example 3, in closed form"
TOLERANCE = 1e-11
START, SPIN = 0.3, -2.0
ANGLES = {  # s: rad
    0.05: START - 0.1 - 40.0 * 0.05**3 / 6.0,
    0.1: START - 0.2 - 40.0 * 0.1**3 / 6.0,
    0.12: START - 0.2 - 0.04 / 6.0 - 2.2 * 0.02 - 2.0 * 0.02**2,
}


def bar(name: str, mass: float, length: float) -> Body:
    """Slender, along x from its left end."""
    across = mass * length**2 / 12.0
    ends = {"left": flat((0.0, 0.0)), "right": flat((length, 0.0))}
    return Body(name, mass, (0.0, across, across), (length / 2.0, 0.0, 0.0), ends)


def linkage() -> Mechanism:
    bodies = (bar("one", 10.0, 1.0), bar("two", 20.0, 2.0), bar("three", 5.0, 1.0))
    pivots = {"A": flat((0.0, 0.0)), "D": flat((2.0, 0.0))}
    joints = (
        Joint("A", "revolute", "ground.A", "one.left", (START,), (SPIN,)),
        Joint("B", "revolute", "one.right", "two.left", (-START,), (-SPIN,)),
        Joint("D", "revolute", "ground.D", "three.left", (START,), (SPIN,)),
    )
    torque = JointLoad("A", Table((0.0, 0.1), (0.0, -100.0)))
    loops = (Joint("C", "revolute", "three.right", "two.right"),)
    none = (0.0, 0.0, 0.0)
    return Mechanism("four-bar", bodies, joints, (torque,), none, pivots, loops)


def rungs(fine: bool) -> Iterator[Rung]:
    moving = Moving(linkage(), Dop853(TOLERANCE, TOLERANCE))
    states = moving.states(np.array(list(ANGLES)))
    of = (moving.tree.n_u, SOURCE)
    for (t, wanted), y in zip(ANGLES.items(), states, strict=True):
        off = abs(y[0] - wanted)
        yield error("four-bar", f"angle at {t:g} s", off, 10 * TOLERANCE, of)
    gap = moving.gap(states[-1])
    yield error("four-bar", "gaps at 0.12 s, m", gap, 1e-10, of)
