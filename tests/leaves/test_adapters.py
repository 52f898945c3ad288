"""Codes that only know save, restore and step; equations in ten lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Motion, Rejected, Serialising, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.leaves import Checkpointed, FunctionLeaf
from bondline.numerics import Adaptive
from tests.gluing.parts import glue, mass


class Machine:
    """A mass that lives in one place and moves there."""

    def __init__(self, leaf):
        self.leaf, self.now = leaf, leaf.start(0.0)

    def save(self):
        return self.now

    def restore(self, checkpoint):
        self.now = checkpoint

    def step(self, window, inputs):
        self.now = self.leaf.advance(self.now.state, window, inputs)

    def read(self, port):
        return self.now.outputs[port]


def run(*parts):
    model = glue(*parts)
    step, seen = model.start(0.0), []
    for n in range(30):
        step = model.advance(step.state, uniform(0.0, 0.01, n), {})
        seen.append(step.state.motions[model.connections[0].ends[0]].x[0])
    return seen


def test_a_stateful_code_glues_like_any_other():
    a, b = mass("a", 1.0, 40.0, 0.1), mass("b", 2.0, hard=9.0, x0=0.1)
    wound = Checkpointed("b", b.ports, Machine(b))
    first = run(a, wound)
    assert first == pytest.approx(run(a, b), abs=1e-9)
    assert run(a, wound) == first  # it starts where it came from, every time
    assert not isinstance(wound, Serialising)
    assert not wound.capabilities.serialises


def test_a_function_leaf_follows_its_equations():
    leaf = mass("m", 2.0, k=8.0, x0=1.0)
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.7), {})
    assert done.outputs["end"].x == pytest.approx([np.cos(1.4)], abs=1e-6)
    assert done.outputs["end"].a == pytest.approx([-4 * np.cos(1.4)], abs=1e-5)
    assert leaf.observe(done.state)["v"].value == pytest.approx(-2 * np.sin(1.4), 1e-5)


def test_equations_that_blow_up_are_rejected_with_a_shorter_window():
    leaf = FunctionLeaf(
        "bomb",
        [1.0],
        {"end": ("x",)},
        lambda t, y, f: [y[0] ** 2],
        lambda t, y, dy: {"end": ([y[0]], [dy[0]], [0.0])},
        integrate=Adaptive(),
    )
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 2.0), {})
    assert isinstance(done, Rejected)
    assert done.model == "bomb"
    assert "gave up" in done.reason
    assert done.until == 1.0


def test_forces_are_polynomials_of_time():
    leaf = mass("m")
    ramp = {"end": Signal(np.array([[0.0], [6.0]]))}
    done = leaf.advance(leaf.start(0.0).state, Window(2.0, 3.0), ramp)
    assert isinstance(done.outputs["end"], Motion)
    assert done.outputs["end"].x == pytest.approx([1.0])


def shows(**levels):
    return {"motion": lambda t, y, dy: levels}


@pytest.mark.parametrize(
    ("wrong", "place", "finding", "remedy"),
    [
        ({"rate": lambda t, y, f: [0.0]}, "rate", "[0.0] for a state of 2", "Return 2"),
        ({"rate": lambda t, y, f: None}, "rate", "None for a state of 2", "Return 2"),
        ({"publish": "xvw"}, "publish", "3 names", "first entries"),
        (shows(end=(0, 0, 0)), "of end", "[(), ", "lists of 1"),
        (shows(end=([0], [0])), "of end", "(1,)", "left out"),
        (shows(tip=([0], [0], [0])), "motion", "tip", "'end'"),
    ],
)
def test_functions_that_do_not_fit_are_refused(wrong, place, finding, remedy):
    with pytest.raises(SettingError) as caught:
        replace(mass("m"), **wrong).start(0.0)
    assert caught.value.place.startswith("m: ")
    assert place in caught.value.place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_published_values_may_have_units():
    leaf = replace(mass("m", x0=0.2), publish={"x": "m", "v": "m/s"})
    seen = leaf.observe(leaf.start(0.0).state)
    assert (seen["x"].value, seen["v"].unit) == (0.2, "m/s")
