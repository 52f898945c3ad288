"""Two four-bars in a row that fold flat: IFToMM A02, through singular positions.

Bars of 1 m and 1 kg; B0 starts at 1 m/s. Gates: ten times the tolerance for the places
of B0, 1e-8 of energy over 10 s, 1e-10 m of gaps.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from tests.cases.ladder.closing import Closed
from tests.cases.ladder.mechanisms import error
from tests.cases.ladder.pendulums import DOWN
from tests.cases.ladder.rung import Rung

SOURCE = "IFToMM library, A02"
TOLERANCE = 1e-11
PLACES = {1.0: (-0.1950203019, -0.9807992057), 10.0: (0.3284581115, 0.9445185382)}
INERTIA = (1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0)


def bars(count: int = 2) -> Closed:
    """Upright bars A B, and bars from each B to the next one."""
    bodies, joints, pairs = [], [], []
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
        pairs.append((f"bar{k}.right", f"up{k + 1}.b"))
    return Closed(Mechanism("four-bars", bodies, joints), pairs)


def rungs(fine: bool) -> Iterator[Rung]:
    closed, case = bars(), "N four-bar"
    until = 10.0 if fine else 1.0
    wanted = {t: x for t, x in PLACES.items() if t <= until}
    states = closed.states(tuple(wanted), TOLERANCE)
    marker, n = [closed.packed.markers["up0.b"]], closed.tree.n_u
    of = (n, SOURCE)
    for (t, x), y in zip(wanted.items(), states, strict=True):
        place = closed.tree.outputs(*np.split(y, 2), marker)[0][0, [0, 2]]
        off = np.hypot(*(place - x))
        yield error(case, f"place of B0 at {t:g} s, N = 2", off, 10 * TOLERANCE, of)
    first, last = closed.energy(closed.began()), closed.energy(states[-1])
    drift = abs(last / first - 1.0)
    yield error(case, f"energy after {until:g} s", drift, 1e-8, of)
    gap = np.abs(closed.gaps(states[-1][:n])).max()
    yield error(case, f"gaps after {until:g} s, m", gap, 1e-10, of)
