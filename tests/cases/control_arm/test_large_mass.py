"""The control arm on large masses, against the model of everything."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Advance, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue, joint
from bondline.leaves import FunctionLeaf, LargeMass, RigidBody
from bondline.leaves.large_mass import Masses
from bondline.leaves.nonlinear import Socket
from bondline.numerics import FixedStep, Method
from tests.cases.control_arm.model import DATA, HERE, METHOD, arm, pulse
from tests.nonlinear.test_gluing import beam

BUSHES = (DATA["bush_front"], DATA["bush_rear"])


def wheel():
    push, m = pulse(), DATA["wheel"]
    return FunctionLeaf(
        "wheel",
        y0=[0.0] * 4,
        dofs={"hub": ("x", "y")},
        rate=lambda t, y, f: [
            *y[2:],
            (f["hub"][0] + push(t)) / m,
            f["hub"][1] / m,
        ],
        motion=lambda t, y, dy: {"hub": (y[:2], y[2:], dy[2:])},
        integrate=FixedStep(1),
        kinks=(30e-3,),
    )


def chassis():
    return FunctionLeaf(
        "chassis",
        y0=[0.0] * 2,
        dofs={"mount": ("x",)},
        rate=lambda t, y, f: [y[1], f["mount"][0] / DATA["chassis"]],
        motion=lambda t, y, dy: {"mount": (y[:1], y[1:], dy[1:])},
        integrate=FixedStep(1),
    )


def sleeves():
    """The chassis and both sleeves on their bushes: x, y of each, then the chassis."""

    def pull(k, d, v):
        return k * d * (1.0 + (d / 6e-3) ** 2) + 400.0 * v

    def rate(t, y, f):
        q, v, m = y[:5], y[5:], DATA["sleeve"]
        ends = [q[4], 0.0], [v[4], 0.0]
        N = [
            pull(BUSHES[j // 2][j % 2], ends[0][j % 2] - q[j], ends[1][j % 2] - v[j])
            for j in range(4)
        ]
        loads = [*f["front"], *f["rear"]]
        back = -(N[0] + N[2]) / DATA["chassis"]
        return [*v, *((a + b) / m for a, b in zip(N, loads, strict=True)), back]

    return FunctionLeaf(
        "chassis",
        y0=[0.0] * 10,
        dofs={"front": ("x", "y"), "rear": ("x", "y")},
        rate=rate,
        motion=lambda t, y, dy: {
            "front": (y[0:2], y[5:7], dy[5:7]),
            "rear": (y[2:4], y[7:9], dy[7:9]),
        },
        integrate=FixedStep(10),
    )


def car(variant, scheme=None):
    led = LargeMass(arm(variant), masses=Masses(1e3), tolerance=1e-8)
    joints = {"b": ("wheel.hub", "arm.ball_joint")}
    if variant == "H":
        joints["c"] = ("chassis.mount", "arm.chassis")
        return glue("car", [led, wheel(), chassis()], joints, scheme)
    joints |= {p: (f"chassis.{p}", f"arm.{p}") for p in ("front", "rear")}
    return glue("car", [led, wheel(), sleeves()], joints, scheme)


def errors(model, h, until):
    """In mm and kN, and the mean number of corrections."""
    step, rows, counts = model.start(0.0), [], []
    where = 0 if len(step.state.parts["chassis"]) == 2 else 4
    for n in range(round(until / h)):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        assert isinstance(step, Advance)
        parts = step.state.parts
        counts.append(step.stats["arm.corrections"])
        x = parts["wheel"][0] - parts["chassis"][where]
        rows.append([1e3 * x, *(-1e-3 * parts["arm"].f_i[:2])])
    known = np.genfromtxt(HERE / "control_arm.csv", delimiter=",", names=True)
    known = known[known["t"] <= until + 1e-9]
    found = np.array(rows)[np.rint(known["t"] / h).astype(int) - 1]
    x = 1e3 * (known["wheel_x"] - known["chassis_x"])
    f = 1e-3 * np.column_stack([known["fBJx"], known["fBJy"]])
    off = np.abs(found[:, 0] - x).max(), np.abs(found[:, 1:] - f).max()
    return (*off, np.mean(counts))


@pytest.mark.parametrize("until", [20e-3, pytest.param(60e-3, marks=pytest.mark.full)])
def test_one_pass_is_as_good_as_all_at_once(until):
    """Variant H, h = 1e-4: yielding and back, within 0.01 mm and 0.15 kN."""
    distance, force, corrections = errors(car("H", "linear"), 1e-4, until)
    assert distance < 0.006
    assert force < 0.11
    assert corrections < 2.6


@pytest.mark.full
def test_light_sleeves_are_iterated_without_asking():
    """Variant S: one pass would diverge, so auto does not take it."""
    model = car("S")
    (note,) = model.guard(model.start(0.0).state, Window(0.0, 1e-4))
    assert "linear/f was chosen" in note
    distance, force, _ = errors(model, 1e-4, 20e-3)
    assert distance < 0.0075
    assert force < 0.12


@pytest.mark.parametrize("scheme", ["hold", "linear"])
def test_one_pass_with_light_sleeves_is_refused_with_the_number(scheme):
    model = car("S", scheme)
    with pytest.raises(SettingError) as no:
        model.guard(model.start(0.0).state, Window(0.0, 1e-4))
    assert "3.55 times the leaders' inertia" in no.value.finding


@pytest.mark.parametrize("method", [METHOD, Method()], ids=["alpha", "trapezoidal"])
def test_the_books_of_a_led_arm_close(method):
    """The energy of the large masses, a thousand times the arm's, is not in them."""
    led, h = LargeMass(replace(arm("H"), method=method), tolerance=1e-8), 1e-4
    step, work, lost, still = led.start(0.0), 0.0, 0.0, np.zeros((6, 1))
    f, x = step.state.f_i, np.zeros(3)
    for n in range(100):
        way = hermite(lambda t: 4e-3 * np.sin(100.0 * t) ** 2, n * h, h)
        told = {
            "ball_joint": Signal(np.column_stack([way, still])),
            "chassis": Signal(still),
        }
        step = led.advance(step.state, uniform(0.0, h, n), told)
        at = np.concatenate([step.outputs[p].at.x for p in told])
        work += 0.5 * float((f + step.state.f_i) @ (at - x))
        lost += step.energy.dissipated
        f, x = step.state.f_i, at
    assert abs(step.energy.stored - work + lost) < 2e-3 * abs(work)


def hermite(f, t, h):
    """The quintic through f, its slope and its bend at both ends, as sᵏ."""
    e = 1e-6
    levels = [
        (f(s), (f(s + e) - f(s - e)) / (2 * e), (f(s + e) - 2 * f(s) + f(s - e)) / e**2)
        for s in (t, t + h)
    ]
    (x, v, a), (X, V, A) = levels
    d, v, V, a, A = X - x, h * v, h * V, h * h * a, h * h * A
    cubic = 10 * d - 6 * v - 4 * V - 1.5 * a + 0.5 * A
    quartic = -15 * d + 8 * v + 7 * V + 1.5 * a - A
    quintic = 6 * d - 3 * v - 3 * V - 0.5 * a + 0.5 * A
    return np.array([x, v, 0.5 * a, cubic, quartic, quintic])


def test_a_beam_in_space_follows_a_frame():
    """Six dofs at one node; in one pass and iterated it is the same motion."""
    ends = {}
    for scheme in ("linear", "linear/f"):
        root = LargeMass(beam("arm", 0, 3, tip=Socket((3,), frame=True)))
        body = RigidBody(
            "body",
            20.0,
            (0.5, 0.3, 0.4),
            (0.75, 0.0, 0.0),
            gravity=(0.0, 3.0, -9.81),
            markers={"m": (0, 0, 0)},
        )
        weld = {"weld": joint("fixed", "body.m", "arm.tip")}
        model = glue("crane", [body, root], weld, scheme)
        step = model.start(0.0)
        for n in range(80):
            step = model.advance(step.state, uniform(0.0, 2.5e-4, n), {})
            assert isinstance(step, Advance)
        (at,) = (m for p, m in step.state.motions.items() if p.part == "body")
        ends[scheme] = np.concatenate([at.x, at.turn])
        assert step.state.parts["arm"].drift < 1e-6
    moved = np.abs(ends["linear"][:3] - [0.75, 0.0, 0.0]).max()
    assert moved > 1e-4
    assert ends["linear"] == pytest.approx(ends["linear/f"], abs=0.02 * moved)
