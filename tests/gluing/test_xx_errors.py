"""What X-X coupling refuses, and what it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Effort,
    Port,
    Signal,
    Window,
    ref,
)
from bondline.errors import NonFinite, SettingError
from bondline.gluing.couplings.motion_schemes import MOTION_SCHEMES, motion_scheme
from bondline.gluing.joints import makers
from bondline.gluing.solvers.one_pass import OnePass
from tests.gluing.driven import X, coupled, cut_in_two, led, pushed
from tests.gluing.test_xx import pair, xx
from tests.gluing.wrapped import Once


def refused(make):
    with pytest.raises(SettingError) as caught:
        make()
    return caught.value


def test_a_port_that_takes_force_is_refused():
    error = refused(lambda: coupled(xx(), led("a", 1.0), pushed("b", 1.0)))
    assert error.place == "pair: X-X coupling"
    assert "b.end takes force" in error.finding
    assert "X-T" in error.remedy


def test_a_part_that_cannot_repeat_is_refused():
    error = refused(lambda: coupled(xx(), led("a", 1.0), Once(led("b", 1.0))))
    assert error.place == "pair: scheme newmark/f"
    assert "b cannot repeat" in error.finding
    assert "Checkpointed" in error.remedy


def test_one_pass_is_refused():
    model = pair(solver=OnePass())
    error = refused(lambda: model.advance(model.start(0.0).state, Window(0.0, 0.1), {}))
    assert error.place == "X-X coupling"
    assert "one pass" in error.finding
    assert "linear/explicit" in error.remedy


def test_one_step_parts_refuse_the_cubic():
    parts, ties = cut_in_two(X, X)
    error = refused(lambda: coupled(xx("cubic/f"), *parts, ties=ties))
    assert error.place == "pair: scheme cubic/f"
    assert "one Newmark step" in error.finding
    assert error.remedy == "Use newmark/f."


def test_an_interface_without_inertia_is_refused_where_acceleration_is_guessed():
    model = coupled(xx(), led("a", 0.0, 40.0), led("b", 0.0, 20.0))
    error = refused(lambda: model.start(0.0))
    assert error.place == "X-X coupling, scheme newmark/f"
    assert "inertia at b.end.x" in error.finding
    assert "linear/f" in error.remedy


def test_an_interface_with_inertia_is_refused_on_a_line():
    error = refused(lambda: pair("linear/f").start(0.0))
    assert error.place == "X-X coupling, scheme linear/f"
    assert "3 kg" in error.finding
    assert error.remedy == "Use newmark/f."


def test_a_port_moved_twice_is_refused():
    model = pair(exports={"out": ref("a.end")})
    push = {"out": Signal.hold(np.zeros(1))}
    state = model.start(0.0).state
    error = refused(lambda: model.advance(state, Window(0.0, 0.1), push))
    assert error.place == "X-X coupling"
    assert "a.end is moved by joint j" in error.finding
    assert "Export another" in error.remedy


def test_a_part_that_differentiates_positions_is_refused():
    class Ringing:
        """Arrives with another acceleration than it was told."""

        def __init__(self, inner):
            self._inner, self.name = inner, inner.name
            self.ports, self.parameters = inner.ports, inner.parameters
            self.capabilities, self.start = inner.capabilities, inner.start
            self.press = inner.press

        def advance(self, state, window, inputs):
            done = self._inner.advance(state, window, inputs)
            f, at = done.outputs["end"].f, done.outputs["end"].at
            other = replace(at, a=1.01 * at.a)
            return Advance(done.state, {"end": Effort(f, other)})

    model = coupled(xx(), led("a", 1.0, 40.0, x0=0.1), Ringing(led("b", 2.0, x0=0.1)))
    state = model.start(0.0).state
    error = refused(lambda: model.advance(state, Window(0.0, 0.1), {}))
    assert error.place == "b.end, window to t = 0.1 s"
    assert "acceleration it was told" in error.finding
    assert "one step a window" in error.remedy


class Body:
    """A frame that nobody advances."""

    capabilities, parameters = Capabilities(), {}

    def __init__(self, name, frame=True):
        dofs = ("x", "y", "z", "rx", "ry", "rz")
        self.name = name
        self.ports = {
            "end": Port("end", dofs, causality=Causality.MOTION_IN, frame=frame)
        }


def test_joints_that_turn_are_refused():
    joint = makers.revolute("j", (ref("a.end"), ref("b.end")), axis=(0.0, 0.0, 1.0))
    error = refused(lambda: coupled(xx(), Body("a"), Body("b"), ties=[joint]))
    assert error.place == "pair: X-X coupling"
    assert "directions of joint j turn" in error.finding
    assert "T-T" in error.remedy


def test_a_frame_and_a_small_rotation_are_refused():
    joint = makers.fixed("j", (ref("a.end"), ref("b.end")))
    error = refused(lambda: coupled(xx(), Body("a"), Body("b", False), ties=[joint]))
    assert error.place == "pair: X-X coupling"
    assert "rotations are small" in error.finding
    assert "frames" in error.remedy


@pytest.mark.parametrize("name", ["quadratic/f", "constant/f", "cubic/e"])
def test_refused_schemes_say_why(name):
    error = refused(lambda: motion_scheme(name))
    assert error.place == "scheme"
    assert f"{name} is refused" in error.finding
    assert "newmark/f" in error.remedy


def test_an_unknown_scheme_is_answered_with_the_nearest():
    error = refused(lambda: motion_scheme("newmark"))
    assert "no scheme 'newmark'" in error.finding
    assert all(name in error.remedy for name in MOTION_SCHEMES)


def test_an_effort_that_is_not_finite_is_blamed_on_its_port():
    class Hollow:
        """Follows, and needs an infinite force for it."""

        def __init__(self, inner):
            self._inner, self.name = inner, inner.name
            self.ports, self.parameters = inner.ports, inner.parameters
            self.capabilities, self.start = inner.capabilities, inner.start
            self.press = inner.press

        def advance(self, state, window, inputs):
            done = self._inner.advance(state, window, inputs)
            at = done.outputs["end"].at
            return Advance(done.state, {"end": Effort(np.array([np.inf]), at)})

    parts = led("a", 1.0, 40.0, x0=0.1), Hollow(led("b", 2.0, x0=0.1))
    model = coupled(xx(), *parts, halvings=0)
    no = model.advance(model.start(0.0).state, Window(0.0, 0.1), {})
    assert isinstance(no.error, NonFinite)
    assert no.error.place == "b, window to t = 0.1 s"
    assert "port end" in no.error.finding
    assert "--step" in no.error.remedy
