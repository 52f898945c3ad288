"""What does a second of a mechanism cost, beside Exudyn and MuJoCo?

Processor time for one second of motion, with steps of 0.1 ms unless it says another, in
turns, the least of all runs; models are made beforehand. `tip` is the largest distance
of the muzzle (of the tip) from a converged motion: of the same gun with its floating
frame, whatever the model, so that it has the error of the model, too; `steps` is the
same from the converged motion of the same model, the error of integration alone.

"Specialised" is our kernel for one mechanism alone; it is built beforehand, as models
are. Lines that begin with "=" are ratios of times: those of others to ours.

Then at equal error: of every method the longest step whose error of integration is not
above that of Exudyn's floating frame at 0.1 ms (for the chain: of MuJoCo's Euler), and
not above a tenth of it.

At last the start: processor time of a process that imports a code, makes the arm and
runs 200 steps, medians. --full takes more turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from multibody_even import Contest, picked
from multibody_ours import OURS, OWN
from multibody_ratios import even_ratios, same_step_ratios
from multibody_reference import converged
from multibody_row import Row
from rival_exudyn import DEFAULTS, EXUDYN
from rival_mujoco import MUJOCO
from rival_process import Done, Job, Rival

TURNS = 3
TUNED = "TrapezoidalIndex2"

GUN = (
    *(Row(OURS, "floating", m, "floating") for m in ("PECE", "PEC", "PECE in windows")),
    *(Row(OURS, "floating", m, "floating") for m in ("residual 10", "paper 10")),
    *(Row(OURS, "floating", m + OWN, "floating") for m in ("PECE", "PEC")),
    *(Row(OURS, "floating", m + OWN, "floating") for m in ("residual 10", "paper 10")),
    *(Row(OURS, "gun", m, "6 joints") for m in ("PECE", "PECE" + OWN, "PEC" + OWN)),
    *(Row(EXUDYN, "floating", m, "floating") for m in (TUNED, DEFAULTS)),
    *(Row(EXUDYN, "gun", m, "6 joints") for m in ("RK44", "ExplicitMidpoint")),
    Row(EXUDYN, "gun", "VelocityVerlet", "6 joints"),
    *(Row(MUJOCO, "gun", m, "6 joints") for m in ("RK4", "implicitfast", "Euler")),
)
ARM = (
    *(Row(OURS, "arm", m, "tree") for m in ("PECE", "PEC", "RK4")),
    *(Row(OURS, "arm", m + OWN, "tree") for m in ("PECE", "PEC", "RK4")),
    *(Row(EXUDYN, "arm", m, "tree") for m in ("RK44", "ExplicitMidpoint")),
    *(Row(MUJOCO, "arm", m, "tree") for m in ("RK4", "Euler")),
)
CHAIN = (
    *(Row(OURS, "chain", m, "tree") for m in ("PECE", "PEC", "RK4")),
    *(Row(OURS, "chain", m + OWN, "tree") for m in ("PECE", "PEC", "RK4")),
    *(Row(EXUDYN, "chain", m, "tree") for m in ("RK44", "VelocityVerlet")),
    Row(EXUDYN, "plane", "TrapezoidalIndex2", "in a plane"),
    *(Row(MUJOCO, "chain", m, "tree") for m in ("RK4", "Euler")),
)
TABLES = {
    "gun-turret, steps of 0.1 ms": GUN,
    "arm of 6 joints": ARM,
    "chain of 40 links": CHAIN,
}


ALONE = tuple(m + own for own in ("", OWN) for m in ("PECE", "PEC", "RK4"))
EXPLICIT = ("VelocityVerlet", "ExplicitMidpoint", "RK33", "RK44", "RK67")
EVEN = (
    Contest(
        "gun-turret",
        Row(EXUDYN, "floating", TUNED, "floating"),
        (
            *(Row(OURS, "floating", m, "floating") for m in ALONE),
            *(Row(OURS, "gun", m, "6 joints") for m in ALONE),
            Row(EXUDYN, "floating", TUNED, "floating"),
            *(Row(EXUDYN, "gun", m, "6 joints") for m in EXPLICIT),
            Row(EXUDYN, "gun", "TrapezoidalIndex2", "6 joints"),
            *(Row(MUJOCO, "gun", m, "6 joints") for m in ("RK4", "implicitfast")),
            Row(MUJOCO, "gun", "Euler", "6 joints"),
        ),
    ),
    Contest(
        "chain of 40 links",
        Row(MUJOCO, "chain", "Euler", "tree"),
        (
            *(Row(OURS, "chain", m, "tree") for m in ALONE),
            *(Row(EXUDYN, "chain", m, "tree") for m in ("RK44", "VelocityVerlet")),
            *(Row(MUJOCO, "chain", m, "tree") for m in ("RK4", "Euler")),
        ),
    ),
)


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
        done, case = found[row], row.same
        whole = "floating" if case == "gun" else case
        errors = (done.error(converged(c)) for c in (whole, case))
        yield (
            f"  {row.name:44}{1e3 * done.seconds:9.2f} ms"
            f"{done.seconds / base:9.2f}" + "".join(f"{e:9.1e} m" for e in errors)
        )


def even_lines(contest: Contest, turns: int) -> Iterator[str]:
    """Every method with the longest step that is good enough, our quickest first."""
    for level, rows in picked(contest):
        yield (
            f"{contest.title}, errors of integration not above {level:.1e} m "
            f"({contest.level.name} at 0.1 ms, or a tenth)"
        )
        found = measured(rows, turns)
        ranked = sorted(rows, key=lambda row: (row.code != OURS, found[row].seconds))
        yield from lines(ranked, {row: found[row] for row in ranked})
        yield from even_ratios(found)
        tried = {(row.code, row.case, row.method) for row in rows}
        for row in contest.rows:
            if (row.code, row.case, row.method) not in tried:
                why = row.code.missing() or "no step is good enough"
                yield f"  {row.name:44} left out: {why}"


STARTS = (  # a code, and a method of it
    *((OURS, "PECE"), (OURS, "PECE" + OWN)),
    *((EXUDYN, "RK44"), (MUJOCO, "Euler")),
)


def started(code: Rival, method: str) -> float:
    """Processor time of a process that makes the arm and runs 200 steps."""
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
    for code, method in STARTS:
        if not code.missing():
            took = median(started(code, method) for _ in range(turns))
            yield f"  {code.name + ', ' + method:44}{took:9.2f} s"


def report(full: bool) -> Iterator[str]:
    turns = 3 * TURNS if full else TURNS
    yield f"{os.getloadavg()[0]:.1f} jobs on {os.cpu_count()} processors at the start"
    for name, rows in TABLES.items():
        yield name
        found = measured(rows, turns)
        yield from lines(rows, found)
        yield from same_step_ratios(found)
    for contest in EVEN:
        yield from even_lines(contest, turns)
    yield from start_lines(2 * turns - 1)


def main() -> None:
    for text in report("--full" in sys.argv):
        print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
