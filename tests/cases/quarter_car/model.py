"""A quarter car on double wishbones, its lower arm of nonlinear finite elements.

x forward, y outboard, z up; hardpoints of a sedan's front left corner (numerics.md
7.3). The multibody side has chassis, upper arm, upright, tie rod and wheel; the arm
brings its bushes, and spring, damper and bump stop stand on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.leaves.fe.sections import Material
from bondline.leaves.mbd import (
    Body,
    Contact,
    Frame,
    Integration,
    Joint,
    Mechanism,
    Outlet,
    Seen,
    Sheet,
    multibody_leaf,
)
from bondline.leaves.nonlinear import (
    Arms,
    Beams3,
    Bushes,
    Linear,
    Masses,
    Newton,
    Nonlinear,
    NonlinearModel,
    Plastic,
    Progressive,
    Socket,
    Stop,
    Ties,
    fibres,
)

FRONT, REAR = np.array([0.02, 0.42, -0.27]), np.array([-0.30, 0.44, -0.265])
BALL = np.array([0.0, 0.770, -0.320])
TOP, SEAT = np.array([-0.04, 0.52, 0.23]), np.array([0.0, 0.62, -0.27])
UPPER = np.array([-0.040, 0.695, 0.105])
UPPER_FRONT = np.array([-0.100, 0.470, 0.105])
UPPER_BACK = np.array([-0.250, 0.510, 0.110])
TIE_IN, TIE_OUT = np.array([-0.2, 0.42, -0.12]), np.array([-0.15, 0.77, -0.12])
HUB = np.array([0.0, 0.7979, -0.1199])
G = 9.81
CHASSIS, UPRIGHT, WHEEL, ARM, ROD = 375.0, 12.0, 24.0, 1.5, 0.8
RADIUS, TYRE, SAG = 0.316, 220e3, 0.0187
ROAD = float(HUB[2] - RADIUS + SAG)
EDGE = 0.02  # m, of the curb's edge


@dataclass(frozen=True)
class Event:
    """How fast, how high, and how long before the strike."""

    speed: float = 25.0 / 3.6
    height: float = 0.12
    before: float = 0.03
    friction: float = 0.6

    @property
    def edge(self) -> tuple[float, float]:
        """x and z of the middle of the rounded edge."""
        rise = HUB[2] - (ROAD + self.height - EDGE)
        ahead = np.sqrt(max((RADIUS + EDGE) ** 2 - rise**2, 0.0))
        return ahead + self.speed * self.before, ROAD + self.height - EDGE


def curb(event: Event) -> list[Contact]:
    """Tyre and its bottoming, on the road and on the rounded edge."""
    made = []
    for plane, more, edge in (("road", 0.0, False), ("curb", EDGE, True)):
        for less, k, d in ((0.0, TYRE, 0.034), (0.055, 2.5e6, 0.0)):
            made.append(
                Contact(
                    "wheel.hub",
                    f"ground.{plane}",
                    RADIUS - less + more,
                    k,
                    1.0,
                    d,
                    event.friction,
                    0.5,
                    edge,
                )
            )
    return made


def car(event: Event, step: float = 1e-4) -> Any:
    """All but the lower arm."""
    x, z = event.edge
    ground = {
        "x": Frame.along((1, 0, 0)),
        "road": Frame((0, 0, ROAD)),
        "curb": Frame((x, 0, z)),
    }
    axis = UPPER_BACK - UPPER_FRONT
    middle = (UPPER_FRONT + UPPER_BACK) / 2

    def at(point: Any) -> Frame:
        return Frame(tuple(point))

    chassis = Body(
        "chassis",
        CHASSIS,
        (1.0, 1.0, 1.0),
        markers={
            "slide": Frame.along((0, 0, 1)),
            "upper": Frame.along(tuple(axis), tuple(UPPER_FRONT)),
            "tie": at(TIE_IN),
            "front": at(FRONT),
            "rear": at(REAR),
            "top": at(TOP),
        },
    )
    carriage = Body(
        "carriage",
        markers={"x": Frame.along((1, 0, 0)), "z": Frame.along((0, 0, 1))},
    )
    upper = Body(
        "upper",
        ARM,
        (0.01, 0.01, 0.02),
        tuple((middle + UPPER) / 2),
        {
            "hinge": Frame.along(tuple(axis), tuple(UPPER_FRONT)),
            "ball": at(UPPER),
            "front": at(UPPER_FRONT),
            "back": at(UPPER_BACK),
        },
    )
    upright = Body(
        "upright",
        UPRIGHT,
        (0.15, 0.12, 0.10),
        tuple(HUB + [0.0, -0.06, 0.0]),
        {
            "upper": at(UPPER),
            "ball": at(BALL),
            "tie": at(TIE_OUT),
            "hub": Frame.along((0, 1, 0), tuple(HUB)),
        },
    )
    wheel = Body(
        "wheel",
        WHEEL,
        (0.65, 1.1, 0.65),
        tuple(HUB),
        {"axle": Frame.along((0, 1, 0), tuple(HUB)), "hub": at(HUB)},
    )
    tie = TIE_OUT - TIE_IN
    rod = Body(
        "rod",
        ROD,
        (ROD * tie @ tie / 12, 1e-4, ROD * tie @ tie / 12),
        tuple((TIE_IN + TIE_OUT) / 2),
        {"in": at(TIE_IN), "out": at(TIE_OUT)},
    )
    v = event.speed
    joints = [
        Joint("x", "prismatic", "ground.x", "carriage.x", speed=(v,)),
        Joint("z", "prismatic", "carriage.z", "chassis.slide"),
        Joint("upper", "revolute", "chassis.upper", "upper.hinge"),
        Joint("ball", "spherical", "upper.ball", "upright.upper"),
        Joint("spin", "revolute", "upright.hub", "wheel.axle", speed=(v / (RADIUS - SAG),)),
        Joint("tie", "universal", "chassis.tie", "rod.in"),
    ]
    loops = [Joint("tie_end", "spherical", "rod.out", "upright.tie")]
    mechanism = Mechanism(
        "car",
        [carriage, chassis, upper, upright, wheel, rod],
        joints,
        curb(event),
        (0.0, 0.0, -G),
        ground,
        loops,
    )
    ports = {
        "ball": Outlet("upright.ball"),
        "front": Outlet("chassis.front"),
        "rear": Outlet("chassis.rear"),
        "top": Outlet("chassis.top"),
    }
    seen = {
        "wheel.x": Seen("wheel.hub", "x"),
        "wheel.z": Seen("wheel.hub", "z"),
        "wheel.vx": Seen("wheel.hub", "vx"),
        "chassis.x": Seen("x.z"),
        "chassis.z": Seen("z.z"),
        "chassis.vx": Seen("x.z", "speed"),
        "ball.x": Seen("upright.ball", "x"),
        "ball.y": Seen("upright.ball", "y"),
        "ball.z": Seen("upright.ball", "z"),
        "spin": Seen("spin.angle", "speed"),
    }
    return multibody_leaf(
        "car", Sheet(mechanism, ports, seen, Integration("rk4", step))
    )


def stations() -> tuple[Any, Any]:
    """Nodes of both legs: plan-view shape of the control arm on the hardpoints."""
    s = 0.2 / 0.35  # the seat's share of the main leg
    leg = np.concatenate(
        [
            np.linspace(0.0, 0.13 / 0.36, 5),
            np.linspace(0.13 / 0.36, s, 4)[1:],
            np.linspace(s, 1.0, 6)[1:],
        ]
    )
    main = FRONT + leg[:, None] * (BALL - FRONT)
    t = np.linspace(0.0, 1.0, 11)[1:, None]
    a, b, c = (
        FRONT + y / 0.36 * (BALL - FRONT) + x / -0.30 * (REAR - FRONT)
        for x, y in ((0.0, 0.13), (-0.12, 0.115), (-0.30, 0.0))
    )
    rear = (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c
    return main, rear


N_FRONT, N_BRANCH, N_SEAT, N_BALL, N_REAR = 0, 4, 7, 12, 22
P_SEAT, C_FRONT, C_REAR, C_TOP = 23, 24, 25, 26


def rows(*each: Any) -> Any:
    return np.array(each, dtype=np.intp)


def metal() -> Plastic:
    steel = Material("steel", 210e9, 0.3, 7850.0, 5.0, 1e-5)
    return Plastic(steel, Linear(420e6, 1.5e9))


def arm_blocks() -> tuple[Any, tuple[Any, ...]]:
    main, rear = stations()
    points = np.concatenate([main, rear, [SEAT, FRONT, REAR, TOP]])
    one = np.column_stack([np.arange(12), np.arange(1, 13)])
    two = np.column_stack([[N_BRANCH, *range(13, 22)], np.arange(13, 23)])
    up = np.cross(REAR - FRONT, BALL - FRONT)
    flat = -np.cross(up, BALL - FRONT)  # in the plane of the arm, along the car
    legs = [(one, (0.045, 0.04)), (two, (0.04, 0.04))]
    beams = []
    for nodes, (depth, height) in legs:
        for pair in ([nodes] if nodes is one else [nodes]):
            section = fibres.box(metal(), height, depth, 0.003)
            beams.append(Beams3(pair.astype(np.intp), section, up))
    return points, tuple(beams), flat


def arm(event: Event, tolerance: float = 1e-8) -> Nonlinear:
    """The lower arm with bushes, spring, damper and bump stop."""
    points, beams, _ = arm_blocks()
    length = np.linalg.norm(TOP - SEAT)
    preload, k = PRELOAD, 86e3
    strut = rows([C_TOP, P_SEAT])
    blocks = (
        *beams,
        Bushes(
            rows([C_FRONT, N_FRONT]),
            (0, 1, 2),
            tuple(Progressive(k, 6e-3, 400.0) for k in (10e6, 10e6, 10e6)),
        ),
        Bushes(
            rows([C_REAR, N_REAR]),
            (0, 1, 2),
            tuple(Progressive(k, 6e-3, 400.0) for k in (1.5e6, 4e6, 4e6)),
        ),
        Arms(
            Ties(strut, Progressive(k, np.inf, 5e3), np.array([length + preload / k])),
            {P_SEAT: N_SEAT},
        ),
        Arms(Ties(strut, Stop(0.036, 4e5, 0.02, 0.0, -1.0)), {P_SEAT: N_SEAT}),
        Masses(rows([N_FRONT], [N_REAR]), 0.4),
    )
    model = NonlinearModel("arm", points, blocks, gravity=(0.0, 0.0, -G))
    ports = {
        "ball": Socket((N_BALL,), (0, 1, 2)),
        "front": Socket((C_FRONT,), (0, 1, 2)),
        "rear": Socket((C_REAR,), (0, 1, 2)),
        "top": Socket((C_TOP,), (0, 1, 2)),
    }
    return Nonlinear(
        model,
        ports,
        1,
        newton=Newton(tolerance),
        velocity=(event.speed, 0.0, 0.0),
        settled=True,
        publish={"plastic": "plastic_strain"},
        show=True,
    )


PRELOAD = CHASSIS * G / 0.56
JOINTS = {
    name: (f"car.{name}", f"arm.{name}") for name in ("ball", "front", "rear", "top")
}
