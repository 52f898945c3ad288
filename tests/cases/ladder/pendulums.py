"""One pendulum and two: rigid bodies against published positions.

Gates: ten times the tolerance of the integrator; 1e-8 of energy over 10 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np

from bondline.leaves.mbd.forces import Harmonic, JointLoad
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.numerics.integrators import Dop853
from tests.cases.ladder.mechanisms import Moving, error
from tests.cases.ladder.rung import Rung

TOLERANCE = 1e-11
SIMPLE = "IFToMM library, A01; elliptic functions"
PERIOD = 2.36784194757624  # s
PLACES = {
    1.0: (0.986291751132, -0.165010853126),
    10.0: (-0.275087462576, -0.961419205099),
}
DOUBLE = "wang2003, example 2; DOP853 on Lagrange's equations"
ANGLES = {  # s: from the downward vertical
    0.25: (-0.314905210587, 0.228507089656),
    0.5: (-1.162901614565, 0.580014724267),
    1.0: (-2.336346622510, 0.360710656971),
    1.5: (-4.309388546204, -0.889769331946),
    3.0: (-10.284246568001, -0.284704365088),
}
DOWN = Frame.along((0.0, -1.0, 0.0))  # joints turn about it: towards +x from -z


def simple() -> Mechanism:
    """A point of 1 kg, 1 m below its pivot; let go at (-1, 0)."""
    own = {"top": Frame((0.0, 0.0, 1.0), DOWN.turn)}
    bob = Body("bob", 1.0, markers=own)
    swing = Joint("swing", "revolute", DOWN, "bob.top", (-pi / 2.0,))
    return Mechanism("pendulum", (bob,), (swing,))


def rod(name: str, mass: float, length: float) -> Body:
    across = mass * length**2 / 12.0
    half = length / 2.0
    ends = {
        "top": Frame((0, 0, half), DOWN.turn),
        "end": Frame((0, 0, -half), DOWN.turn),
    }
    return Body(name, mass, (across, across, 0.0), markers=ends)


def double() -> Mechanism:
    """10 and 20 kg, 1 and 2 m, a torque on the first, no gravity."""
    joints = (
        Joint("first", "revolute", DOWN, "one.top"),
        Joint("second", "revolute", "one.end", "two.top"),
    )
    torque = JointLoad("first", Harmonic(b=(-200.0,), omega=2.0 * pi))
    bodies = (rod("one", 10.0, 1.0), rod("two", 20.0, 2.0))
    return Mechanism("pendulums", bodies, joints, (torque,), (0.0, 0.0, 0.0))


def rungs(fine: bool) -> Iterator[Rung]:
    method = Dop853(TOLERANCE, TOLERANCE)
    one, case = Moving(simple(), method), "pendulum"
    times = [0.25 * PERIOD, *PLACES]
    states = one.states(np.array(times))
    places = [(0.0, -1.0), *PLACES.values()]
    for t, wanted, x in zip(times, places, one.points("bob", states), strict=True):
        away = np.hypot(*(x[[0, 2]] - wanted))
        yield error(case, f"place at {t:.4g} s", away, 10 * TOLERANCE, (1, SIMPLE))
    drift = abs(one.energies(states)[-1] - 0.0) / 9.81
    yield error(case, "energy after 10 s", drift, 1e-8, (1, SIMPLE))
    two = Moving(double(), method)
    angles = np.cumsum(two.states(np.array(list(ANGLES)))[:, :2], axis=1)
    for (t, wanted), found in zip(ANGLES.items(), angles, strict=True):
        off = np.abs(found - wanted).max()
        yield error("double pendulum", f"angles at {t:g} s", off, 1e-10, (2, DOUBLE))
