"""The same linkage, cut at joint C: two owners, one force."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import ref, uniform
from bondline.gluing import TT, IntegratedModel, Newton, Tie, scheme
from bondline.leaves import Crank, FlexibleBar

EVERY_WINDOW = Newton(refresh="window", update="none")
r, E = 0.015, 210e9
ROCKER = {"axial": E * np.pi * r**2, "flexural": E * np.pi * r**4 / 4, "damping": 0.1}
START = {"angle": 0.3, "spin": -2.0}


def glue(name="constant/e", solver=EVERY_WINDOW):
    crank = Crank("crank", 10.0, 20.0, 1.0, 2.0, 0.3, 0.0, -2.0, 0.0, -100.0, 0.1)
    rocker = FlexibleBar("rocker", 5.0, 1.0, **ROCKER, **START, pivot_x=2.0)
    joint = Tie("C", (ref("crank.C"), ref("rocker.C")), ("x", "y"))
    parts = {"crank": crank, "rocker": rocker}
    return IntegratedModel("four_bar", parts, [joint], TT(scheme(name)), solver)


@dataclass(frozen=True)
class Record:
    """Joint C every `every` seconds; forces and counts of every window."""

    t: np.ndarray
    C: np.ndarray
    forces: np.ndarray
    stats: dict[str, np.ndarray]
    defect: float


def run(model, h, end, every=1e-3):
    step, stride = model.start(0.0), round(every / h)
    first, flows, stats = step.energy.stored, 0.0, []
    t, C, forces = [], [], []
    for n in range(1, round(end / h) + 1):
        step = model.advance(step.state, uniform(0.0, h, n - 1), {})
        flows += step.energy.supplied - step.energy.dissipated
        stats.append(step.stats)
        forces.append(step.state.forces[0])
        if n % stride == 0:
            seen = model.observe(step.state)
            t.append(n * h)
            C.append([seen["rocker.C.x"].value, seen["rocker.C.y"].value])
    counts = {k: np.array([s[k] for s in stats]) for k in stats[0]}
    defect = abs(step.energy.stored - first - flows)
    return Record(np.array(t), np.array(C), np.array(forces), counts, defect)


def distance(record, reference, until=np.inf):
    """Largest error of C at the instants of both."""
    last = min(until, reference["t"][-1]) + 1e-9
    t = record.t[record.t < last]
    rows = np.searchsorted(reference["t"], t - 1e-9)
    exact = np.stack([reference["rocker.C.x"], reference["rocker.C.y"]], axis=1)[rows]
    return np.abs(record.C[: len(t)] - exact).max()
