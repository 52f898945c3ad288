"""The decks of the frame: `python make_decks.py` writes them into resources/.

A column of 2 m, clamped at its foot, and half a beam of 1.5 m: beams with a box section
whose height can be set. The right half is the mirror image and carries the load.
"""

from __future__ import annotations

from pathlib import Path

COLUMN, BEAM = 8, 6  # elements
HERE = Path(__file__).parent


def deck(side: str, sign: int) -> str:
    column = [(sign * 1.5, 0.0, 2.0 * k / COLUMN) for k in range(COLUMN + 1)]
    beam = [(sign * 1.5 * (1.0 - k / BEAM), 0.0, 2.0) for k in range(1, BEAM + 1)]
    nodes = [
        f"{n}, {x:g}, {y:g}, {z:g}" for n, (x, y, z) in enumerate(column + beam, 1)
    ]
    count = len(nodes)
    elements = [f"{n}, {n}, {n + 1}" for n in range(1, count)]
    return "\n".join([*head(side), *nodes, "*ELEMENT, TYPE=B31, ELSET=BEAMS", *elements,
                      "*NSET, NSET=MIDDLE", f"{count}", "*NSET, NSET=FOOT", "1",
                      "*NSET, NSET=CORNER", f"{COLUMN + 1}", *TAIL,
                      *(LOAD if side == "right" else []), *STEP, ""])  # fmt: skip


def head(side: str) -> list[str]:
    loads = ["frequency = 12.0", "omega = 6.283185307179586 * frequency"]
    return ["*HEADING", f"Frame: {side} half", "** Made by make_decks.py. N, m, kg, s.",
            "*PARAMETER", "height = 0.1", "wall = 0.005",
            *(loads if side == "right" else []), "*NODE, NSET=NALL"]  # fmt: skip


TAIL = ["*MATERIAL, NAME=STEEL", "*ELASTIC", "2.1e11, 0.3", "*DENSITY", "7850",
        "*DAMPING, ALPHA=2.0, BETA=1e-04",
        "*BEAM SECTION, ELSET=BEAMS, MATERIAL=STEEL, SECTION=BOX",
        "0.06, <height>, <wall>, <wall>, <wall>, <wall>", "0, 1, 0",
        "*BOUNDARY", "FOOT, 1, 6"]  # fmt: skip
LOAD = ["*AMPLITUDE, NAME=SINE, DEFINITION=PERIODIC", "1, <omega>, 0., 0.", "0., 1."]
STEP = ["*STEP", "*DYNAMIC, DIRECT, ALPHA=0", "0.002, 0.5"]


def main() -> None:
    push = ["*CLOAD, AMPLITUDE=SINE", "CORNER, 1, 1000.", "*END STEP", ""]
    for side, sign in (("left", -1), ("right", 1)):
        text = deck(side, sign)
        end = push if side == "right" else ["*END STEP", ""]
        path = HERE / "resources" / f"{side}.inp"
        path.write_text(text + "\n".join(end), encoding="utf-8")


if __name__ == "__main__":
    main()
