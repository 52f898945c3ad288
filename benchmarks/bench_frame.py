"""What does a step of the truck frame cost, glued and whole, and in other codes?

Time by the clock for one step of 0.5 ms, median, ours in turns: other jobs on the
machine hit all alike. `whole` is the frame as one leaf, `bare` its Newmark step without
outputs and energies. The others run in processes of their own, where they are
installed: OpenSees with one factor for all steps, CalculiX with *DYNAMIC, DIRECT. `z`
is the largest distance of the pushed node from ours, as a part of its motion.

Then the same for a flat ladder of 10,200 dofs. --full runs more steps, and compares
the first ten frequencies, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from time import perf_counter

import frame_calculix as calculix
import numpy as np
from frame_case import DT, Array, Transient, frame, ladder, plain, watched
from frame_kratos import KRATOS, THIN
from frame_opensees import BEST, OPENSEES, QUICK

from bondline.build import open_model
from bondline.core import Advance, Model, uniform
from bondline.gluing import IntegratedModel
from bondline.gluing.crew import Threads
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.modes import modes
from bondline.leaves.structure import Structure

ROUNDS, EACH = 5, 20  # of our own runs, in turns
LEAST = 15.0  # times that another code must take longer


@dataclass
class Run:
    """A model on its way; `times` are seconds of its steps after the first."""

    model: Model
    state: object = None
    windows: int = 0
    times: list[float] = field(default_factory=list)

    def go(self, steps: int) -> None:
        if self.state is None:
            self.state = self.model.start(0.0).state
            steps += 1  # the first window makes factors and gluing matrices
        for _ in range(steps):
            begin = perf_counter()
            done = self.model.advance(self.state, uniform(0.0, DT, self.windows), {})
            self.times.append(perf_counter() - begin)
            assert isinstance(done, Advance), done
            self.state, self.windows = done.state, self.windows + 1

    @property
    def each(self) -> float:
        return median(self.times[1:])


@dataclass
class Bare:
    """The Newmark steps of one structure, and nothing else."""

    leaf: Structure
    now: Array | None = None
    windows: int = 0
    times: list[float] = field(default_factory=list)

    def go(self, steps: int) -> None:
        newmark = self.leaf.stepping(DT).newmark
        if self.now is None:
            self.now = self.leaf.start(0.0).state.reshape(3, -1)
            steps += 1
        for _ in range(steps):
            begin = perf_counter()
            f = self.leaf._load((self.windows + 1) * DT)
            self.now = newmark.leap(self.now, f)
            self.times.append(perf_counter() - begin)
            self.windows += 1

    @property
    def each(self) -> float:
        return median(self.times[1:])


def glued(file: str, threads: int = 1) -> IntegratedModel:
    """The example as its file says, every layer with so many threads."""
    folder = Path(__file__).resolve().parents[1] / "examples" / "truck_frame"
    model = open_model(folder / file).model
    assert isinstance(model, IntegratedModel)
    return crewed(model, threads) if threads > 1 else model


def crewed(model: IntegratedModel, threads: int) -> IntegratedModel:
    parts = {
        n: crewed(p, threads) if isinstance(p, IntegratedModel) else p
        for n, p in model.parts.items()
    }
    return replace(model, parts=parts, crew=Threads(threads))


def ours(rounds: int = ROUNDS, each: int = EACH) -> dict[str, Run | Bare]:
    """The frame in all our ways, in turns."""
    whole = fe_leaf(frame(), {})
    runs: dict[str, Run | Bare] = {
        "whole": Run(whole),
        "whole, bare": Bare(whole),
        "glued flat": Run(glued("Flat.ssd")),
        "glued flat, 2 threads": Run(glued("Flat.ssd", 2)),
        "glued nested": Run(glued("SystemStructure.ssd")),
        "glued nested, 2 threads": Run(glued("SystemStructure.ssd", 2)),
    }
    for _ in range(rounds):
        for run in runs.values():
            run.go(each)
    return runs


def theirs(
    model: FeModel, many: int, few: int
) -> Iterator[tuple[str, Transient | str]]:
    """Every other code; what is not installed says so."""
    absent = OPENSEES.missing()
    for kind, steps in ((QUICK, many), (BEST, few)):
        yield (
            f"OpenSees, {kind}",
            absent or OPENSEES.transient(model, kind, steps),
        )
    absent = calculix.missing()
    yield "CalculiX, S4", absent or calculix.transient(model, few)


def compared(
    exact: Array,
    own: Mapping[str, float],
    others: Iterable[tuple[str, Transient | str]],
) -> list[str]:
    """Lines of the other codes, and how far the quickest is from `own` seconds."""
    lines, found = [], []
    for name, done in others:
        if isinstance(done, str):
            lines.append(f"  {name:28} skipped: {done} is not installed")
            continue
        text = line(name, done.each, own["whole"])
        lines.append(text + f"{apart(done.z, exact):10.1%}")
        found.append(done.each)
    for name, each in own.items() if found else ():
        ratio = min(found) / each
        verdict = "" if ratio >= LEAST else f", below {LEAST:g}"
        lines.append(f"  quickest other code / {name}: {ratio:.1f}{verdict}")
    return lines


def frequency_lines(thickness: float) -> Iterator[str]:
    """The first ten frequencies, and how far the others are from ours."""
    model = frame(thickness)
    exact = modes(model, 10).frequencies
    codes: dict[str, tuple[str, Callable[[], Array]]] = {
        "CalculiX, S4": (calculix.missing(), lambda: calculix.frequencies(model)),
        f"OpenSees, {BEST}": (
            OPENSEES.missing(),
            lambda: OPENSEES.frequencies(model, BEST),
        ),
        f"Kratos, {THIN}": (KRATOS.missing(), lambda: KRATOS.frequencies(model, THIN)),
    }
    yield f"truck frame {1e3 * thickness:g} mm thick, frequencies; others in % of ours"
    yield f"  {'Hz':42}" + "".join(f"{f:7.2f}" for f in exact)
    for name, (absent, found) in codes.items():
        if absent:
            yield f"  {name:42} skipped: {absent} is not installed"
        else:
            off = 100.0 * (found() / exact - 1.0)
            yield f"  {name:42}" + "".join(f"{x:7.2f}" for x in off)


def apart(z: Array, exact: Array) -> float:
    exact = exact[: len(z)]
    return float(np.abs(z - exact).max() / np.abs(exact).max())


def line(name: str, each: float, base: float) -> str:
    return f"  {name:28}{1e3 * each:9.2f} ms{each / base:9.2f}"


def report(full: bool) -> Iterator[str]:
    many, few = (200, 20) if full else (20, 6)
    yield f"{os.getloadavg()[0]:.1f} jobs on {os.cpu_count()} processors at the start"
    runs = ours(*((10, 50) if full else (ROUNDS, EACH)))
    base = runs["whole"].each
    yield f"truck frame, {plain(frame()).points.shape[0]} nodes"
    yield f"  {'':28}{'a step':>12}{'/ whole':>9}{'z':>10}"
    yield from (line(name, run.each, base) for name, run in runs.items())
    best = min(r.each for n, r in runs.items() if n.endswith("2 threads"))
    yield f"  six leaves on two threads / whole: {best / base:.2f}"
    best = min(r.each for n, r in runs.items() if n.startswith("glued"))
    model = frame()
    others = theirs(model, many, few)
    yield from compared(watched(model, many), {"whole": base, "glued": best}, others)
    model = ladder()
    run = Run(fe_leaf(model, {}))
    run.go(200)
    yield f"ladder, {model.assembled.system.K.shape[0]} dofs"
    yield line("whole", run.each, run.each)
    yield f"  200 steps {200 * run.each:.2f} s"
    others = theirs(model, many, few)
    yield from compared(watched(model, many), {"whole": run.each}, others)
    if full:
        for thickness in (0.01, 0.005):
            yield from frequency_lines(thickness)


def main() -> None:
    for text in report("--full" in sys.argv):
        print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
