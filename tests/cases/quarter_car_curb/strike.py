"""Runs of the model file, beside the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bondline.build import Given, build, catalogue
from bondline.build.given import apply
from bondline.core import Advance, uniform
from bondline.description import read
from bondline.gluing import glue, joint

HERE = Path(__file__).parents[3] / "examples" / "quarter_car_curb"
JOINTS = ("ball", "front", "rear", "top")
SEEN = ("wheel.x", "wheel.z", "chassis.x", "chassis.z", "ball.x", "ball.y", "ball.z")
FORCES = ("balljoint.Fx", "balljoint.Fy", "balljoint.Fz")


def model(scheme: str | None = None, **settings: str) -> Any:
    """The model file with this set; dots in names are written as two underscores."""
    told = {name.replace("__", "."): value for name, value in settings.items()}
    spec = read(HERE, catalogue())
    return build(apply(spec, catalogue(), Given(set=told, scheme=scheme)))


def tt() -> Any:
    """The same parts by T-T coupling: the arm takes forces, as every part does."""
    parts = model().parts
    ends = {n: joint("spherical", f"car.{n}", f"arm.{n}") for n in JOINTS}
    return glue("tt", [parts["car"], parts["arm"].leaf], ends)


class Strike(NamedTuple):
    """What a run did, every 0.5 ms, and its account of energy."""

    t: Any
    signals: dict[str, Any]
    defect: float  # J, the largest
    lost: float  # J
    corrections: float  # a window


def strike(made: Any, h: float, until: float) -> Strike:
    """Run it, and balance its energy; `h` divides 0.5 ms."""
    step = made.start(0.0)
    first, lost, worst, rows, count = step.energy.stored, 0.0, 0.0, [], 0.0
    for n in range(round(until / h)):
        step = made.advance(step.state, uniform(0.0, h, n), {})
        assert isinstance(step, Advance), step
        if (energy := step.energy) is not None:  # one step of the car a window
            lost += energy.dissipated - energy.supplied
            worst = max(worst, abs(energy.stored + lost - first))
        count += step.stats["arm.corrections"]
        if (n + 1) % round(5e-4 / h) == 0:
            seen = {k: x.value for k, x in made.observe(step.state).items()}
            rows.append({k.removeprefix("car."): x for k, x in seen.items()})
    signals = {k: np.array([row[k] for row in rows]) for k in rows[0]}
    t = 5e-4 * np.arange(1, len(rows) + 1)
    return Strike(t, signals, worst, lost, count / round(until / h))


def off(found: Strike, names: tuple[str, ...] = SEEN) -> dict[str, float]:
    """Largest differences from reference.csv."""
    known = reference()
    count = len(found.t)
    return {n: float(np.abs(found.signals[n] - known[n][:count]).max()) for n in names}


def set_off(found: Strike) -> float:
    """The same of the ball joint against the chassis along x: what the arm gives."""
    known, s = reference(), found.signals
    mine, count = s["ball.x"] - s["chassis.x"], len(found.t)
    return float(np.abs(mine - (known["ball.x"] - known["chassis.x"])[:count]).max())


def reference() -> dict[str, Any]:
    """Columns of reference.csv."""
    path = HERE / "reference.csv"
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    return {name: table[name] for name in table.dtype.names}
