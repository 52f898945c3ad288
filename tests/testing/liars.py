"""Leaves with one fault each."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Effort,
    Energy,
    Flexibility,
    Motion,
    Port,
    Rejected,
    Signal,
)
from bondline.leaves import (
    FreeBar,
    FunctionLeaf,
    PinnedBar,
    chain,
)
from tests.testing.honest import (
    Machine,
    lying,
    moved,
    retold,
    spring,
    without,
)


class ForgetsVelocity(Machine):
    forgets = ("v",)


class ForgetsPosition(Machine):
    forgets = ("x",)


class ForgetsHistory(Machine):
    """Its force lags a step behind, and where it was is not restored."""

    forgets = ("last",)

    def __init__(self):
        super().__init__()
        self.now["last"] = 0.0

    def force(self, inputs, s):
        last, self.now["last"] = self.now["last"], super().force(inputs, s)
        return last


def counting():
    calls, leaf = count(), spring()

    def advance(state, window, inputs):
        return leaf.advance(state + 1e-9 * next(calls), window, inputs)

    return lying(leaf, advance=advance)


def rewriting():
    leaf = spring()

    def advance(state, window, inputs):
        done = leaf.advance(state, window, inputs)
        state[:] = done.state
        return done

    return lying(leaf, advance=advance)


def sharing():
    """Its outputs are always the same array."""
    shared = np.zeros(1)

    def tell(done):
        shared[:] = done.outputs["end"].x
        return replace(done, outputs={"end": replace(done.outputs["end"], x=shared)})

    return retold(spring(), tell)


def noisy():
    rng = np.random.default_rng(7)
    return retold(spring(), moved(v=lambda m: m.v + 1e-9 * rng.normal(size=1)))


def restless():
    """A start winds everybody back."""
    leaf, bias = spring(), [0.0]

    def start(t0):
        bias[0] = t0
        return leaf.start(t0)

    def advance(state, window, inputs):
        return leaf.advance(state + bias[0], window, inputs)

    return lying(leaf, start=start, advance=advance)


def drops():
    leaf = chain("row", damping=2.0)

    def dump(state):
        kept = state.copy()
        kept[-3:] = 0.0
        return leaf.dump(kept)

    return lying(leaf, dump=dump)


def early():
    """Says one step, but sees the middle of the window."""
    leaf = chain("row", steps=2)
    return lying(leaf, capabilities=replace(leaf.capabilities, one_step=True))


def off_by(percent):
    leaf = chain("row", damping=2.0)

    def linearise(state, window, inputs):
        G = leaf.linearise(state, window, inputs)
        blocks = {key: block.copy() for key, block in G.blocks.items()}
        blocks["left", "left"][1] *= 1.0 + percent / 100.0
        return Flexibility(blocks, G.solves)

    return lying(leaf, linearise=linearise)


def half_realised():
    leaf = chain("row", damping=2.0)

    def realise(response, inputs):
        less = {n: Signal(0.5 * s.coefficients) for n, s in inputs.items()}
        return leaf.realise(response, less)

    return lying(leaf, realise=realise)


BLOCKS = ("impulse", "respond_block", "try_block", "settle_block")


def in_blocks(leaf, **lies):
    return lying(leaf, **{name: getattr(leaf, name) for name in BLOCKS} | lies)


def half_settled():
    leaf = chain("row", damping=2.0)

    def try_block(response, more, ahead=None, before=None):
        less = [
            {n: Signal(0.5 * s.coefficients) for n, s in inputs.items()}
            for inputs in more
        ]
        return leaf.try_block(response, less, ahead, before)

    def settle_block(settling, ahead=None):
        tried = settling.trial
        return leaf.settle_block(replace(settling, more=tried.inside.more), ahead)

    return in_blocks(leaf, try_block=try_block, settle_block=settle_block)


def muted():
    """Rings as if it were damped more than it is."""
    leaf, other = chain("row", damping=2.0), chain("row", damping=20.0)
    return in_blocks(leaf, impulse=other.impulse)


def kinetic_only():
    """Reports no potential energy."""

    def tell(done):
        kinetic = float(done.outputs["A"].v @ done.outputs["A"].v) / 6.0
        return replace(done, energy=Energy(kinetic, supplied=done.energy.supplied))

    return retold(PinnedBar("bar", gravity=9.81, angle=0.7), tell)


def raising():
    leaf = spring()

    def advance(state, window, inputs):
        if window.h > 0.1:
            raise RuntimeError("the solver gave up")
        return leaf.advance(state, window, inputs)

    return lying(leaf, advance=advance)


def scarred():
    """Rejects politely, but never recovers."""
    leaf, hurt = spring(), [0.0]

    def advance(state, window, inputs):
        if window.h > 0.1:
            hurt[0] = 1e-6
            return Rejected("spring", "too long")
        return leaf.advance(state + hurt[0], window, inputs)

    return lying(leaf, advance=advance)


def deaf(answer=lambda at, told: Effort(np.zeros(1), at)):
    """Takes motion, and stays where it is."""
    port = Port("end", ("x",), causality=Causality.MOTION_IN)
    here = Motion(np.zeros(1), np.zeros(1), np.zeros(1))

    def shown(told):
        return Advance(None, {"end": answer(here, told)})

    return SimpleNamespace(
        name="deaf",
        ports={"end": port},
        parameters={},
        capabilities=Capabilities(serialises=False),
        start=lambda t0: Advance(None, {"end": Effort(np.zeros(1), here)}),
        advance=lambda state, window, inputs: shown(inputs["end"]),
    )


def pressed(change):
    leaf = PinnedBar("bar", gravity=9.81, angle=0.7)

    def press(state, t, forces):
        done = leaf.press(state, t, forces)
        return replace(done, outputs={"A": change(done.outputs["A"])})

    return lying(leaf, press=press)


def misplaced():
    leaf = FreeBar("bar", angle=0.3)

    def place(state, port, at):
        return leaf.place(state, port, replace(at, v=0.0 * at.v))

    return lying(leaf, place=place)


def unbalanced():
    leaf = chain("row", wall=100.0)

    def equilibrium(state, load_factor, inputs, springs):
        more = {n: 1.01 * f for n, f in inputs.items()}
        return leaf.equilibrium(state, load_factor, more, springs)

    return lying(leaf, equilibrium=equilibrium)


def linear(leaf):
    return replace(leaf, capabilities=Capabilities(linear=True))


def half_pace():
    """One implicit Euler step a window that nobody declared."""

    def advance(state, window, inputs):
        f = inputs["end"].end[0] if "end" in inputs else 0.0
        x, v = state
        v = (v + window.h * (f - 40.0 * x)) / (1.0 + 40.0 * window.h**2)
        x = x + window.h * v
        levels = (np.array([y]) for y in (x, v, f - 40.0 * x))
        return Advance(np.array([x, v]), {"end": Motion(*levels)})

    return lying(without(lying(spring()), "press", "kick"), advance=advance)


def pushed_back():
    """Its force acts the wrong way round."""

    def rate(t, y, f):
        return [y[1], -f["end"][0] - 40.0 * y[0] - y[0] ** 3]

    return replace(spring(), rate=rate)


def twisted():
    """A force along x drives y as well, not the other way round."""

    def rate(t, y, f):
        fx, fy = f["end"]
        return [y[2], y[3], fx - y[0] ** 3, fy + 0.5 * fx]

    def motion(t, y, dy):
        return {"end": (y[:2], y[2:], dy[2:])}

    return FunctionLeaf("twisted", [0.1, 0, 0, 0], {"end": ("x", "y")}, rate, motion)
