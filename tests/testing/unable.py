"""Leaves whose abilities, one each, say something else than they do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bondline.core import Flexibility, Port, Receptance, Window
from bondline.gluing import glue
from bondline.leaves import PinnedBar, Structure, chain
from bondline.numerics import LinearSystem
from tests.testing.honest import held, lying, spring


def struck(times):
    """A kick of another size on the left."""
    leaf = chain("row", wall=100.0)

    def kick(state, t, impulses):
        return leaf.kick(state, t, {**impulses, "left": times * impulses["left"]})

    return lying(leaf, kick=kick)


def shoved():
    """A kick that moves it."""
    leaf = PinnedBar("bar", gravity=9.81, angle=0.7)

    def kick(state, t, impulses):
        return leaf.kick(state + np.array([1e-3, 0.0]), t, impulses)

    return lying(leaf, kick=kick)


def unmoved():
    """It shows the velocity after the kick, and forgets it."""
    leaf = spring()

    def kick(state, t, impulses):
        return replace(leaf.kick(state, t, impulses), state=state)

    return lying(leaf, kick=kick)


def stiff():
    """It answers to forces within a nanosecond."""
    return chain("row", damping=1e9, wall=100.0)


def pressed_stiff():
    """Its accelerations under forces are 2 % off."""
    leaf = stiff()

    def press(state, t, forces):
        done = leaf.press(state, t, forces)
        shown = {n: replace(m, a=1.02 * m.a) for n, m in done.outputs.items()}
        return replace(done, outputs=shown)

    return lying(leaf, press=press)


def unmoved_stiff():
    """It shows the velocity after a kick, and goes on with 0.95 of it."""
    leaf = stiff()

    def kick(state, t, impulses):
        less = {n: 0.95 * p for n, p in impulses.items()}
        return replace(
            leaf.kick(state, t, impulses), state=leaf.kick(state, t, less).state
        )

    return lying(leaf, kick=kick)


def struck_blind():
    """No accelerations to compare with: short windows must do."""
    leaf = replace(spring(), motion=lambda t, y, dy: {"end": ([y[0]], [y[1]])})
    can = replace(leaf.capabilities, acceleration=False)
    leaf = replace(leaf, capabilities=can)

    def kick(state, t, impulses):
        return leaf.kick(state, t, {n: 1.1 * p for n, p in impulses.items()})

    return lying(leaf, kick=kick)


def resounding(tell, leaf=None):
    """Its receptance passes through `tell`, with ω and whether it is damped."""
    leaf = leaf or chain("row", damping=2.0, wall=100.0)

    def receptance(omega, damped=True):
        return tell(leaf.receptance(omega, damped), omega, damped)

    return lying(leaf, receptance=receptance)


def blocks(found, change):
    return replace(found, blocks={key: change(b) for key, b in found.blocks.items()})


def louder(times):
    return resounding(lambda H, *_: blocks(H, lambda b: times * b))


def lossy():
    """Damped where it should not be."""
    leaf = chain("row", damping=2.0, wall=100.0)

    def receptance(omega, damped=True):
        found, count = leaf.receptance(omega), leaf.receptance(omega, False)
        return Receptance(found.blocks, None if damped else count.below)

    return lying(leaf, receptance=receptance)


def stiffer():
    """The receptance of another row: right at high frequency only."""
    other = chain("other", stiffness=200.0, wall=300.0)
    leaf = chain("row", wall=100.0)
    return lying(leaf, receptance=other.receptance)


def lopsided():
    """A force on the left moves the right more than the other way round."""

    def tell(H, *_):
        twice = {("right", "left"): 2.0 * H.blocks["right", "left"]}
        return replace(H, blocks={**H.blocks, **twice})

    return resounding(tell)


def counting_modes(below, leaf=None):
    def tell(H, omega, damped):
        return H if damped else replace(H, below=below(omega, H.below))

    return resounding(tell, leaf)


def yielding(change):
    """A compliance of another size."""
    leaf = chain("row", wall=100.0)

    def compliance(state, springs):
        found = leaf.compliance(state, springs)
        return Flexibility({k: change(k, b) for k, b in found.blocks.items()}, 0)

    return lying(leaf, compliance=compliance)


def led(change):
    """Its blocks of G with a port that takes motion are wrong."""
    leaf = held()

    def linearise(state, window, inputs):
        G = leaf.linearise(state, window, inputs)
        return Flexibility({k: change(k, b) for k, b in G.blocks.items()}, G.solves)

    return lying(leaf, linearise=linearise)


def kinked(name="kinked", jump=0.073, steps=1):
    """A mass on a spring, under a load that sets in."""
    one = np.ones((1, 1))
    return Structure(
        name,
        LinearSystem(one, 0.1 * one, 40.0 * one),
        {"end": [0]},
        {"end": Port("end", ("x",))},
        external=lambda t: np.full(1, 5.0 * (t >= jump)),
        kinks=(jump,),
        steps=steps,
    )


def kinked_rows():
    """Glued: `advance` cuts its windows where the load sets in."""
    parts = [kinked(), chain("b", damping=2.0)]
    ends = {"right": "b.right"}
    return glue("kinked", parts, {"A": ("kinked.end", "b.left")}, exports=ends)


def blurred():
    """Its superposition goes over the kink that its `advance` stops at."""
    leaf = kinked()

    def advance(state, window, inputs):
        done, at = None, window.t0
        for t in (*leaf.breaks(window), window.t1):
            s0, s1 = ((each - window.t0) / window.h for each in (at, t))
            here = {n: signal.part(s0, s1) for n, signal in inputs.items()}
            done = leaf.advance(state, Window(at, t), here)
            state, at = done.state, t
        return done

    return lying(leaf, advance=advance)
