"""Writes bracket.mdpa: a steel plate of triangles, clamped at a wall, with a lip.

`python make_bracket.py` writes it beside this file.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

LENGTH, WIDTH, HEIGHT, LIP, THICK = 0.3, 0.2, 1.0, 0.06, 0.008
ALONG, ACROSS = 6, 4


def text() -> str:
    """The file: lips at both edges stiffen the plate."""
    number: dict[tuple[float, ...], int] = {}

    def node(i: int, y: float, z: float) -> int:
        at = (LENGTH * i / ALONG, round(y, 9), round(z, 9))
        return number.setdefault(at, len(number) + 1)

    rows = [(-WIDTH / 2.0, HEIGHT - LIP)]
    rows += [(WIDTH * (j / ACROSS - 0.5), HEIGHT) for j in range(ACROSS + 1)]
    rows += [(WIDTH / 2.0, HEIGHT - LIP)]
    cells = []
    for i in range(ALONG):
        for one, two in pairwise(rows):
            a, b = node(i, *one), node(i + 1, *one)
            c, d = node(i + 1, *two), node(i, *two)
            cells += [(a, b, c), (a, c, d)]
    lines = ["Begin Properties 1", "YOUNG_MODULUS 2.1e11", "POISSON_RATIO 0.3"]
    lines += ["DENSITY 7850.0", f"THICKNESS {THICK}", "RAYLEIGH_ALPHA 20.0"]
    lines += ["RAYLEIGH_BETA 2e-4", "CONSTITUTIVE_LAW LinearElasticPlaneStress2DLaw"]
    lines += ["End Properties", "Begin Nodes"]
    lines += [f"{n} {x:.6g} {y:.6g} {z:.6g}" for (x, y, z), n in number.items()]
    lines += ["End Nodes", "Begin Elements ShellThinElement3D3N"]
    lines += [f"{n} 1 {a} {b} {c}" for n, (a, b, c) in enumerate(cells, start=1)]
    lines += ["End Elements"]
    wall = [n for (x, _, _), n in number.items() if x == 0.0]
    for name, nodes in (("wall", wall), ("seat", [number[LENGTH, 0.0, HEIGHT]])):
        lines += [f"Begin SubModelPart {name}", "Begin SubModelPartNodes"]
        lines += [*map(str, nodes), "End SubModelPartNodes", "End SubModelPart"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("bracket.mdpa").write_text(text(), encoding="utf-8")
