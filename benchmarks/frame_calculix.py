"""CalculiX on the models of `frame_case`: decks written, ccx called, results read.

Its S4 is a brick of one layer with incompatible modes. On long thin cells it is too
stiff, about with (length of an element / thickness)², as elements that lock are.
"""

from __future__ import annotations

import subprocess
from dataclasses import replace
from os import environ
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from frame_case import DT, Array, Transient

from bondline.leaves.fe.formats import Analysis, write_inp
from bondline.leaves.fe.model import FeModel

FEW = 2  # steps of the short run, whose time is what a long one pays once


def missing() -> str:
    """What is not installed, or nothing."""
    return "" if which("ccx") else "ccx (Debian package calculix-ccx)"


def frequencies(model: FeModel, count: int = 10) -> Array:
    """The lowest ones, Hz."""
    free = replace(model, loads=())
    table = _run(free, Analysis("frequency", modes=count)).split("P A R T")[0]
    rows = [line.split() for line in table.splitlines()]
    return np.array([float(r[3]) for r in rows if len(r) == 5 and r[0].isdigit()])


def deflection(model: FeModel) -> float:
    """z of the pushed node at rest under its load at `static_time`."""
    printed = _run(_seen(model), Analysis("static", t1=model.static_time))
    return float(_last(printed)[-1])


def transient(model: FeModel, steps: int) -> Transient:
    """*DYNAMIC, DIRECT: the time a step is that of a long run less that of a short."""
    spent = []
    for n in (FEW, steps):
        begin = perf_counter()
        printed = _run(_seen(model), Analysis("dynamic", dt=DT, t1=n * DT), threads=2)
        spent.append(perf_counter() - begin)
    return Transient(_last(printed), (spent[1] - spent[0]) / (steps - FEW))


def _seen(model: FeModel) -> FeModel:
    """The model with a set of the pushed node."""
    sets = {**model.mesh.node_sets, "PUSHED": np.atleast_1d(model.loads[0].nodes)}
    return replace(model, mesh=replace(model.mesh, node_sets=sets))


def _last(printed: str) -> Array:
    """The last column of what was printed: z of one node at every instant."""
    rows = [line.split() for line in printed.splitlines()]
    return np.array([float(r[3]) for r in rows if len(r) == 4 and r[0].isdigit()])


def _run(model: FeModel, analysis: Analysis, threads: int = 1) -> str:
    """What ccx prints."""
    prints = ["PUSHED"] if "PUSHED" in model.mesh.node_sets else []
    with TemporaryDirectory() as folder:
        write_inp(model, Path(folder, "run.inp"), analysis, prints=prints)
        done = subprocess.run(
            ["ccx", "run"],
            cwd=folder,
            capture_output=True,
            text=True,
            env={**environ, "OMP_NUM_THREADS": str(threads)},
        )
        found = Path(folder, "run.dat")
        if done.returncode or not found.exists():
            raise RuntimeError(f"ccx: {done.stdout[-2000:]}{done.stderr[-500:]}")
        return found.read_text()
