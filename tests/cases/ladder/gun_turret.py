"""kim2000's gun-turret, by one rate and by two, and a chain of 40 with a flexible end.

References are of DOP853 to 1e-13 on equations of their own. Gates, set before: 1e-9 at
1 s with steps of 1e-5 s; errors of two rates at most 1.5 times those that were found
when the method was tried (steps of 1e-4 s, the largest in 1 s); 1e-7 for the chain at
2 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bondline.core import Matrix
from bondline.numerics.integrators import Dop853
from bondline.numerics.multirate import Multirate
from bondline.numerics.nordsieck import Nordsieck
from tests.cases.ladder.mechanisms import Moving, error
from tests.cases.ladder.rung import Rung
from tests.mbd.models import CHAIN, chain, gun_turret

SOURCE = "DOP853 on closed-form equations"
CASE = "gun-turret"
SECOND = (  # q at 1 s
    *(-0.1228801009462, 0.1989145338912, -0.2445061329859),
    *(9.823089329989e-3, -3.161532680295e-4, 8.089323867504e-6),
)
TRIED = {  # form and ratio: errors of elevation, of the first mode, of the muzzle
    ("paper", 1): (5e-9, 6.0e-7, 1.4e-8),
    ("paper", 2): (2.3e-6, 4.9e-5, 1.1e-5),
    ("paper", 5): (6.3e-5, 1.3e-3, 3.1e-4),
    ("paper", 10): (5.4e-4, 1.0e-2, 2.7e-3),
    ("residual", 5): (1.6e-7, 5.6e-7, 8.6e-7),
    ("residual", 10): (4.6e-6, 5.2e-7, 2.5e-5),
}


def history() -> Matrix:
    """t, q, q' and the muzzle, every 5 ms."""
    file = Path(__file__).parents[2] / "steps" / "data" / "gun_turret.csv"
    return np.loadtxt(file, delimiter=",", skiprows=1)


def errors(form: str, ratio: int) -> tuple[float, float, float]:
    """The largest of elevation, first mode and muzzle."""
    method = Nordsieck(1e-4) if ratio == 1 else Multirate(1e-4, ratio, form)
    moving, known = Moving(gun_turret(), method), history()[1:]
    states = moving.states(known[:, 0])
    off = np.abs(states[:, :6] - known[:, 1:7]).max(axis=0)
    away = moving.points("gun.muzzle", states) - known[:, 13:16]
    return float(off[1]), float(off[2]), float(np.linalg.norm(away, axis=1).max())


def rungs(fine: bool) -> Iterator[Rung]:
    single = Moving(gun_turret(), Nordsieck(1e-5))
    off = np.abs(single.states(np.array([1.0]))[0, :6] - SECOND).max()
    yield error(CASE, "q at 1 s, h = 1e-5", off, 1e-9, (6, SOURCE))
    for (form, ratio), tried in TRIED.items():
        how = f"{form}, ratio {ratio}" if ratio > 1 else "one rate"
        names = ("elevation", "first mode", "muzzle")
        for name, found, most in zip(names, errors(form, ratio), tried, strict=True):
            yield error(CASE, f"{how}: {name}", found, 1.5 * most, (6, SOURCE))
    hanging = Moving(chain(), Dop853(1e-12, 1e-12))
    x = hanging.states(np.array([2.0]))[0]
    absolute = np.concatenate([np.cumsum(x[:40]), x[40:42]])
    off = np.abs(absolute - CHAIN["x_at_2s"][:42]).max()
    yield error("chain of 40", "angles and modes at 2 s", off, 1e-7, (42, SOURCE))
