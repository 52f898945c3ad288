"""Ends that move along known curves, for tests of joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.core import FRAME_DOFS, Motion, Port, PortRef
from bondline.numerics import rotations as rot

ENDS = (PortRef("a", "p"), PortRef("b", "q"))
FRAME = Port("f", FRAME_DOFS, frame=True)
NODE = Port("n", FRAME_DOFS)
POINT = Port("p", ("x", "y", "z"))
BODY = Port("b", ("x", "y", "rz"))
DOT = Port("d", ("x", "y"))


def ends(count):
    return tuple(PortRef(f"part{i}", "p") for i in range(count))


@dataclass(frozen=True)
class Curve:
    """Cubics of every dof; a frame's last three are a rotation vector."""

    port: Port
    c: np.ndarray  # 4 × size, rows go with powers of t

    def at(self, t, acceleration=True):
        levels = [np.polynomial.polynomial.polyval(t, d) for d in self._derivatives()]
        x, v, a = levels
        if not self.port.frame:
            return Motion(x, v, a if acceleration else None)
        spin, spin_rate = rot.spins(x[3:], v[3:], a[3:])
        twist = np.concatenate([v[:3], spin])
        rate = np.concatenate([a[:3], spin_rate]) if acceleration else None
        return Motion(x[:3], twist, rate, rot.exp(x[3:]))

    def _derivatives(self):
        return [np.polynomial.polynomial.polyder(self.c, k) for k in range(3)]


def curve(port, seed, size=1.0):
    rng = np.random.default_rng(seed)
    return Curve(port, size * rng.uniform(-1.0, 1.0, (4, port.size)))


def difference(f, t, h=2e-2):
    """f'(t), central, eighth order."""
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    return sum(w * (f(t + k * h) - f(t - k * h)) for k, w in weights.items()) / h


def pushed(m, port, j, by):
    """The motion with dof j moved; a frame's rotations as a turn in world axes."""
    step = by * np.eye(port.size)[j]
    if not port.frame:
        return Motion(m.x + step, m.v, m.a)
    turn = rot.product(rot.exp(step[3:]), m.turn)
    return Motion(m.x + step[:3], m.v, m.a, turn)
