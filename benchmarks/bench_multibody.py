"""What does a second of a mechanism cost, beside Exudyn and MuJoCo?

Processor time for one second of motion, with steps of 0.1 ms unless it says another, in
turns, the least of all runs; models are made beforehand. `tip` is the largest distance
of the muzzle (of the tip) from a converged motion: of the same gun with its floating
frame, whatever the model, so that it has the error of the model, too; `steps` is the
same from the converged motion of the same model, the error of integration alone.

At last the start: processor time of a process that imports a code, makes the arm and
runs 200 steps, medians. --full takes more turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from multibody_ours import OURS
from multibody_reference import converged
from rival_exudyn import EXUDYN
from rival_mujoco import MUJOCO
from rival_process import Done, Job, Rival

TURNS = 3
SAME = {"plane": "chain"}  # cases of one motion


@dataclass(frozen=True)
class Row:
    """A model in a code, by a method."""

    code: Rival
    case: str
    method: str
    model: str
    step: float = 1e-4

    @property
    def job(self) -> Job:
        return Job(self.case, self.method, self.step)

    @property
    def name(self) -> str:
        long = f", {1e3 * self.step:g} ms" if self.step != 1e-4 else ""
        return f"{self.code.name}, {self.model}, {self.method}{long}"


GUN = (
    *(Row(OURS, "floating", m, "floating") for m in ("PECE", "PEC", "PECE in windows")),
    *(Row(OURS, "floating", m, "floating") for m in ("residual 10", "paper 10")),
    Row(OURS, "gun", "PECE", "6 joints"),
    Row(EXUDYN, "floating", "TrapezoidalIndex2", "floating"),
    *(Row(EXUDYN, "gun", m, "6 joints") for m in ("RK44", "ExplicitMidpoint")),
    Row(EXUDYN, "gun", "VelocityVerlet", "6 joints"),
    *(Row(MUJOCO, "gun", m, "6 joints") for m in ("RK4", "implicitfast", "Euler")),
)
EVEN = (  # the longest steps whose errors of integration are below 2e-5 m
    Row(OURS, "floating", "PECE", "floating", 6.25e-4),
    Row(OURS, "gun", "PECE", "6 joints", 6.25e-4),
    Row(EXUDYN, "floating", "TrapezoidalIndex2", "floating"),
    Row(EXUDYN, "gun", "RK44", "6 joints", 1.25e-3),
    Row(EXUDYN, "gun", "VelocityVerlet", "6 joints", 2e-4),
    Row(MUJOCO, "gun", "RK4", "6 joints", 1.25e-3),
    Row(MUJOCO, "gun", "Euler", "6 joints", 2e-4),
)
ARM = (
    *(Row(OURS, "arm", m, "tree") for m in ("PECE", "PEC", "RK4")),
    *(Row(EXUDYN, "arm", m, "tree") for m in ("RK44", "ExplicitMidpoint")),
    *(Row(MUJOCO, "arm", m, "tree") for m in ("RK4", "Euler")),
)
CHAIN = (
    *(Row(OURS, "chain", m, "tree") for m in ("PECE", "PEC", "RK4")),
    *(Row(EXUDYN, "chain", m, "tree") for m in ("RK44", "VelocityVerlet")),
    Row(EXUDYN, "plane", "TrapezoidalIndex2", "in a plane"),
    *(Row(MUJOCO, "chain", m, "tree") for m in ("RK4", "Euler")),
)
TABLES = {
    "gun-turret, steps of 0.1 ms": GUN,
    "gun-turret, steps that keep errors of integration below 0.02 mm": EVEN,
    "arm of 6 joints": ARM,
    "chain of 40 links": CHAIN,
}


def measured(rows: Iterable[Row], turns: int) -> dict[Row, Done]:
    """All in turns, each with its least time; what is not installed is left out."""
    found: dict[Row, Done] = {}
    there = [row for row in rows if not row.code.missing()]
    for _ in range(turns):
        for row in there:
            done = row.code.run(row.job)
            if row not in found or done.seconds < found[row].seconds:
                found[row] = done
    return found


def lines(rows: Iterable[Row], found: Mapping[Row, Done]) -> Iterator[str]:
    """A table; times are also in units of the first row."""
    base = next(iter(found.values())).seconds
    yield f"  {'':44}{'1 s takes':>12}{'/ first':>9}{'tip':>11}{'steps':>11}"
    for row in rows:
        if row not in found:
            yield f"  {row.name:44} skipped: {row.code.missing()} is not installed"
            continue
        done, case = found[row], SAME.get(row.case, row.case)
        whole = "floating" if case == "gun" else case
        errors = (done.error(converged(c)) for c in (whole, case))
        yield (
            f"  {row.name:44}{1e3 * done.seconds:9.2f} ms"
            f"{done.seconds / base:9.2f}" + "".join(f"{e:9.1e} m" for e in errors)
        )


def started(code: Rival) -> float:
    """Processor time of a process that makes the arm and runs 200 steps."""
    method = {"Bondline": "PECE", "Exudyn": "RK44", "MuJoCo": "Euler"}[code.name]
    return _spent(lambda: code.run(Job("arm", method, 5e-3, again=0)))


def bare() -> float:
    """The same of an interpreter with numpy."""
    return _spent(lambda: subprocess.run([sys.executable, "-c", "import numpy"]))


def _spent(go) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    go()
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_lines(turns: int) -> Iterator[str]:
    yield "import, model and 200 steps in a new process"
    alone = median(bare() for _ in range(turns))
    yield f"  {'Python and numpy alone':44}{alone:9.2f} s"
    for code in (OURS, EXUDYN, MUJOCO):
        if not code.missing():
            took = median(started(code) for _ in range(turns))
            yield f"  {code.name:44}{took:9.2f} s"


def report(full: bool) -> Iterator[str]:
    turns = 3 * TURNS if full else TURNS
    yield f"{os.getloadavg()[0]:.1f} jobs on {os.cpu_count()} processors at the start"
    for name, rows in TABLES.items():
        yield name
        yield from lines(rows, measured(rows, turns))
    yield from start_lines(2 * turns - 1)


def main() -> None:
    for text in report("--full" in sys.argv):
        print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
