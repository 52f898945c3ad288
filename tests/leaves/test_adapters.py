"""Codes that only know save, restore and step; equations in ten lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Motion, Rejected, Serialising, Signal, Window, uniform
from bondline.errors import NonFinite, SettingError
from bondline.leaves import Checkpointed, Crank, FunctionLeaf
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


class Falling(Machine):
    """A machine whose step does what it is told."""

    def __init__(self, leaf, does):
        super().__init__(leaf)
        self.does = does

    def step(self, window, inputs):
        super().step(window, inputs)
        self.does(self)


def wound(does):
    m = mass("m", 2.0)
    return Checkpointed("m", m.ports, Falling(m, does))


def fall(error):
    def does(machine):
        raise error

    return does


@pytest.mark.parametrize(
    "error", [RuntimeError("step 7 failed"), Exception("step 7 failed"), OSError(7)]
)
def test_a_step_that_raises_is_a_rejected_window(error):
    leaf = wound(fall(error))
    no = leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {})
    assert isinstance(no, Rejected)
    assert (no.model, no.until, no.error) == ("m", 0.5, None)
    assert no.reason == f"its code gave up: {type(error).__name__}: {error}"


def test_an_error_of_ours_travels_with_the_rejection():
    error = SettingError("m: gain", "it is 3.", "Take 2.")
    leaf = wound(fall(error))
    no = leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {})
    assert no.error is error


def test_a_mistake_in_the_code_is_raised():
    leaf = wound(lambda machine: machine.nothing)
    with pytest.raises(AttributeError, match="nothing"):
        leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {})


def show(**levels):
    def does(machine):
        at = replace(machine.now.outputs["end"], **levels)
        machine.now = replace(machine.now, outputs={"end": at})

    return does


@pytest.mark.parametrize("level", ["x", "v", "a"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_an_answer_that_is_not_finite_is_rejected_at_its_port(level, value):
    leaf = wound(show(**{level: np.array([value])}))
    no = leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {})
    assert isinstance(no, Rejected)
    assert (no.model, no.until) == ("m", 0.5)
    assert isinstance(no.error, NonFinite)
    assert no.error.place == "m, window to t = 1 s"
    assert no.error.finding == "port end shows a number that is not finite."
    assert "--step" in no.error.remedy


def test_a_rejected_step_leaves_nothing_behind():
    m = mass("m", 2.0, k=8.0, x0=1.0)
    machine = Falling(m, lambda machine: None)
    leaf, w = Checkpointed("m", m.ports, machine), Window(0.0, 0.1)
    state = leaf.start(0.0).state
    before = leaf.advance(state, w, {}).outputs["end"].x.tolist()
    machine.does = fall(RuntimeError())
    assert isinstance(leaf.advance(state, w, {}), Rejected)
    machine.does = lambda machine: None
    assert leaf.advance(state, w, {}).outputs["end"].x.tolist() == before


def hollow(**more):
    """Equations that answer with infinity and raise nothing."""
    given = {
        "rate": lambda t, y, f: [y[1], 0.0],
        "motion": lambda t, y, dy: {"end": ([y[0]], [y[1]], [dy[1]])},
    }
    return FunctionLeaf("far", [0.0, 0.0], {"end": ("x",)}, **{**given, **more})


def test_equations_that_run_away_silently_are_rejected_at_the_port():
    def far(t, y, dy):
        return {"end": ([y[0]], [np.inf if t else 0.0], [dy[1]])}

    leaf = hollow(motion=far)
    no = leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {})
    assert isinstance(no, Rejected)
    assert no.reason == "port end shows a number that is not finite."
    assert isinstance(no.error, NonFinite)


def test_a_state_that_runs_away_unseen_is_rejected():
    leaf = hollow(
        rate=lambda t, y, f: [0.0, np.inf],
        motion=lambda t, y, dy: {"end": ([y[0]], [0.0], [0.0])},
    )
    no = leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {})
    assert isinstance(no, Rejected)
    assert no.reason == "its state holds a number that is not finite."


def test_a_crank_that_turns_too_fast_hands_no_nan_up():
    leaf = Crank("c", crank_spin=1e150)
    with np.errstate(all="ignore"):
        no = leaf.advance(leaf.start(0.0).state, Window(0.0, 50.0), {})
    assert isinstance(no, Rejected)
    assert no.until == 25.0
