"""The same linkage, cut at joint C: the example's two mechanisms, one force."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bondline.build import Given, open_model
from bondline.core import uniform
from bondline.gluing import Newton
from tests.cases.four_bar.all_at_once import FOLDER

EVERY_WINDOW = Newton(refresh="window", update="none")


def glue(name="constant/e", solver=EVERY_WINDOW, **given):
    made = open_model(FOLDER, Given(given, scheme=name)).model
    return replace(made, solver=solver)


@dataclass(frozen=True)
class Record:
    """Joint C every `every` seconds; forces and counts of every window."""

    t: np.ndarray
    C: np.ndarray
    forces: np.ndarray
    stats: dict[str, np.ndarray]


def run(model, h, end, every=1e-3):
    step, stride = model.start(0.0), round(every / h)
    t, C, forces, stats = [], [], [], []
    for n in range(1, round(end / h) + 1):
        step = model.advance(step.state, uniform(0.0, h, n - 1), {})
        stats.append(step.stats)
        forces.append(step.state.forces[0])
        if n % stride == 0:
            seen = model.observe(step.state)
            t.append(n * h)
            C.append([seen["joint.C.x"].value, seen["joint.C.y"].value])
    counts = {k: np.array([s[k] for s in stats]) for k in stats[0]}
    return Record(np.array(t), np.array(C), np.array(forces), counts)


def distance(record, reference, until=np.inf):
    """Largest error of C at the instants of both."""
    last = min(until, reference["t"][-1]) + 1e-9
    t = record.t[record.t < last]
    rows = np.searchsorted(reference["t"], t - 1e-9)
    exact = np.stack([reference["joint.C.x"], reference["joint.C.y"]], axis=1)[rows]
    return np.abs(record.C[: len(t)] - exact).max()
