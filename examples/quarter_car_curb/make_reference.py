"""The curb strike all at once: `python make_reference.py [STEP]` writes reference.csv.

Rigid bodies in absolute coordinates, joints by multipliers, and the finite elements of
the arm are one system with one Newton iteration (whole.py). The car is written down
here a second time; of the model files only the arm is read, for its elements and the
rest under the spring that it starts from. Every 0.5 ms for 0.15 s; steps of 25 µs take
about two minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from bondline.build import build, catalogue
from bondline.description import read

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from whole import Array, Meet, Normal, Rigid, Whole  # noqa: E402

SIGNALS = (
    *("wheel.x", "wheel.z", "chassis.x", "chassis.z", "ball.x", "ball.y", "ball.z"),
    *("balljoint.Fx", "balljoint.Fy", "balljoint.Fz", "plastic_strain.max"),
)
CAR, UPPER, UPRIGHT, WHEEL, ROD = range(5)
SPEED, HEIGHT, RADIUS, SAG, ROUND = 25.0 / 3.6, 0.12, 0.316, 0.0187, 0.02
HUB, FRICTION = np.array([0.0, 0.7979, -0.1199]), 0.6
BALL, FRONT = np.array([0.0, 0.770, -0.320]), np.array([0.02, 0.42, -0.27])
REAR, TOP = np.array([-0.30, 0.44, -0.265]), np.array([-0.04, 0.52, 0.23])
HINGE, KNUCKLE = np.array([-0.100, 0.470, 0.105]), np.array([-0.040, 0.695, 0.105])
AXIS = np.array([-0.250, 0.510, 0.110]) - HINGE
TIE, TIE_END = np.array([-0.2, 0.42, -0.12]), np.array([-0.15, 0.77, -0.12])
X, Y = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
ROAD = float(HUB[2]) - RADIUS + SAG


def bodies() -> list[Rigid]:
    """Chassis (which shifts along x and z), upper arm, upright, wheel, tie rod."""
    long = 0.8 * 0.125 / 12.0
    middle = 0.5 * (HINGE + 0.5 * AXIS + KNUCKLE)
    return [
        Rigid(375.0, np.eye(3), np.zeros(3), (1, 3, 4, 5)),
        Rigid(1.5, np.diag([0.01, 0.01, 0.02]), middle),
        Rigid(12.0, np.diag([0.15, 0.12, 0.10]), HUB - [0.0, 0.06, 0.0]),
        Rigid(24.0, np.diag([0.65, 1.1, 0.65]), HUB),
        Rigid(0.8, np.diag([long, 1e-4, long]), 0.5 * (TIE + TIE_END)),
    ]


def across(axis: Array) -> tuple[Array, Array]:
    """Two directions perpendicular to an axis and to each other."""
    one = np.cross(axis, [0.3, 0.5, -0.7])
    return one / np.linalg.norm(one), np.cross(axis, one) / np.linalg.norm(one)


def joints(nodes: dict[str, int]) -> list[Meet | Normal]:
    """Hinges, ball joints, the tie rod; then what holds the arm."""
    axis = AXIS / np.linalg.norm(AXIS)
    return [
        Meet(CAR, HINGE, UPPER),
        *(Normal(CAR, b, UPPER, axis) for b in across(axis)),
        Meet(UPPER, KNUCKLE, UPRIGHT),
        Meet(UPRIGHT, HUB, WHEEL),
        *(Normal(UPRIGHT, b, WHEEL, Y) for b in across(Y)),
        Meet(CAR, TIE, ROD),
        Normal(CAR, X, ROD, Y),
        Meet(ROD, TIE_END, UPRIGHT),
        Meet(CAR, FRONT, nodes["front"], node=True),
        Meet(CAR, REAR, nodes["rear"], node=True),
        Meet(CAR, TOP, nodes["top"], node=True),
        Meet(UPRIGHT, BALL, nodes["ball"], node=True),
    ]


def edge() -> tuple[float, float]:
    """x and z of the middle of the curb's round: struck after 30 ms."""
    z = ROAD + HEIGHT - ROUND
    return np.sqrt((RADIUS + ROUND) ** 2 - (HUB[2] - z) ** 2) + 0.03 * SPEED, z


def tyre(at: Array, v: Array) -> Array:
    """Force and moment on the hub: road and curb, tyre and rim."""
    total, (x, z) = np.zeros(6), edge()
    ground = (np.array([0.0, 0.0, 1.0]), at[2] - ROAD, RADIUS)
    way = np.array([min(at[0] - x, 0.0), 0.0, at[2] - z])
    apart = float(np.linalg.norm(way))
    for normal, far, radius in (ground, (way / apart, apart, RADIUS + ROUND)):
        for less, k, d in ((0.0, 220e3, 0.034), (0.055, 2.5e6, 0.0)):
            depth = radius - less - far
            if depth > 0.0:
                total += touched(-far * normal, normal, k * depth, d, v)
    return total


def touched(arm: Array, normal: Array, push: float, d: float, v: Array) -> Array:
    """What one contact does at the hub, `arm` away from it."""
    past = v[:3] + np.cross(v[3:], arm)
    away = float(past @ normal)
    push = max(push * (1.0 - d * away), 0.0)
    slides = past - away * normal
    force = push * (normal - FRICTION * slides / np.sqrt(slides @ slides + 0.25))
    return np.concatenate([force, np.cross(arm, force)])


def table(h: float, until: float = 0.15, every: float = 5e-4) -> Any:
    """All rows."""
    arm = build(read(HERE, catalogue())).parts["arm"].leaf  # type: ignore[attr-defined]
    nodes = {name: int(s.nodes[0]) for name, s in arm.sockets.items()}
    whole = Whole(bodies(), arm.model, joints(nodes), (WHEEL, tyre))
    spin = {WHEEL: SPEED / (RADIUS - SAG) * Y}
    now = whole.start(SPEED * X, spin, arm.fields(arm.start(0.0).state))
    each = zip(arm.model.blocks, arm.model.slices, strict=True)
    rows, strains = [], [(block, at) for block, at in each if block.numbers]
    for n in range(1, round(until / h) + 1):
        now = whole.step(now, h)
        if n % round(every / h) == 0:
            ball = BALL + arm.model.dofs.spread(now.u)[nodes["ball"], :3]
            flowed = max(float(b.strains(now.history[s]).max()) for b, s in strains)
            wheel, car = now.x[WHEEL], now.x[CAR]
            # multipliers push the arm, and pull the upright
            seen = (wheel[0], wheel[2], car[0], car[2], *ball, *-now.force[-3:], flowed)
            rows.append([n * h, *seen])
    return np.array(rows)


if __name__ == "__main__":
    made = table(float(sys.argv[1]) if len(sys.argv) > 1 else 2.5e-5)
    lines = [",".join(f"{x:.9g}" for x in row) for row in made]
    text = "\n".join([",".join(("t", *SIGNALS)), *lines]) + "\n"
    (HERE / "reference.csv").write_text(text, encoding="utf-8")
