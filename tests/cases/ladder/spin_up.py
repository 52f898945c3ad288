"""A beam that is spun up to 6 rad/s in 15 s: it lags, and then stands stretched.

Without the stiffness of the pull along the beam the same model diverges, as 6 rad/s is
above its first frequency of 3.8 rad/s: the negative control. A hub of 1e12 kg m² with
the torque that it takes by itself prescribes the angle to 1e-8 rad.

Gates, set before: 1 % of the largest lag, 0.05 s of its instant, 1e-3 of the stretch;
and the control must leave the reach of the beam.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np

from bondline.core import Vector
from bondline.leaves.mbd.forces import Harmonic, JointLoad
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.numerics.integrators import RungeKutta4
from tests.cases.ladder.mechanisms import Moving, relaxed
from tests.cases.ladder.rung import Rung, within

SOURCE = "Kane, Ryan and Banerjee 1987; Simo and Vu-Quoc 1987"
LENGTH, EA, EI, MASS, TURN = 10.0, 2.8e7, 1.4e4, 1.2, 6e-4
UP, SPEED, HUB = 15.0, 6.0, 1e12
LAG, WHEN, STRETCH = -0.5738, 6.76, 5.1429e-4


def beam(bending: int, axial: int, stiffened: bool, speed: float = 0.0) -> Mechanism:
    radius = (TURN / MASS) ** 0.5
    slender = Beam(LENGTH, MASS * LENGTH, EI, EI, EA, radii=(radius, radius))
    shapes = [Shapes("bend-y", bending), Shapes("axial", axial)]
    held = "left" if stiffened else None
    modes = beam_modes(slender, shapes, nodes={"tip": LENGTH}, held=held)
    bodies = (Body("hub", 1.0, (HUB, HUB, HUB)), Body("beam", modes=modes))
    joints = (
        Joint("spin", "revolute", Frame(), "hub", speed=(speed,)),
        Joint("root", "fixed", "hub", "beam"),
    )
    rise = HUB * SPEED / UP
    torque = JointLoad("spin", Harmonic(rise, (-rise,), (), 2.0 * pi / UP))
    return Mechanism("spin-up", bodies, joints, (torque,), (0.0, 0.0, 0.0))


def angle(t: Vector) -> Vector:
    """Of the hub while it is spun up."""
    w = 2.0 * pi / UP
    return SPEED / UP * (0.5 * t**2 + (np.cos(w * t) - 1.0) / w**2)


def lags(moving: Moving, times: Vector) -> Vector:
    """The tip across the beam in the turning frame."""
    psi = angle(times)
    x, y, _ = moving.points("beam.tip", moving.states(times)).T
    return np.asarray(np.cos(psi) * y - np.sin(psi) * x)


def rungs(fine: bool) -> Iterator[Rung]:
    case, bending, axial = "spin-up beam", 4 if fine else 3, 2
    step = 1e-3
    moving = Moving(beam(bending, axial, stiffened=True), RungeKutta4(step))
    times = np.arange(1, 1501) * 0.01
    lag = lags(moving, times)
    at = int(np.argmin(lag))
    n = moving.tree.n_u
    rest = (None, 0.0, "", n, SOURCE)
    yield Rung(case, "largest lag of the tip, m", LAG, lag[at], within(0.01), *rest)
    gate = within(0.05 / WHEN)
    yield Rung(case, "its instant, s", WHEN, float(times[at]), gate, *rest)
    yield steady(case, 24)
    loose = Moving(beam(bending, axial, stiffened=False), RungeKutta4(step))
    lost = float(beyond(loose, times))
    yield Rung(case, "diverges without stiffening", 1.0, lost, within(0.0), *rest)


def steady(case: str, axial: int) -> Rung:
    """The stretch at full speed, where the bar stands still in the turning frame."""
    still = Moving(beam(0, axial, True, SPEED), RungeKutta4(1.0))
    state = np.r_[relaxed(still, slice(1, None)), still.packed.layout.speed]
    found = float(still.points("beam.tip", state[None])[0, 0]) - LENGTH
    rest = (None, 0.0, "", axial + 1, SOURCE)
    return Rung(case, "steady stretch, m", STRETCH, found, within(1e-3), *rest)


def beyond(moving: Moving, times: Vector) -> bool:
    """Whether the tip is ever further from its place than the beam is long."""
    try:
        return bool(np.abs(lags(moving, times)).max() > LENGTH)
    except ArithmeticError:  # beyond all numbers
        return True
