"""How many leaf solves does a window cost, ours against IQN-ILS and Kratos' FETI?

The same structures, cut in two, by every method: sweeps over both parts and solves of
each part in a window after the first one; solves of each part in the first window,
where gluing matrices are made; gluing matrices in all; and the largest distance from
the uncut structure at the interface, as a part of its motion. Counts do not jitter.

IQN-ILS is ours with the settings that preCICE's tutorials use: libprecice is on no
package index. Kratos runs where its extra is installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from coupling_cut import PUSH, Cut, cantilever, oscillator, row
from coupling_kratos import Block, Drive, feti, missing
from coupling_methods import Row, apart, measure, methods
from coupling_pendulum import Pendulum
from coupling_plate import Plate

PLATES = (Plate(10, 5, 1.0, 0.5), Plate(20, 29, 1.0, 0.5))
RATIOS = (0.01, 1.0, 100.0)
RIGID = 1e8  # N/m² and kg: what a block of an oscillator gives way is below 1e-7
HEAD = ("method", "sweeps", "solves", "first", "builds", "error")


def ours() -> Iterator[Row]:
    cases = [*map(oscillator, RATIOS), row(20), *map(cantilever, PLATES), Pendulum()]
    for case in cases:
        for method in methods(case):
            yield measure(case, method)


def theirs(few: int = 5) -> Iterator[Row]:
    """Kratos; what condenses in every step is run for a `few` windows."""
    for ratio in RATIOS:
        yield kratos(oscillator(ratio), _masses(ratio), True)
    for plate in PLATES:
        blocks = (Block(plate), Block(plate))
        yield kratos(cantilever(plate), blocks, True)
        yield kratos(cantilever(plate, few), blocks, False)


def kratos(case: Cut, blocks: tuple[Block, Block], linear: bool) -> Row:
    """One run of the FETI coupling: a solve a window, and those of its condensation."""
    clamped = case.m > 1
    nodes = blocks[1].plate.ny + 1
    load = (0.0, PUSH) if clamped else (case.load[0] / nodes, 0.0)
    drive = Drive(load, case.omega, case.h, case.windows)
    done = feti(blocks, drive, clamped, linear)
    u = done.u if clamped else done.u[:, ::2].mean(axis=1, keepdims=True)
    units, each = blocks[0].plate.edge, done.steps / case.windows
    again = 0 if linear else units
    builds = 1 if linear else case.windows
    name = "Kratos FETI, is_linear" if linear else "Kratos FETI, default"
    error = apart(u, case.uncut)
    return Row(case.name, name, 1.0, each + again, each + units, builds, error)


def _masses(ratio: float) -> tuple[Block, Block]:
    """The two masses as nearly rigid blocks of two elements, on springs."""
    k, E = 20.0 * (1.0 + ratio), RIGID * (1.0 + ratio)
    a, b = (
        Block(Plate(1, 2, 1.0, 1.0, E, rho=m), share * k / 6.0)
        for m, share in ((1.0, 0.75), (ratio, 0.25))
    )
    return a, b


def table(rows: list[Row]) -> str:
    """One block a case, in the order of the rows."""
    head, *titles = HEAD
    lines = []
    for case in dict.fromkeys(r.case for r in rows):
        lines += ["", f"{case}", f"  {head:28}{''.join(f'{t:>9}' for t in titles)}"]
        lines += [_line(r) for r in rows if r.case == case]
    return "\n".join(lines)


def _line(r: Row) -> str:
    if r.trouble:
        return f"  {r.method:28} {r.trouble}"
    counts = f"{r.sweeps:9.2f}{r.solves:9.2f}{r.first:9.0f}{r.builds:9.0f}"
    return f"  {r.method:28}{counts}{r.error:9.0e}"


def main() -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        rows = list(ours())
    absent = missing()
    rows += [] if absent else list(theirs())
    print("solves: of each part, in a window; first: in the first window")
    print(table(rows))
    if absent:
        print(f"\nKratos FETI: skipped: extra not installed ({absent})")


if __name__ == "__main__":
    sys.exit(main())
