"""Leaves that tell the truth, and ways to make them lie."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Motion,
    Port,
    Rejected,
)
from bondline.leaves import (
    Checkpointed,
    FunctionLeaf,
    Structure,
)
from bondline.numerics import LinearSystem

SAID = ("name", "ports", "parameters", "capabilities", "start", "advance", "dump")
SAID += ("load", "linearise", "respond", "realise", "press", "place", "breaks")
SAID += ("equilibrium", "kick", "compliance", "receptance")


def lying(leaf, **lies):
    """The leaf, but for what is given."""
    told = {name: getattr(leaf, name) for name in SAID if hasattr(leaf, name)}
    return SimpleNamespace(**{**told, **lies})


def without(leaf, *names):
    """The leaf without some abilities."""
    return SimpleNamespace(**{n: v for n, v in vars(leaf).items() if n not in names})


def retold(leaf, tell):
    """The leaf with all that it shows passed through `tell`."""

    def advance(state, window, inputs):
        done = leaf.advance(state, window, inputs)
        return done if isinstance(done, Rejected) else tell(done)

    lies = {"start": lambda t0: tell(leaf.start(t0)), "advance": advance}
    if hasattr(leaf, "press"):
        lies["press"] = lambda *args: tell(leaf.press(*args))
    return lying(leaf, **lies)


def moved(**changes):
    """Every port shows other levels: `v=lambda m: -m.v`."""

    def tell(done):
        shown = {
            name: replace(m, **{level: f(m) for level, f in changes.items()})
            for name, m in done.outputs.items()
        }
        return replace(done, outputs=shown)

    return tell


def spring(name="spring", hard=0.0, **more):
    """A mass on a spring that hardens."""

    def rate(t, y, f):
        return [y[1], (f["end"][0] - 40.0 * y[0] - hard * y[0] ** 3) / 2.0]

    def motion(t, y, dy):
        return {"end": ([y[0]], [y[1]], [dy[1]])}

    return FunctionLeaf(name, [0.1, 0.0], {"end": ("x",)}, rate, motion, **more)


class Machine:
    """An old code: a mass on a spring, everything inside, small Euler steps."""

    forgets = ()

    def __init__(self):
        self.now = {"x": 0.1, "v": 0.0, "f": 0.0}

    def save(self):
        return dict(self.now)

    def restore(self, checkpoint):
        kept = {n: y for n, y in checkpoint.items() if n not in self.forgets}
        self.now.update(kept)

    def step(self, window, inputs):
        now, n = self.now, 64
        for k in range(n):
            now["f"] = self.force(inputs, (k + 1) / n)
            v = now["v"] + window.h / n * (now["f"] - 40.0 * now["x"])
            now["x"] += window.h / n * 0.5 * (now["v"] + v)
            now["v"] = v

    def force(self, inputs, s):
        return float(inputs["end"].at(s)[0]) if "end" in inputs else 0.0

    def read(self, port):
        now = self.now
        a = now["f"] - 40.0 * now["x"]
        return Motion(*(np.array([y]) for y in (now["x"], now["v"], a)))


def wound(machine):
    return Checkpointed("old code", {"end": Port("end", ("x",))}, machine())


def spinner(length=1.0):
    """A frame that turns about z under a moment; `length` of its quaternion."""
    port = Port("hub", ("x", "y", "z", "rx", "ry", "rz"), frame=True)

    def shown(state, f):
        x, angle, v, spin = state[:3], state[3], state[4:7], state[7]
        turn = length * np.array([np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)])
        twist, rate = np.zeros(6), np.zeros(6)
        twist[:3], twist[5], rate[:3], rate[5] = v, spin, f[:3] / 2.0, f[5] / 3.0
        return Advance(state, {"hub": Motion(x, twist, rate, turn)})

    def advance(state, window, inputs):
        now, h = state, window.h / 32
        for k in range(32):
            s = (k + 0.5) / 32
            f = inputs["hub"].at(s) if "hub" in inputs else np.zeros(6)
            a = np.array([*f[:3] / 2.0, f[5] / 3.0])
            rest = now[:4] + h * now[4:] + h**2 / 2 * a
            now = np.concatenate([rest, now[4:] + h * a])
        end = inputs["hub"].end if "hub" in inputs else np.zeros(6)
        return shown(now, end)

    return SimpleNamespace(
        name="spinner",
        ports={"hub": port},
        parameters={},
        capabilities=Capabilities(serialises=False),
        start=lambda t0: shown(np.array([0, 0, 0, 0.4, 0, 0, 0, 0.5]), np.zeros(6)),
        advance=advance,
    )


def held():
    """Takes force at one end, motion at the other."""
    K = 100.0 * np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
    ports = {"a": Port("a", ("x",)), "b": Port("b", ("x",))}
    ports["b"] = replace(ports["b"], causality=Causality.MOTION_IN)
    ends = {"a": np.eye(3)[[0]], "b": np.eye(3)[[2]]}
    return Structure("held", LinearSystem(np.eye(3), 0.01 * K, K), ends, ports)
