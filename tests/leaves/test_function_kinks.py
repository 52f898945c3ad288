"""A differential equation of one's own whose right side jumps keeps its order."""

import numpy as np
import pytest

from bondline.core import Breaking, Window, uniform
from bondline.gluing import glue
from bondline.leaves import FunctionLeaf

JUMP, FORCE = 0.1371, 200.0
WRITTEN = {
    ">=": lambda t: FORCE * (t >= JUMP),
    ">": lambda t: FORCE * (t > JUMP),
}


def spring(name, mass, stiffness, load=lambda t: 0.0, kinks=()):
    return FunctionLeaf(
        name,
        y0=[0.0, 0.0],
        dofs={"e": ("x",)},
        rate=lambda t, y, f: [y[1], (load(t) + f["e"][0] - stiffness * y[0]) / mass],
        motion=lambda t, y, dy: {"e": ([y[0]], [y[1]], [dy[1]])},
        publish=["x"],
        kinks=kinks,
    )


def exact(t):
    return FORCE / 400.0 * (1.0 - np.cos(np.sqrt(400.0 / 3.0) * (t - JUMP)))


def error(model, h, end=0.4):
    step = model.start(0.0)
    for n in range(round(end / h)):
        step = model.advance(step.state, uniform(0.0, h, n), {})
    return abs(model.observe(step.state)["a.x"].value - exact(end))


def test_it_tells_its_kinks():
    leaf = spring("a", 1.0, 1.0, kinks=(0.3, 0.0, 0.1, 0.7))
    assert isinstance(leaf, Breaking)
    assert leaf.breaks(Window(0.0, 0.7)) == [0.1, 0.3]


@pytest.mark.parametrize("load", WRITTEN.values(), ids=WRITTEN.keys())
@pytest.mark.parametrize("off", [-1e-13, 0.0, 1e-13])
def test_each_window_sees_one_side(load, off):
    leaf = spring("a", 3.0, 400.0, load, (JUMP,))
    before = leaf.advance(np.zeros(2), Window(0.1, JUMP + off), {})
    assert not before.state.any()
    assert before.outputs["e"].a[0] == 0.0
    after = leaf.advance(np.zeros(2), Window(JUMP + off, 0.15), {})
    always = spring("a", 3.0, 400.0, lambda t: FORCE)
    wanted = always.advance(np.zeros(2), Window(JUMP + off, 0.15), {})
    assert np.array_equal(after.state, wanted.state)


def test_alone_it_stops_at_the_jump():
    leaf = spring("a", 3.0, 400.0, WRITTEN[">="], (JUMP,))
    whole = leaf.advance(np.zeros(2), Window(0.1, 0.15), {})
    halves = leaf.advance(np.zeros(2), Window(0.1, JUMP), {})
    halves = leaf.advance(halves.state, Window(JUMP, 0.15), {})
    assert np.array_equal(whole.state, halves.state)


@pytest.mark.parametrize("load", WRITTEN.values(), ids=WRITTEN.keys())
@pytest.mark.parametrize("scheme", ["constant/e", "linear-discontinuous/e,v"])
def test_glued_it_keeps_its_order_through_a_jump(load, scheme):
    parts = [spring("a", 1.0, 100.0, load, (JUMP,)), spring("b", 2.0, 300.0)]
    model = glue("m", parts, {"J": ("a.e", "b.e")}, scheme=scheme)
    errors = [error(model, h) for h in (0.02, 0.01, 0.005)]
    least = 3.5 if scheme == "constant/e" else 8.0
    assert errors[0] > least * errors[1] > least**2 * errors[2]
    assert errors[0] < 1e-6
