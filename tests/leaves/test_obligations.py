"""The obligations of a subsystem, in its own words, for every leaf."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Serialising, Signal, Window
from bondline.leaves import Checkpointed, FreeBar, PinnedBar, chain
from tests.gluing.parts import mass
from tests.leaves.test_adapters import Machine


def wound():
    leaf = mass("w", k=20.0, x0=0.3, hard=4.0)
    return Checkpointed("w", leaf.ports, Machine(leaf))


LEAVES = {
    "pinned": PinnedBar("p", angle=0.4, gravity=9.81, torque=3.0),
    "free": FreeBar("f", angle=-0.7, gravity=9.81),
    "chain": chain("c", stiffness=90.0, damping=2.0, force=3.0),
    "fine chain": chain("c", stiffness=90.0, damping=2.0, force=3.0, steps=7),
    "function": mass("m", k=20.0, x0=0.3, hard=4.0),
    "checkpointed": wound(),
}


@pytest.fixture(params=LEAVES)
def leaf(request):
    return LEAVES[request.param]


def push(leaf, size):
    name, port = next(iter(leaf.ports.items()))
    return {name: Signal(size * np.arange(1.0, 2 * port.size + 1).reshape(2, -1))}


def bits(advance):
    levels = [(m.x, m.v, m.a) for m in advance.outputs.values()]
    return [None if x is None else x.tobytes() for m in levels for x in m]


W = Window(0.1, 0.15)


def test_advance_does_not_remember_the_call(leaf):
    state = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.1), {}).state
    first = bits(leaf.advance(state, W, push(leaf, 1.0)))
    leaf.advance(state, W, push(leaf, -50.0))
    leaf.start(0.0)
    assert bits(leaf.advance(state, W, push(leaf, 1.0))) == first


def test_a_state_is_never_changed_in_place(leaf):
    state = leaf.start(0.0).state
    if isinstance(state, np.ndarray):  # else it belongs to the code behind it
        state.setflags(write=False)
    after = leaf.advance(state, W, push(leaf, 1.0)).state
    assert after is not state


def test_a_port_without_an_input_feels_no_force(leaf):
    state = leaf.start(0.0).state
    free, none = leaf.advance(state, W, {}), leaf.advance(state, W, push(leaf, 0.0))
    assert bits(free) == bits(none)


def test_what_says_it_serialises_does(leaf):
    assert leaf.capabilities.serialises == isinstance(leaf, Serialising)
    if isinstance(leaf, Serialising):
        state = leaf.advance(leaf.start(0.0).state, W, push(leaf, 2.0)).state
        again = leaf.load(leaf.dump(state))
        assert bits(leaf.advance(again, W, {})) == bits(leaf.advance(state, W, {}))
