"""A leaf on large masses: what it promises, keeps, and refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Effort, Motion, Pose, Rejected, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.leaves import LargeMass, SpringChain, Structure
from bondline.leaves.chain import chain
from bondline.leaves.corrected import Corrected
from bondline.leaves.large_mass import Masses, Weights
from bondline.leaves.large_mass.options import led_chain
from bondline.leaves.large_mass.secant import improved
from bondline.leaves.large_mass.told import behind, told
from bondline.numerics import Method
from bondline.numerics.rotations import exp, product
from bondline.testing.kit import check_leaf


def hard(rho=1.0):
    return SpringChain("row", gravity=9.81, rho=rho)


def soft(method=None):
    row = chain("row", masses=4.0, mass=1.0, stiffness=1e4, damping=3.0, wall=50.0)
    return Corrected(replace(row, method=method or Method()), 4.0)


LEAVES = {
    "hard": hard(),
    "hard, alpha": hard(0.8),
    "linear, alpha": soft(Method.generalized_alpha(0.8)),
    "led": LargeMass(hard()),
    "led, alpha": LargeMass(hard(0.8)),
    "led, linear": LargeMass(soft()),
    "led, linear, alpha": LargeMass(soft(Method.generalized_alpha(0.8))),
    "led, full": LargeMass(hard(), compliance="full"),
    "led at one end": LargeMass(hard(), ("left",)),
}


@pytest.mark.quick(5)
@pytest.mark.parametrize("name", LEAVES)
def test_it_does_what_it_declares(name):
    check_leaf(LEAVES[name], window=1e-3).raise_if_failed()


def follow(led, windows, h=1e-3):
    """Both ends told 4 mm sin(60 t), the right one half of it."""
    step = led.start(0.0)
    for n in range(windows):
        inputs = {}
        for port, size in (("left", 4e-3), ("right", 2e-3)):
            t = n * h
            x = size * np.array([np.sin(60 * t), 60 * np.cos(60 * t)])
            a = -3600.0 * size * np.sin(60 * (t + h))
            rows = np.array([[x[0]], [h * x[1]], [0.0], [h * h * a / 6.0]])
            inputs[port] = Signal(rows)
        step = led.advance(step.state, uniform(0.0, h, n), inputs)
        assert not isinstance(step, Rejected)
    return step


def test_a_linear_structure_follows_as_one_that_is_led():
    """Large masses and prescribed motion are the same thing, and so are efforts."""
    row = chain("row", masses=4.0, mass=1.0, stiffness=1e4, damping=3.0, wall=50.0)
    ports = {
        name: replace(port, causality=LargeMass(soft()).ports[name].causality)
        for name, port in row.ports.items()
    }
    told_so = Structure("row", row.system, row.select, ports)
    led = LargeMass(soft(), weights=Weights(fixed=(0.0, 0.0, 1.0)), following=1e-12)
    one, other = led.start(0.0), told_so.start(0.0)
    for n in range(5):
        path = Signal(np.array([[1e-4 * n**2], [1e-4], [2e-5]]))
        inputs = {"left": path, "right": path}
        one = led.advance(one.state, uniform(0.0, 1e-3, n), inputs)
        other = told_so.advance(other.state, uniform(0.0, 1e-3, n), inputs)
        for port in inputs:
            a, b = one.outputs[port], other.outputs[port]
            assert isinstance(a, Effort)
            assert a.f == pytest.approx(b.f, rel=1e-6)
            assert a.at.x == pytest.approx(b.at.x, abs=1e-15)


def test_a_state_goes_through_bytes():
    """And goes on to the same bits."""
    led = LargeMass(hard(0.8))
    state = follow(led, 4).state
    again = led.load(led.dump(state))
    window, still = uniform(0.0, 1e-3, 4), {}
    one, other = (led.advance(s, window, still).state for s in (state, again))
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b)


def test_what_was_learned_of_the_compliance_is_carried():
    """In the state: a second window starts with it."""
    led = LargeMass(hard(), masses=Masses(1.0), following=1e-10)
    state = follow(led, 3).state
    assert state.share is not None
    assert not np.array_equal(state.share, np.ones(2))
    fresh = state._replace(share=None)
    counts = [
        led.advance(s, uniform(0.0, 1e-3, 3), {}).stats["corrections"]
        for s in (state, fresh)
    ]
    assert counts[0] <= counts[1]


def test_secants_are_guarded():
    """A load that hardly moved teaches nothing, nor does one far from nominal."""
    C, alone = np.array([-1.1, -1.1, -1.1]), np.array([-1.0, -1.0, -1.0])
    loads = np.array([1.0, 1.0, 1.0]), np.array([2.0, 1.0 + 1e-14, 2.0])
    phis = np.zeros(3), np.array([-1.3, -7.0, -9.0])
    assert improved(C, alone, loads, phis) == pytest.approx([-1.3, -1.1, -1.1])


def test_the_compliance_is_negative_and_nominal_for_large_masses():
    """dφ/df < 0: a part that lags is pushed."""
    led = LargeMass(hard())
    state = follow(led, 3).state
    alone = led.pursuit(uniform(0.0, 1e-3, 3)).alone
    assert (alone < 0.0).all()
    assert state.share == pytest.approx(np.ones(2), rel=1e-2)


def test_without_a_path_it_stays_where_it_is():
    led = LargeMass(hard(), weights=Weights(1.0))
    step = follow(led, 3)
    x = step.outputs["left"].at.x
    for n in range(3, 40):
        step = led.advance(step.state, uniform(0.0, 1e-3, n), {})
    assert step.outputs["left"].at.v == pytest.approx([0.0], abs=1e-6)
    assert step.outputs["left"].at.x == pytest.approx(x, abs=3e-3)


def test_a_frame_is_told_a_pose_and_a_twist():
    """The turn that is left is that from where it is to where it should be."""
    turn = exp(np.array([0.3, -0.2, 0.5]))
    rows = np.zeros((3, 6))
    rows[1] = [0.1, 0.0, 0.0, 0.0, 0.2, 0.0]
    aim = told(Signal(rows, Pose(np.ones(3), turn)), None, 0.1)
    assert aim.x == pytest.approx([1.1, 1.0, 1.0])
    assert aim.v == pytest.approx([1.0, 0.0, 0.0, 0.0, 2.0, 0.0])
    own = Motion(np.ones(3), np.zeros(6), np.zeros(6), turn)
    x, v, _ = behind(aim, own)
    assert x == pytest.approx([0.1, 0.0, 0.0, 0.0, 0.2, 0.0])
    assert v == pytest.approx(aim.v)
    assert aim.turn == pytest.approx(product(exp(np.array([0.0, 0.2, 0.0])), turn))


def test_turns_get_a_rotary_inertia_of_their_own():
    port = SpringChain("row").ports["left"]
    frame = replace(port, dofs=("x", "rx"), nodes=2)
    found = Masses(100.0, radius=0.1).on(frame, 2.0)
    assert found == pytest.approx([200.0, 2.0, 200.0, 2.0])
    assert Masses().on(port, 2.0) == pytest.approx([2e4])


def test_a_window_that_is_too_long_is_rejected_with_what_is_left():
    led = LargeMass(hard(), patience=2, following=1e-14)
    far = {
        p: Signal(np.array([[0.0], [0.05 * s]]))
        for p, s in (("left", 1), ("right", -1))
    }
    no = led.advance(led.start(0.0).state, Window(0.0, 0.01), far)
    assert isinstance(no, Rejected)
    assert no.model == "row"
    assert "after 2 corrections the residual is" in no.reason
    assert no.until == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("make", "place", "finding", "remedy"),
    [
        (
            lambda: LargeMass(chain("row")),
            "row: large mass",
            "does not show its corrector",
            "predict, correct, accept",
        ),
        (lambda: LargeMass(hard(), ("lef",)), "row: led", "'lef'", "left"),
        (
            lambda: LargeMass(hard(), compliance="ful"),
            "row: compliance",
            "'ful'",
            "full",
        ),
        (lambda: Masses(1e300), "large mass", "ratio of 1e+300", "1e3 to 1e4"),
        (lambda: Masses(-1.0), "large mass", "ratio of -1", "1e3 to 1e4"),
        (lambda: Weights(fixed=(0.0, 0.0, 0.0)), "weights", "(0.0, 0.0, 0.0)", "w1"),
        (lambda: led_chain("row", rati=1.0), "row.rati", "no such", "ratio"),
        (
            lambda: Corrected(chain("row", steps=2.0), 1.0),
            "row: corrector",
            "several steps",
            "steps=1",
        ),
        (lambda: SpringChain("row", 1.5), "row.elements", "1.5", "Give 2"),
    ],
)
def test_nonsense_is_refused(make, place, finding, remedy):
    with pytest.raises(SettingError) as no:
        make()
    assert place in no.value.place
    assert finding in no.value.finding
    assert remedy in no.value.remedy
