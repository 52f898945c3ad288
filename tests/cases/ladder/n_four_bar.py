"""Two four-bars in a row that fold flat: IFToMM A02, through singular positions.

Bars of 1 m and 1 kg; B0 starts at 1 m/s. Where all bars are in line motions branch.
Steps are fixed and projected onto the loops one by one: with error control (1e-11) they
become so short there that round-off chooses the branch. Gates: 1e-10 m for the places
of B0, whose references have ten digits, 1e-8 of energy over 10 s, 1e-10 m of gaps.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.numerics.integrators import RungeKutta4
from tests.cases.ladder.mechanisms import Moving, error
from tests.cases.ladder.pendulums import DOWN
from tests.cases.ladder.rung import Rung

SOURCE = "IFToMM library, A02"
STEP, MOST = 1e-3, 1e-10
PLACES = {1.0: (-0.1950203019, -0.9807992057), 10.0: (0.3284581115, 0.9445185382)}
INERTIA = (1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0)


def bars(count: int = 2) -> Mechanism:
    """Upright bars A B, and bars from each B to the next one."""
    bodies, joints, loops = [], [], []
    for k in range(count + 1):
        ends = {
            "a": Frame((0, 0, -0.5), DOWN.turn),
            "b": Frame((0, 0, 0.5), DOWN.turn),
        }
        bodies.append(Body(f"up{k}", 1.0, INERTIA, markers=ends))
        foot = Frame((float(k), 0, 0), DOWN.turn)
        joints.append(Joint(f"foot{k}", "revolute", foot, f"up{k}.a", speed=(-1.0,)))
        if k == count:
            continue
        ends = {
            "left": Frame((-0.5, 0, 0), DOWN.turn),
            "right": Frame((0.5, 0, 0), DOWN.turn),
        }
        bodies.append(Body(f"bar{k}", 1.0, INERTIA, markers=ends))
        on = (f"up{k}.b", f"bar{k}.left")
        joints.append(Joint(f"top{k}", "revolute", *on, speed=(1.0,)))
        on = (f"up{k + 1}.b", f"bar{k}.right")
        loops.append(Joint(f"closed{k}", "revolute", *on))
    return Mechanism("four-bars", bodies, joints, loops=loops)


def rungs(fine: bool) -> Iterator[Rung]:
    moving, case = Moving(bars(), RungeKutta4(STEP)), "N four-bar"
    every = moving.tidied(round(max(PLACES) / STEP), STEP)
    states = every[[0, *(round(t / STEP) for t in PLACES)]]
    of = (moving.tree.n_u, SOURCE)
    places = moving.points("up0.b", states)[1:, [0, 2]]
    for (t, x), found in zip(PLACES.items(), places, strict=True):
        off = np.hypot(*(found - x))
        yield error(case, f"place of B0 at {t:g} s, N = 2", off, MOST, of)
    first, *_, last = moving.energies(states)
    yield error(case, "energy after 10 s", abs(last / first - 1.0), 1e-8, of)
    yield error(case, "gaps after 10 s, m", moving.gap(states[-1]), MOST, of)
