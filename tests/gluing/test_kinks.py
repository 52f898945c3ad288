"""Where a load jumps, joint forces and accelerations start anew."""

from dataclasses import replace
from math import inf, nextafter

import numpy as np
import pytest

from bondline.core import Causality, Port, Signal, Window, uniform
from bondline.gluing import Pace, glue
from bondline.gluing.restarting import agree, press_all, unmoved
from bondline.leaves import Structure
from bondline.numerics import LinearSystem

FORCE = 200.0


def jumping(jump, written=">="):
    above = {">": lambda t: t > jump, ">=": lambda t: t >= jump}[written]
    return {"external": lambda t: np.array([FORCE * above(t)]), "kinks": (jump,)}


def spring(name, mass, stiffness, steps=1, led=False, **more):
    system = LinearSystem(*(np.array([[x]]) for x in (mass, 0.0, stiffness)))
    way = Causality.MOTION_IN if led else Causality.FORCE_IN
    ports = {"e": Port("e", ("x",), causality=way)}
    more |= {"steps": steps, "publish": {"x": 0}}
    return Structure(name, system, {"e": [0]}, ports, **more)


def flat(jump, written=">=", steps=1, led=(False, False), coupling="auto"):
    a = spring("a", 1.0, 100.0, steps, led[0], **jumping(jump, written))
    b = spring("b", 2.0, 300.0, steps, led[1])
    return glue("m", [a, b], {"J": ("a.e", "b.e")}, coupling=coupling)


def nested(jump, written=">=", steps=1, between=lambda part: part):
    a = spring("a", 0.4, 60.0, steps, **jumping(jump, written))
    c = between(spring("c", 0.6, 40.0, steps))
    inner = glue("a", [a, c], {"I": ("a.e", "c.e")}, exports={"e": "c.e"})
    parts = [inner, spring("b", 2.0, 300.0, steps)]
    return glue("m", parts, {"J": ("a.e", "b.e")})


def exact(t, jump):
    since = max(0.0, t - jump)
    return FORCE / 400.0 * (1.0 - np.cos(np.sqrt(400.0 / 3.0) * since))


def steps_of(model, h, end=0.4):
    step = model.start(0.0)
    for n in range(round(end / h)):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        yield (n + 1) * h, step


def error(model, h, jump):
    return max(
        abs(model.observe(step.state)["b.x"].value - exact(t, jump))
        for t, step in steps_of(model, h)
    )


@pytest.mark.quick(4)
@pytest.mark.parametrize("make", [flat, nested])
@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize("written", [">=", ">"])
@pytest.mark.parametrize("jump", [0.1371, 0.13, 0.0])
def test_second_order_through_a_jump(make, steps, written, jump):
    model = make(jump, written, steps)
    errors = [error(model, h, jump) for h in (0.01, 0.005)]
    assert errors[0] > 3.7 * errors[1]
    assert errors[0] < 3e-3 / steps**2


@pytest.mark.parametrize(
    ("coupling", "led"),
    [("X-X", (True, True)), ("X-T", (True, False)), ("X-T", (False, True))],
)
@pytest.mark.parametrize("jump", [0.1371, 0.13])
def test_second_order_where_motions_are_exchanged(coupling, led, jump):
    model = flat(jump, led=led, coupling=coupling)
    errors = [error(model, h, jump) for h in (0.01, 0.005)]
    assert errors[0] > 3.7 * errors[1]


@pytest.mark.parametrize("jump", [0.1371, 0.13])
def test_energy_is_what_the_load_has_supplied(jump):
    supplied, step = 0.0, None
    for _, step in steps_of(flat(jump), 0.01):
        supplied += step.energy.supplied
    assert step.energy.stored == pytest.approx(supplied, rel=1e-9)
    assert supplied > 1.0


@pytest.mark.parametrize("jump", [0.1371, 0.13])
def test_under_a_pace(jump):
    model = replace(flat(jump, steps=4), pace=Pace(1e-6))
    assert error(model, 0.02, jump) < 5e-5


@pytest.mark.parametrize("make", [flat, nested])
@pytest.mark.parametrize("pace", [None, Pace(1e-6)])
def test_resumed_at_the_jump_it_goes_on_to_the_same_bits(make, pace):
    model, after = replace(make(0.13, steps=4), pace=pace), uniform(0.0, 0.01, 13)
    *_, (_, step) = steps_of(model, 0.01, 0.13)
    again = model.load(model.dump(step.state))
    one, two = (model.advance(s, after, {}) for s in (step.state, again))
    assert model.dump(one.state) == model.dump(two.state)


@pytest.mark.parametrize("jump", [0.1371, 0.13])
def test_forces_right_after_the_jump_are_those_of_the_motion(jump):
    model = flat(jump, steps=4)
    for t, step in steps_of(model, 0.0005, 0.138):
        if t - 0.0005 > jump - 1e-9:
            # F accelerates b: 2 of 3 parts of the load, with both springs at rest yet
            found = model.reactions(step.state)["joint.J"].coefficients[0, 0]
            assert abs(found) == pytest.approx(2.0 / 3.0 * FORCE, rel=0.02)


def exported(jump):
    parts = [spring("a", 1.0, 100.0, **jumping(jump)), spring("b", 2.0, 300.0)]
    return glue("m", parts, {"J": ("a.e", "b.e")}, exports={"e": "b.e"})


def test_inside_a_window_it_starts_anew_under_what_comes_from_outside():
    model, jump, push = exported(0.0137), 0.0137, np.array([50.0])
    start, given = model.press(model.start(0.0).state, 0.0, {"e": push}).state, {}
    given["e"] = Signal.hold(push)
    whole = model.advance(start, Window(0.0, 0.02), given)
    first = model.advance(start, Window(0.0, jump), given)
    settled = model.press(first.state, nextafter(jump, inf), {"e": push})
    second = model.advance(settled.state, Window(jump, 0.02), given)
    found, wanted = (model.observe(d.state)["b.x"].value for d in (whole, second))
    assert found == pytest.approx(wanted, rel=1e-12)


def test_whoever_gives_inputs_starts_anew_at_the_start_of_a_window():
    model, jump = exported(0.0137), 0.0137
    state = model.advance(model.start(0.0).state, Window(0.0, jump), {}).state
    against = np.array([-FORCE])
    state = model.press(state, nextafter(jump, inf), {"e": against}).state
    window, given = Window(jump, 0.02), {"e": Signal.hold(against)}
    done = model.advance(state, window, given)
    assert abs(model.observe(done.state)["b.x"].value) < 1e-15  # both are in balance
    again = model.realise(model.respond(state, window, {}), given)
    assert abs(model.observe(again.state)["b.x"].value) < 1e-15


def test_a_part_without_joints():
    part = spring("b", 3.0, 400.0, **jumping(0.13))
    model = glue("m", [part], {})
    assert error(model, 0.005, 0.13) < 1e-3


class Stiff:
    """A structure that does not say how it would accelerate."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        if name in {"press", "kick"}:
            raise AttributeError(name)
        return getattr(self.inner, name)


@pytest.mark.parametrize("jump", [0.1371, 0.13])
def test_beside_a_part_that_cannot_be_pressed_forces_go_on(jump):
    a = spring("a", 1.0, 100.0, 4, **jumping(jump))
    b = Stiff(spring("b", 2.0, 300.0, 4))
    model = glue("m", [a, b], {"J": ("a.e", "b.e")})
    assert error(model, 0.005, jump) < 1e-3


@pytest.mark.parametrize("jump", [0.1371, 0.13])
def test_around_a_part_that_cannot_be_pressed_forces_go_on(jump):
    assert error(nested(jump, steps=4, between=Stiff), 0.005, jump) < 1e-3


@pytest.mark.parametrize(("between", "stays"), [(Stiff, True), (lambda p: p, False)])
def test_a_glued_part_that_cannot_be_pressed_is_told_from_one_that_can(between, stays):
    model = nested(0.13, between=between)
    state = model.start(0.0).state
    free = press_all(model.assembly, state, 0.0)
    assert unmoved(state, free) is stays


def test_forces_that_leave_accelerations_apart_are_not_taken():
    model = flat(0.13)
    state = model.start(0.0).state
    assert agree(model.assembly, state)
    end = model.connections[0].ends[0]
    still = state.motions[end]
    for a in (np.array([0.1]), None):
        motions = {**state.motions, end: replace(still, a=a)}
        assert not agree(model.assembly, replace(state, motions=motions))
