"""Andrews' squeezer: seven bodies, three loops, a spring, at 0.03 s.

Data and reference of the IVP test set. Gate: ten times the tolerance, relative and
absolute as the integrator has it. (Before anything was computed it was set as absolute
alone: 1e-10 rad. The equations of the test set, in numpy with DOP853 to 1e-13, end
1.1e-9 rad from its reference in beta, which has made 2.5 turns.)
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import numpy as np

from bondline.leaves.mbd.forces import Constant, JointLoad, Spring
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.numerics.integrators import Dop853
from tests.cases.ladder.mechanisms import Moving, error
from tests.cases.ladder.pendulums import DOWN
from tests.cases.ladder.rung import Rung

SOURCE = "IVP test set, Andrews' squeezing mechanism"
TOLERANCE = 1e-11
REFERENCE = {  # rad at 0.03 s
    "beta": 15.81077119629904,
    "Theta": -15.75637105984298,
    "gamma": 0.04082224013073101,
    "Phi": -0.5347301163226948,
    "delta": 0.5244099658805304,
    "Omega": 0.5347301163226948,
    "epsilon": 1.048080741042263,
}
START = {
    "beta": -0.0617138900142764496,
    "Theta": 0.0,
    "gamma": 0.455279819163070380,
    "Phi": 0.222668390165885885,
    "delta": 0.487364979543842550,
    "Omega": -0.222668390165885885,
    "epsilon": 1.23054744454982119,
}
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
D, DA, E, EA, F, FA, R, RA = 0.028, 0.0115, 0.02, 0.01421, 0.02, 0.01421, 0.007, 0.00092
S, SC, SD, T, U = 0.035, 0.018, 0.02, 0.04, 0.04
# body: mass, inertia, centre of mass in the plane from its joint
BODIES = {
    "K1": (0.04325, 2.194e-6, (RA, 0.0)),
    "K2": (0.00365, 4.410e-7, (-DA, 0.0)),
    "K3": (0.02373, 5.255e-6, (hypot(0.01874, 0.01043), 0.0)),
    "K5": (0.07050, 1.169e-5, (hypot(0.02308, 0.00916), 0.0)),
    "K4": (0.00706, 5.667e-7, (0.0, EA - E)),
    "K7": (0.05498, 1.912e-5, (hypot(0.01228, 0.00449), 0.0)),
    "K6": (0.00706, 5.667e-7, (F - FA, 0.0)),
}
ENDS = {  # what is carried or held, in the plane of the body
    "K1": {"end": (R, 0.0)},
    "K2": {"end": (-D, 0.0)},
    "K3": {"end": (0.0, -S), "spring": (SD, -SC)},
    "K5": {"end": (T, 0.0)},
    "K4": {"end": (0.0, -E)},
    "K7": {"end": (0.0, -U)},
    "K6": {"end": (F, 0.0)},
}
JOINTS = {  # angle: inboard, outboard
    "beta": ((0.0, 0.0), "K1"),
    "Theta": ("K1.end", "K2"),
    "gamma": (B, "K3"),
    "delta": (A, "K5"),
    "Phi": ("K5.end", "K4"),
    "epsilon": (A, "K7"),
    "Omega": ("K7.end", "K6"),
}
MEET = ("K3.end", "K4.end", "K6.end")  # each on K2.end


def flat(at: tuple[float, float]) -> Frame:
    """A frame in the plane x, z, whose joints turn from x to z."""
    return Frame((at[0], 0.0, at[1]), DOWN.turn)


def squeezer() -> Mechanism:
    """Four branches that meet in one point; a constant torque drives K1."""
    bodies = []
    for name, (mass, inertia, (x, z)) in BODIES.items():
        own = {"in": flat((0.0, 0.0)), **{n: flat(at) for n, at in ENDS[name].items()}}
        bodies.append(Body(name, mass, (inertia,) * 3, (x, 0.0, z), own))
    joints = [
        Joint(
            *(name, "revolute", on if isinstance(on, str) else flat(on)),
            *(f"{body}.in", (START[name],)),
        )
        for name, (on, body) in JOINTS.items()
    ]
    forces = (
        JointLoad("beta", Constant(0.033)),
        Spring("K3.spring", "ground.C", 4530.0, 0.0, 0.07785),
    )
    ground = {"C": flat(C)}
    loops = [Joint(f"on {n[:2]}", "revolute", n, "K2.end") for n in MEET]
    return Mechanism("squeezer", bodies, joints, forces, (0, 0, 0), ground, loops)


def rungs(fine: bool) -> Iterator[Rung]:
    moving, case = Moving(squeezer(), Dop853(TOLERANCE, TOLERANCE)), "Andrews' squeezer"
    start, y = moving.states(np.array([0.0, 0.03]))
    of = (moving.tree.n_u, SOURCE)
    yield error(case, "gaps at the start, m", moving.gap(start), 1e-10, of)
    for name, wanted in REFERENCE.items():
        found = y[moving.packed.layout.positions.index(f"{name}.angle")]
        most = 10 * TOLERANCE * (1.0 + abs(wanted))
        yield error(case, f"{name} at 0.03 s", abs(found - wanted), most, of)
    yield error(case, "gaps at 0.03 s, m", moving.gap(y), 1e-10, of)
