"""What do two step sizes save on the gun and turret of kim2000, and at what error?

One second at h = 1e-4, PECE, slow variables with 1, 2, 5 and 10 times that step, in the
paper's form and by residual extrapolation. Every ratio is timed in turn, many times
over, and the shortest counts; T(r) = F + S/r is fitted to them. Beside ours: the
paper's Table 1, whose times give F / (F + S) = 0.55.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np

from bondline.numerics import Counts, Dop853, Form, Multirate, System, state_of
from bondline.numerics.systems import Array

STEP, END, RATIOS = 1e-4, 1.0, (1, 2, 5, 10)
PAPER = {1: 251.06, 2: 197.34, 5: 162.74, 10: 148.90}  # s, Pentium MMX 200 MHz


@dataclass(frozen=True)
class Case:
    """A model to be timed: its split system and where it starts."""

    system: System
    start: Array


def model() -> Case:
    """The gun in closed form, as the tests have it."""
    sys.path.append(str(Path(__file__).resolve().parents[1]))
    from tests.steps.gunnery import STARTS
    from tests.steps.systems import gun

    return Case(gun(), STARTS["undeformed"])


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
    for _ in range(rounds):
        for r, method in methods.items():
            begin = process_time()
            method.advance(case.system, starts[r], END)
            best[r] = min(best[r], process_time() - begin)
    rows = []
    for r, method in methods.items():
        done = method.advance(case.system, starts[r], END)
        apart = state_of(case.system, done.memory) - exact
        error = np.abs(apart[: case.system.n_q]).max()
        rows.append(Row(r, best[r], done.counts, float(error)))
    return rows


def _end(method: Dop853, case: Case) -> Array:
    memory = method.begin(case.system, 0.0, case.start)
    return state_of(case.system, method.advance(case.system, memory, END).memory)


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
    case = model()
    say("kim2000, Table 1", PAPER)
    for form in ("paper", "residual"):
        rows = measure(case, form, rounds)
        say(f"form {form}", {row.ratio: row.seconds for row in rows}, rows)


if __name__ == "__main__":
    main()
