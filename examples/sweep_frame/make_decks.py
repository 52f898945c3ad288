"""The decks of the frame: `python make_decks.py` writes them into resources/.

A column of 2 m, clamped at its foot, and half a beam of 1.5 m: beams with a box section
whose height can be set. The right half is the mirror image and carries the load.
"""

from __future__ import annotations

from pathlib import Path

COLUMN, BEAM = 8, 6  # elements
HERE = Path(__file__).parent

HEAD = """*HEADING
Frame: {side} half
** Made by make_decks.py. N, m, kg, s.
*PARAMETER
height = 0.1
wall = 0.005
{parameters}*NODE, NSET=NALL
{nodes}
*ELEMENT, TYPE=B31, ELSET=BEAMS
{elements}
*NSET, NSET=MIDDLE
{middle}
*NSET, NSET=FOOT
1
*NSET, NSET=CORNER
{corner}
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850
*DAMPING, ALPHA=2.0, BETA=1e-04
*BEAM SECTION, ELSET=BEAMS, MATERIAL=STEEL, SECTION=BOX
0.06, <height>, <wall>, <wall>, <wall>, <wall>
0, 1, 0
*BOUNDARY
FOOT, 1, 6
{amplitude}*STEP
*DYNAMIC, DIRECT, ALPHA=0
0.002, 0.5
{load}*END STEP
"""
SHAKEN = {
    "parameters": "frequency = 12.0\nomega = 6.283185307179586 * frequency\n",
    "amplitude": "*AMPLITUDE, NAME=SINE, DEFINITION=PERIODIC\n1, <omega>, 0., 0.\n"
    "0., 1.\n",
    "load": "*CLOAD, AMPLITUDE=SINE\nCORNER, 1, 1000.\n",
}


def deck(side: str, sign: int) -> str:
    """One half; the right one is shaken."""
    column = [(sign * 1.5, 2.0 * k / COLUMN) for k in range(COLUMN + 1)]
    beam = [(sign * 1.5 * (1.0 - k / BEAM), 2.0) for k in range(1, BEAM + 1)]
    points = list(enumerate(column + beam, 1))
    return HEAD.format(
        side=side,
        nodes="\n".join(f"{n}, {x + 0.0:g}, 0, {z:g}" for n, (x, z) in points),
        elements="\n".join(f"{n}, {n}, {n + 1}" for n, _ in points[:-1]),
        middle=len(points),
        corner=COLUMN + 1,
        **(SHAKEN if side == "right" else dict.fromkeys(SHAKEN, "")),
    )


def main() -> None:
    for side, sign in (("left", -1), ("right", 1)):
        path = HERE / "resources" / f"{side}.inp"
        path.write_text(deck(side, sign), encoding="utf-8")


if __name__ == "__main__":
    main()
