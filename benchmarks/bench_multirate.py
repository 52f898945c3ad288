"""What do two step sizes save on the gun and turret of kim2000, and at what error?

One second at h = 1e-4, PECE, slow variables with 1, 2, 5 and 10 times that step, in the
paper's form and by residual extrapolation. Every ratio is timed in turn, many times
over, and the shortest counts; T(r) = F + S/r is fitted to them. Beside ours: the
paper's Table 1, whose times give F / (F + S) = 0.55.

Then the same for mechanisms of the multibody leaf: that gun, and 2 s of the chain of 40
links with a flexible end, few fast and many slow, with an assembled mass matrix and by
the recursion.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

from bondline.leaves.mbd.driving import compiled
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from bondline.numerics import Counts, Dop853, Form, Multirate, System, state_of
from bondline.numerics.systems import Array

STEP, RATIOS = 1e-4, (1, 2, 5, 10)
PAPER = {1: 251.06, 2: 197.34, 5: 162.74, 10: 148.90}  # s, Pentium MMX 200 MHz


@dataclass(frozen=True)
class Case:
    """A model to be timed: its split system, where it starts and how far it goes."""

    name: str
    system: System
    start: Array
    end: float = 1.0
    less: int = 1  # of so many rounds one


def models() -> Iterator[Case]:
    """As the tests have them; the first is written out by hand."""
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from tests.mbd.models import chain, gun_turret
    from tests.steps.gunnery import STARTS
    from tests.steps.systems import gun

    yield Case("gun, closed form", gun(), STARTS["undeformed"])
    yield of_leaf("gun, multibody leaf", gun_turret(), less=3)
    for solver in ("dense", "recursive"):
        name = f"chain of 40, {solver}"
        yield of_leaf(name, chain(), solver=solver, end=2.0, less=20)


def of_leaf(
    name: str,
    mechanism: Mechanism,
    solver: str = "auto",
    end: float = 1.0,
    less: int = 1,
) -> Case:
    """A mechanism with its modes as the fast ones."""
    packed = pack(mechanism, solver=solver)
    start = np.concatenate([packed.layout.start, packed.layout.speed])
    return Case(name, compiled(Tree(packed)), start, end, less)


@dataclass(frozen=True)
class Row:
    ratio: int
    seconds: float
    counts: Counts
    error: float  # of all positions, at the end


def measure(case: Case, form: Form, rounds: int) -> list[Row]:
    """The shortest time of each ratio; ratios take turns."""
    exact = _end(Dop853(1e-13, 1e-13), case)
    methods = {r: Multirate(STEP, r, form) for r in RATIOS}
    starts = {r: m.begin(case.system, 0.0, case.start) for r, m in methods.items()}
    best = dict.fromkeys(RATIOS, np.inf)
    for _ in range(max(1, rounds // case.less)):
        for r, method in methods.items():
            begin = process_time()
            method.advance(case.system, starts[r], case.end)
            best[r] = min(best[r], process_time() - begin)
    rows = []
    for r, method in methods.items():
        done = method.advance(case.system, starts[r], case.end)
        apart = state_of(case.system, done.memory) - exact
        error = np.abs(apart[: case.system.n_q]).max()
        rows.append(Row(r, best[r], done.counts, float(error)))
    return rows


def _end(method: Dop853, case: Case) -> Array:
    memory = method.begin(case.system, 0.0, case.start)
    return state_of(case.system, method.advance(case.system, memory, case.end).memory)


def fitted(times: dict[int, float]) -> tuple[float, float]:
    """F and S of T(r) = F + S/r, least squares."""
    ratios = np.array(list(times))
    columns = np.stack([np.ones(len(ratios)), 1.0 / ratios], 1)
    F, S = np.linalg.lstsq(columns, np.array(list(times.values())), rcond=None)[0]
    return float(F), float(S)


def say(title: str, times: dict[int, float], rows: list[Row] | None = None) -> None:
    F, S = fitted(times)
    limit = (F + S) / F
    print(f"{title}: F share {F / (F + S):.2f}, limit of the speed-up {limit:.2f}")
    for k, (r, seconds) in enumerate(times.items()):
        line = f"  ratio {r:2d}  {seconds:9.3g} s  speed-up {times[1] / seconds:.2f}"
        if rows:
            counts = rows[k].counts
            line += f"  fast {counts.fast:5d}  full {counts.full:5d}"
            line += f"  error {rows[k].error:.1e}"
        print(line)


def main(rounds: int = 60) -> None:
    say("kim2000, Table 1", PAPER)
    for case in models():
        for form in ("paper", "residual"):
            rows = measure(case, form, rounds)
            times = {row.ratio: row.seconds for row in rows}
            say(f"{case.name}, form {form}", times, rows)


if __name__ == "__main__":
    main()
