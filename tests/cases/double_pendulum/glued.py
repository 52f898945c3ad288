"""The same pendulum, glued from two bars that know nothing of each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import ref, uniform
from bondline.gluing import TT, IntegratedModel, Newton, Probe, Tie, scheme
from bondline.leaves import FreeBar, PinnedBar
from tests.cases.double_pendulum.all_at_once import Pendulum

PAPER = Pendulum()
EVERY_WINDOW = Newton(refresh="window", update="none")


def glue(p=PAPER, name="constant/e", solver=EVERY_WINDOW, epsilon=0.01, **bars):
    upper = PinnedBar("upper", p.m1, p.l1, p.start[0], p.g, p.torque, **bars)
    lower = FreeBar("lower", p.m2, p.l2, p.start[1], p.g, **bars)
    joint = Tie("A", (ref("upper.A"), ref("lower.A")), ("x", "y"))
    coupling = TT(scheme(name), Probe(epsilon))
    parts = {"upper": upper, "lower": lower}
    return IntegratedModel("double_pendulum", parts, [joint], coupling, solver)


@dataclass(frozen=True)
class Record:
    """One array a name; forces are the window polynomials, (windows, powers, 2)."""

    t: np.ndarray
    values: dict[str, np.ndarray]
    forces: np.ndarray
    stats: dict[str, np.ndarray]
    defect: np.ndarray

    @property
    def solves_per_window(self):
        return self.stats["solves"].sum() / 2 / len(self.t)


def run(model, h=0.01, windows=300):
    step = model.start(0.0)
    first, work, rows = step.energy.stored, 0.0, []
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        work += step.energy.supplied
        seen = {k: o.value for k, o in model.observe(step.state).items()}
        rows.append((seen, step.state.forces, step.stats, step.energy.stored - work))
    seen, forces, stats, balance = zip(*rows, strict=True)
    return Record(
        h * np.arange(1, windows + 1),
        {k: np.array([s[k] for s in seen]) for k in seen[0]},
        np.array(forces),
        {k: np.array([s[k] for s in stats]) for k in stats[0]},
        np.abs(np.array(balance) - first),
    )


def errors(record, reference):
    """Largest errors of position and velocity of the lower bar's centre."""

    def worst(*names):
        return max(np.abs(record.values[n] - reference[n]).max() for n in names)

    return worst("lower.com.x", "lower.com.y"), worst("lower.com.vx", "lower.com.vy")
