"""How much error the adviser allows, and of what; which joints X-T is for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Window
from bondline.gluing import Pace, glue, joint
from bondline.gluing.adviser import advise
from bondline.gluing.adviser.scale import allowed, size_of, travel
from bondline.leaves import body, ground
from tests.gluing.parts import glue as pair
from tests.gluing.parts import mass

FIRST = Window(0.0, 0.005)
LINE = "linear-discontinuous/e,v"


def gate(**more):
    door = body("door", x=0.4, ax=-0.4, gz=-9.81, **more)
    hinge = joint("revolute", "post.a", "door.a", axis=(0, 0.5, 1))
    return glue("gate", [ground("post"), door], {"hinge": hinge}, scheme=LINE)


def test_a_door_hung_at_the_origin_is_measured_by_its_size():
    model = gate()
    state = model.start(0.0).state
    assert size_of(model, state) == pytest.approx(0.4)
    made = advise(model, FIRST, until=3.0).recommended
    assert made is not None
    assert made.window >= 0.001
    assert "4e-07 m are allowed (the joints stand still, the model is 0.4 m" in made.why


@pytest.mark.parametrize(
    ("travel", "longer", "size", "error", "said"),
    [
        (0.01, 10.0, 0.0, 1e-7, "travel about 0.1 m"),
        (0.01, 0.5, 0.0, 1e-8, "travel about 0.01 m"),
        (0.01, 1000.0, 0.4, 4e-7, "travel about 0.4 m"),  # not beyond the model
        (1.0, 1.0, 0.4, 1e-6, "travel about 1 m"),
        (1e-12, 100.0, 0.4, 4e-7, "stand still, the model is 0.4 m large"),
        (1e-12, 100.0, 0.0, 1e-9, "no size is known"),
    ],
)
def test_what_is_allowed_and_of_what(travel, longer, size, error, said):
    may = allowed(1e-6, travel, longer, size)
    assert may.error == pytest.approx(error)
    assert said in may.of


def test_turning_is_no_travel():
    model = gate()
    before = model.start(0.0).state
    after = model.advance(before, Window(0.0, 0.1), {}).state
    assert travel(model.assembly, before, after) < 1e-9
    moved = {
        r: replace(m, x=m.x + np.array([0.0, 0.2, 0.0]))
        for r, m in after.motions.items()
    }
    shifted = replace(after, motions=moved)
    assert travel(model.assembly, before, shifted) == pytest.approx(0.2)


def test_what_swings_back_does_not_travel_on():
    """ω = 10 for 0.6 s: there and almost back; a longer run allows no more."""
    model = pair(mass("a", 1.0, k=200.0, x0=0.1), mass("b", 1.0, x0=0.1))
    window = Window(0.0, 0.02)
    short, long = (advise(model, window, until=end) for end in (1.0, 100.0))
    assert short.recommended.window == long.recommended.window
    assert "travel about 0.2 m" in long.recommended.why


@pytest.mark.parametrize(
    ("kind", "settings", "why"),
    [
        ("revolute", {"axis": (0, 0, 1)}, "the directions of joint j turn"),
        ("bushing", {"stiffness": 400.0, "damping": 3.0}, "X-T coupling is not for it"),
        ("fixed", {}, ""),
    ],
)
def test_x_t_is_not_recommended_where_it_is_refused(kind, settings, why):
    j = joint(kind, "post.a", "arm.a", **settings)
    model = glue("m", [ground("post"), body("arm", x=0.5, ax=-0.5)], {"j": j})
    (words,) = advise(model, FIRST, 1).section("Inertia at the joints").words
    assert ("X-T coupling is not for it" in words) is bool(why)
    assert ("should lead" in words) is not bool(why)
    assert why in words


def test_a_spring_between_masses_gives_way_so_x_t_is_not_for_it():
    j = joint("bushing", "a.end", "b.end", stiffness=400.0)
    model = glue("m", [mass("a"), mass("b")], {"j": j})
    (words,) = advise(model, FIRST, 1).section("Inertia at the joints").words
    assert "X-T coupling is not for it: it gives way under force." in words


def test_the_travel_of_a_joint_that_gives_way_is_no_error():
    """Both travel by centimetres; a window of a tenth of a radian is good to 1e-4."""
    j = joint("bushing", "a.end", "b.end", stiffness=400.0, damping=3.0)
    parts = [mass("a", k=50.0, x0=0.1), mass("b", k=10.0, x0=-0.05)]
    made = advise(glue("m", parts, {"j": j}), FIRST).recommended
    assert 0.0 < made.error_now < 1e-4


def test_a_model_with_a_pace_of_its_own_is_advised():
    parts = mass("a", k=100.0, x0=0.1), mass("b", x0=0.1)
    model = pair(*parts, name=LINE, pace=Pace(1e-6, "doubling"))
    assert advise(model, FIRST).recommended is not None
    assert np.isfinite(advise(model, FIRST).recommended.window)
