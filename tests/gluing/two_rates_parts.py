"""A slow mass on a soft spring, a fast pair of masses on it, and the exact motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

from bondline.core import Capabilities, uniform
from bondline.gluing import Newton, TwoRates, glue
from bondline.leaves import FunctionLeaf
from bondline.numerics import FixedStep

LINEAR = Capabilities(linear=True)


def slow(M=1.0, k=10.0, x=0.1, name="slow", **more):
    """Port `p`; `q` is the same point again."""
    return FunctionLeaf(
        name,
        [x, 0.0],
        {"p": ("x",), "q": ("x",)},
        lambda t, y, f: [y[1], (f["p"][0] + f["q"][0] - k * y[0]) / M],
        lambda t, y, d: dict.fromkeys("pq", ([y[0]], [y[1]], [d[1]])),
        publish=["x"],
        capabilities=more.pop("capabilities", LINEAR),
        integrate=FixedStep(4),
        **more,
    )


def fast(m=0.5, m2=0.5, k2=3000.0, x=0.1, name="fast", **more):
    """Port `p` on the mass m; m2 hangs on it by a stiff spring, with port `end`."""
    return FunctionLeaf(
        name,
        [x, 0.0, x + 0.01, 0.0],
        {"p": ("x",), "end": ("x",)},
        lambda t, y, f: [
            y[1],
            (f["p"][0] - k2 * (y[0] - y[2])) / m,
            y[3],
            (f["end"][0] + k2 * (y[0] - y[2])) / m2,
        ],
        lambda t, y, d: {"p": (y[:1], y[1:2], d[1:2]), "end": (y[2:3], y[3:], d[3:])},
        publish=["x"],
        capabilities=LINEAR,
        integrate=FixedStep(2),
        **more,
    )


@dataclass(frozen=True)
class Pair:
    """Masses and springs of both."""

    M: float = 1.0
    k: float = 10.0
    m: float = 0.5
    m2: float = 0.5
    k2: float = 3000.0

    @property
    def A(self):
        both = self.M + self.m
        return np.array(
            [
                [0, 1, 0, 0],
                [-(self.k + self.k2) / both, 0, self.k2 / both, 0],
                [0, 0, 0, 1],
                [self.k2 / self.m2, 0, -self.k2 / self.m2, 0],
            ]
        )

    @property
    def omega(self):
        """The coupled frequency, rad/s."""
        return np.abs(np.linalg.eigvals(self.A)).max()

    def exact(self, t):
        """x of both masses."""
        return (expm(self.A * t) @ [0.1, 0.0, 0.11, 0.0])[[0, 2]]

    def glued(self, coupling=None, tolerance=1e-12, wrap=lambda part: part, **how):
        parts = [
            wrap(slow(self.M, self.k)),
            fast(self.m, self.m2, self.k2),
        ]
        chosen = coupling or TwoRates("fast", **how)
        ends = {"J": ("slow.p", "fast.p")}
        solver = Newton(tolerance=tolerance)
        shown = {"q": "slow.q", "end": "fast.end"}
        return glue("both", parts, ends, coupling=chosen, solver=solver, exports=shown)


def run(model, H, windows, inputs=None, now=None, first=0):
    """Every advance."""
    now, found = now or model.start(0.0), []
    for n in range(first, first + windows):
        now = model.advance(now.state, uniform(0.0, H, n), inputs or {})
        found.append(now)
    return found


def error(pair, model, H, T):
    """Of the slow mass and the far one, at all ends of windows."""
    worst = 0.0
    for n, done in enumerate(run(model, H, round(T / H)), start=1):
        x = [done.state.parts["slow"][0], done.state.parts["fast"][2]]
        worst = max(worst, np.abs(x - pair.exact(n * H)).max())
    return worst
