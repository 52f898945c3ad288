"""The mesh of the shell arm: writes arm_shells.inp beside this file.

Two boxes, 42 x 37 mm and 37 x 37 mm between the middles of their walls (45 x 40 x 3 and
40 x 40 x 3 outside), on the lines of the beams. The wall of the main leg where the rear
leg leaves it stays, as a bulkhead. Bars (HUBS, SLEEVE) join nodes 1 (front bush), 2
(ball joint), 3 (rear bush) and 4 (below the spring seat) to the rings around them.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

FRONT, REAR = np.array([0.02, 0.42, -0.27]), np.array([-0.30, 0.44, -0.265])
BALL = np.array([0.0, 0.770, -0.320])
ACROSS, TALL = 3, 2  # elements of a side
HIGH = 0.037


def plan(x: float, y: float) -> Any:
    """A point of the plan view (x along the car, y along the main leg) in space."""
    return FRONT + y / 0.36 * (BALL - FRONT) - x / 0.30 * (REAR - FRONT)


def up() -> Any:
    """Normal to the arm, upwards."""
    n = np.cross(BALL - FRONT, REAR - FRONT)
    return n / np.linalg.norm(n)


class Mesh:
    """Nodes by place, elements by set."""

    def __init__(self) -> None:
        self.points: list[Any] = []
        self.found: dict[tuple[int, ...], int] = {}
        self.sheet: list[tuple[int, ...]] = []
        self.bars: dict[str, list[tuple[int, int]]] = {"HUBS": [], "SLEEVE": []}

    def node(self, at: Any) -> int:
        """The number of the node there."""
        key = tuple(int(k) for k in np.rint(1e6 * np.asarray(at)))
        if key not in self.found:
            self.points.append(at)
            self.found[key] = len(self.points)
        return self.found[key]

    def spider(self, centre: Any, ring: list[int], name: str) -> None:
        """Bars from a new node to those of a ring."""
        hub = self.node(centre)
        self.bars[name] += [(hub, k) for k in ring]


def ring(left: Any, right: Any) -> list[Any]:
    """Points around a box between its walls: below, up the right, above, down."""
    n, s = 0.5 * HIGH * up(), np.linspace(0.0, 1.0, ACROSS + 1)
    t = np.linspace(-1.0, 1.0, TALL + 1)
    low = [left + a * (right - left) - n for a in s]
    high = [right + a * (left - right) + n for a in s]
    rise = [right + b * n for b in t[1:-1]]
    fall = [left - b * n for b in t[1:-1]]
    return [*low, *rise, *high, *fall]


def skin(mesh: Mesh, rings: list[list[int]]) -> None:
    """Quadrilaterals between rings."""
    for one, two in pairwise(rings):
        for k in range(len(one)):
            j = (k + 1) % len(one)
            mesh.sheet.append((one[k], one[j], two[j], two[k]))


def stations() -> Any:
    """Rings of the main leg: the rear leg fits between two, the seat is one."""
    root, seat = 0.0185, 0.36 * 4 / 7
    a, b = 0.13 - root, 0.13 + root
    pieces = ((0.0, a, 6), (a, b, ACROSS), (b, seat, 3), (seat, 0.36, 8))
    return np.unique(
        np.round(np.concatenate([np.linspace(p, q, n + 1) for p, q, n in pieces]), 9)
    )


def main_leg(mesh: Mesh) -> list[list[int]]:
    """Its rings; walls at x = ± 21 mm."""
    rings = []
    for y in stations():
        around = ring(plan(-0.021, y), plan(0.021, y))
        rings.append([mesh.node(p) for p in around])
    skin(mesh, rings)
    return rings


def rear_leg(mesh: Mesh) -> list[list[int]]:
    """From the wall of the main leg along the curve; it turns with the curve."""
    A, V, B = (np.array(p) for p in ((0.0, 0.13), (-0.12, 0.115), (-0.30, 0.0)))
    rings = []
    for t in np.linspace(0.0, 1.0, 17):
        s = 0.07 + 0.93 * t  # the curve leaves the wall here
        at = (1 - s) ** 2 * A + 2 * s * (1 - s) * V + s**2 * B
        way = (1 - s) * (V - A) + s * (B - V)
        way /= np.linalg.norm(way)
        side = np.array([way[1], -way[0]])  # to the left, seen along the leg
        if t == 0.0:
            at, side = np.array([-0.021, 0.13]), np.array([0.0, 1.0])
        side = side if side[1] > 0 else -side
        around = ring(plan(*(at - 0.0185 * side)), plan(*(at + 0.0185 * side)))
        rings.append([mesh.node(p) for p in around])
    skin(mesh, rings)
    return rings


def write(path: Path) -> None:
    """The deck."""
    mesh = Mesh()
    for at in (FRONT, BALL, REAR, FRONT + 4 / 7 * (BALL - FRONT)):
        mesh.node(at)
    main, rear = main_leg(mesh), rear_leg(mesh)
    seat = int(np.argmin(np.abs(stations() - 0.36 * 4 / 7)))
    mesh.spider(FRONT, main[0], "HUBS")
    mesh.spider(BALL, main[-1], "HUBS")
    mesh.spider(FRONT + 4 / 7 * (BALL - FRONT), main[seat], "HUBS")
    mesh.spider(REAR, rear[-1], "SLEEVE")
    lines = ["** written by make_shells.py", "*NODE"]
    lines += [
        f"{k}, " + ", ".join(f"{x:.7f}" for x in at)
        for k, at in enumerate(mesh.points, 1)
    ]
    number = 0
    each = [("S4", "SHEET", mesh.sheet), *(("B31", n, b) for n, b in mesh.bars.items())]
    for kind, name, elements in each:
        lines.append(f"*ELEMENT, TYPE={kind}, ELSET={name}")
        for nodes in elements:
            number += 1
            lines.append(", ".join(map(str, (number, *nodes))))
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "210e9, 0.3", "*DENSITY", "7850"]
    lines += ["*SHELL SECTION, ELSET=SHEET, MATERIAL=STEEL", "0.003"]
    for name, axis in (
        ("HUBS", "0.0571, -0.9886, 0.1412"),
        ("SLEEVE", "0.866, 0.483, 0.129"),
    ):
        lines.append(f"*BEAM SECTION, ELSET={name}, MATERIAL=STEEL, SECTION=RECT")
        lines += ["0.02, 0.02", axis]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(mesh.points), "nodes,", len(mesh.sheet), "shells")


if __name__ == "__main__":
    write(Path(__file__).with_name("arm_shells.inp"))
