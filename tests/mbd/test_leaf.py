"""Mechanisms as leaves: they conform, conserve, glue, and keep their history."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.core import Motion, Placing, Rejected, Signal, Window, uniform
from bondline.errors import LeafFailed, SettingError, UsageError
from bondline.gluing import glue, joint
from bondline.leaves import ground
from bondline.leaves.histories import Constant, Harmonic, Table
from bondline.leaves.mbd.forces import (
    JointLoad,
    JointMotion,
    JointSpring,
    Polynomial,
)
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.integration import METHODS, Integration
from bondline.leaves.mbd.making import multibody_leaf
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.leaves.mbd.sheet import Outlet, Seen, Sheet
from bondline.numerics import time_of
from bondline.testing import check_leaf

BEAM = beam_modes(
    Beam(1.0, 2.0, EIy=2e3, EIz=1e3, radii=(0.05, 0.05)),
    [Shapes("bend-z", 2), Shapes("bend-y", 1)],
    nodes={"tip": 1.0},
)
ARM = Body(
    "arm",
    3.0,
    (0.1, 0.2, 0.3),
    (0.2, 0, 0),
    {"end": Frame.along((0, 1, 0), (0.5, 0, 0))},
)
WHIP = Body("whip", modes=BEAM)
HINGE = Joint("hinge", "universal", "arm.end", "whip", (0.2, -0.1), (1.0, 2.0))
PORTS = {"tip": Outlet("whip.tip"), "end": Outlet("arm.end")}


def standing(ports=PORTS, forces=(), step=2e-4, **how):
    swing = Joint("swing", "revolute", Frame.along((0, 1, 0)), "arm", (0.3,))
    made = Mechanism("arm", [ARM, WHIP], [swing, HINGE], forces)
    sheet = Sheet(made, ports, integration=Integration(step=step, **how))
    return multibody_leaf("arm", sheet)


def flying():
    free = Joint(
        "fly", "free", Frame((1, 2, 3), (0.6, 0, 0.8, 0)), "arm.end",
        (0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5), (1, 0, 0, 1, 2, 3),
    )  # fmt: skip
    hinge = Joint("hinge", "universal", "arm", "whip", (0.2, -0.1), (1.0, 2.0))
    made = Mechanism("arm", [ARM, WHIP], [free, hinge])
    return multibody_leaf("arm", Sheet(made, PORTS))


@pytest.mark.parametrize("make", [standing, flying])
@pytest.mark.parametrize("window", [1e-3, 5e-3])
def test_they_conform(make, window):
    check_leaf(make(), window=window, make=make).raise_if_failed()


def seeing(mechanism, seen):
    return multibody_leaf("x", Sheet(mechanism, {}, {"p": seen})).start(0.0)


def test_a_step_longer_than_the_window_is_told():
    leaf = standing(step=5e-5, ratio=10)
    state = leaf.start(0.0).state
    (said,) = leaf.guard(state, Window(0.0, 1e-4))
    assert said.startswith("the slow step, 0.0005 s, is longer than the window: 0.0001")
    assert not any("window" in n for n in leaf.guard(state, Window(0.0, 5e-4)))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda m: Sheet(m, {"p": "arm"}), "Outlet('arm')"),
        (lambda m: Sheet(m, {}, {"p": "swing.angle"}), "Seen('swing.angle')"),
        (lambda m: Sheet(m, {"p": Outlet("arm.nd")}), "'end'"),
        (lambda m: seeing(m, Seen("arm.nd", "x")), "'end'"),
        (lambda m: seeing(m, Seen("swing.angel")), "'swing.angle'"),
        (lambda m: Joint("swing", "revolute", "ground", "arm", 0.3), "(0.3,)"),
        (lambda m: Outlet("arm", dofs=("z", "x")), "some of x y z"),
    ],
)
def test_a_sheet_that_does_not_fit_is_refused_in_words(make, says):
    with pytest.raises(SettingError, match=re.escape(says)):
        make(standing().sheet.mechanism)


def test_with_loads_of_its_own_it_conforms():
    load = JointLoad("swing", Table((0.0, 0.011, 0.011, 1.0), (0.0, 2.0, -3.0, 0.0)))
    leaf = standing(forces=(load, JointSpring("swing", 5.0, 0.1)))
    check_leaf(leaf, window=2e-3).raise_if_failed()


@pytest.mark.parametrize("method", [m for m in METHODS if m != "generalized-alpha"])
def test_without_forces_energy_stays(method):
    if method == "cvode":
        pytest.importorskip("sksundae")
    leaf = standing(ports={}, step=1e-4, method=method, tolerance=1e-11)
    now = leaf.start(0.0)
    first = now.energy.stored
    for n in range(20):
        now = leaf.advance(now.state, uniform(0.0, 0.01, n), {})
    assert abs(now.energy.stored - first) < 1e-7


def test_the_spectrum_finds_the_fast_coordinates():
    """What it finds is what would be named by hand: the modes, not the swing."""
    found = standing(ports={}, ratio=2, fast=("spectrum",), step=5e-5)
    named = standing(ports={}, ratio=2, fast=found.packed.fast, step=5e-5)
    assert 0 < len(found.packed.fast) < found.tree.n_u
    assert "swing.angle" not in found.packed.fast
    one, two = (run(leaf, 2, 0.01).state for leaf in (found, named))
    assert one.tobytes() == two.tobytes()


def test_methods_agree():
    fine = run(standing(ports={}, step=2e-5), 2, 0.01)
    for how, bound in (
        ({"method": "rk4"}, 1e-8),
        ({"method": "dormand-prince"}, 1e-9),
        ({"method": "dop853", "tolerance": 1e-11}, 1e-8),
        ({"method": "radau", "tolerance": 1e-10}, 1e-7),
        ({"method": "generalized-alpha"}, 1e-3),
        ({"corrector": "PEC"}, 1e-6),
    ):
        leaf = standing(ports={}, step=1e-4, **how)
        off = leaf.halves(run(leaf, 2, 0.01).state)[0] - leaf.halves(fine.state)[0]
        assert np.abs(off).max() < bound, how


def run(leaf, windows, h):
    now = leaf.start(0.0)
    for n in range(windows):
        now = leaf.advance(now.state, uniform(0.0, h, n), {})
    return now


def test_a_history_is_carried_from_window_to_window():
    """One window or ten: the same steps, the same bits."""
    alone = standing(ports={})
    once, often = run(alone, 1, 0.02), run(alone, 10, 0.002)
    assert once.state.tobytes() == often.state.tobytes()
    assert often.stats["full"] == 20  # two evaluations a step


def test_where_forces_may_jump_each_window_starts_anew():
    assert run(standing(), 10, 0.002).stats["full"] > 20


def test_a_jump_of_a_load_costs_no_accuracy():
    """Windows that end at the jump and windows that straddle it agree."""
    load = JointLoad("swing", Table((0.0, 0.005, 0.005), (0.0, 0.0, 50.0)))
    errors = []
    for step in (2e-4, 1e-4):
        leaf = standing(forces=(load,), step=step)
        fine = standing(forces=(load,), step=2e-5)
        across, exact = run(leaf, 1, 0.01), run(fine, 2, 0.005)
        q, good = leaf.halves(across.state)[0], fine.halves(exact.state)[0]
        errors.append(np.abs(q - good).max())
    assert np.log2(errors[0] / errors[1]) > 3.3


def test_multirate_modes_take_the_short_steps():
    fine = run(standing(ports={}, step=2e-5), 1, 0.02)
    for form, bound in (("paper", 2e-4), ("residual", 2e-6)):
        leaf = standing(ports={}, step=1e-4, ratio=4, multirate=form)
        done = run(leaf, 1, 0.02)
        assert done.stats["fast"] > 3 * done.stats["full"]
        off = leaf.halves(done.state)[0] - leaf.halves(fine.state)[0]
        assert np.abs(off).max() < bound


def test_a_step_that_is_too_long_is_refused_before_the_run():
    leaf = standing(step=0.05)
    with pytest.raises(SettingError, match="vibrations grow"):
        leaf.guard(leaf.start(0.0).state, Window(0.0, 0.1))
    paper = standing(step=1e-4, ratio=40, multirate="paper")
    with pytest.raises(SettingError, match="paper's form is unstable"):
        paper.guard(paper.start(0.0).state, Window(0.0, 0.1))
    close = standing(step=2e-5, ratio=10, multirate="paper")
    (note,) = close.guard(close.start(0.0).state, Window(0.0, 0.1))
    assert "damps" in note


def test_a_mechanism_can_be_placed_only_if_it_floats():
    assert not isinstance(standing(), Placing)
    leaf = flying()
    assert isinstance(leaf, Placing)
    before = leaf.start(0.0)
    turn = np.array([0.1, 0.7, -0.5, 0.5])
    at = Motion(
        np.array([3.0, 2, 1]), np.arange(6.0), None, turn / np.linalg.norm(turn)
    )
    after = leaf.place(before.state, "tip", at)
    tip = after.outputs["tip"]
    assert_allclose(tip.x, at.x)
    assert_allclose(tip.v, at.v, atol=1e-12)
    assert_allclose(abs(tip.turn @ at.turn), 1.0)
    inner = slice(7, None)
    assert_allclose(
        leaf.halves(after.state)[0][inner], leaf.halves(before.state)[0][inner]
    )
    later = leaf.start(2.0).state
    assert time_of(leaf.place(later, "tip", at).state) == time_of(later) == 2.0
    only = leaf.place(before.state, "end", Motion(np.ones(3), np.zeros(3)))
    assert_allclose(only.outputs["end"].x, 1.0)
    assert_allclose(only.outputs["end"].turn, before.outputs["end"].turn)


def test_a_tree_cut_in_two_and_glued_is_the_tree():
    """The whip as a leaf of its own, held at its root by a tie."""
    fixed = Joint("hinge", "fixed", "arm.end", "whip")
    swing = Joint("swing", "revolute", Frame.along((0, 1, 0)), "arm", (0.3,), (1.0,))
    whole = multibody_leaf("whole", Sheet(
        Mechanism("whole", [ARM, WHIP], [swing, fixed]), {"tip": Outlet("whip.tip")},
        integration=Integration(step=2e-4),
    ))  # fmt: skip
    arm = multibody_leaf("arm", Sheet(
        Mechanism("arm", [ARM], [swing]), {"end": Outlet("arm.end")},
        integration=Integration(step=2e-4),
    ))  # fmt: skip
    whip = multibody_leaf("whip", Sheet(
        Mechanism("whip", [WHIP], [Joint("fly", "free", "ground", "whip")]),
        {"root": Outlet("whip"), "tip": Outlet("whip.tip")},
        {"tip.x": Seen("whip.tip", "x"), "tip.z": Seen("whip.tip", "z")},
        integration=Integration(step=2e-4),
    ))  # fmt: skip
    glued = glue("glued", [arm, whip], {"A": joint("fixed", "arm.end", "whip.root")})
    now, one = glued.start(0.0), whole.start(0.0)
    for n in range(20):
        now = glued.advance(now.state, uniform(0.0, 1e-3, n), {})
        one = whole.advance(one.state, uniform(0.0, 1e-3, n), {})
        assert not isinstance(now, Rejected)
    seen = glued.observe(now.state)
    tip = one.outputs["tip"].x
    assert_allclose(
        [seen["whip.tip.x"].value, seen["whip.tip.z"].value], tip[::2], atol=1e-6
    )


def test_a_force_told_as_a_polynomial_is_followed():
    leaf = standing(step=2e-5)
    push = Signal(np.outer([1.0, 2.0, -3.0], [1, 2, 3, 0.1, 0.2, 0.3]))
    now = leaf.start(0.0)
    whole = leaf.advance(now.state, Window(0.0, 0.004), {"tip": push})
    half = leaf.advance(now.state, Window(0.0, 0.002), {"tip": push.part(0.0, 0.5)})
    rest = leaf.advance(half.state, Window(0.002, 0.004), {"tip": push.part(0.5, 1.0)})
    q, u = leaf.halves(whole.state), leaf.halves(rest.state)
    assert_allclose(q[0], u[0], atol=1e-8)


def square(closed):
    """Three links and the ground: a parallelogram that swings."""
    y = Frame.along((0, 1, 0))
    places = {"a": y, "b": Frame.along((0, 1, 0), (1.0, 0.0, 0.0))}
    places["end"] = Frame((1.0, 0.0, 0.0))
    links = [
        Body(f"l{i}", 1.0, (0, 1 / 12, 1 / 12), (0.5, 0, 0), places) for i in range(3)
    ]
    turn = np.pi / 2
    joints = [
        Joint("j0", "revolute", y, "l0.a", (turn + 0.3,)),
        Joint("j1", "revolute", "l0.b", "l1.a", (-turn - 0.3,)),
        Joint("j2", "revolute", "l1.b", "l2.a", (3 * turn + 0.3,)),
    ]
    end = Joint("end", "revolute", Frame.along((0, 1, 0), (1.0, 0.0, 0.0)), "l2.b")
    made = Mechanism("square", links, joints, loops=[end] if closed else [])
    how = Integration(step=1e-3)
    return multibody_leaf(
        "square", Sheet(made, {"end": Outlet("l2.end")}, integration=how)
    )


def test_a_closed_loop_stays_closed_and_keeps_its_energy():
    leaf = square(closed=True)
    now = leaf.start(0.0)
    first = now.energy.stored
    for n in range(50):
        now = leaf.advance(now.state, uniform(0.0, 0.02, n), {})
        assert_allclose(now.outputs["end"].x, [1.0, 0.0, 0.0], atol=1e-10)
    q, _ = leaf.halves(now.state)
    assert_allclose(q[0] + q[1], 0.0, atol=1e-9)  # a parallelogram: l1 stays level
    assert abs(q[0] - np.pi / 2 - 0.3) > 0.1
    assert abs(now.energy.stored - first) < 1e-5


def test_a_loop_closed_by_a_joint_between_leaves_moves_as_one_inside():
    inside, outside = square(closed=True), square(closed=False)
    rock = ground("rock", x=1.0, y=0.0, z=0.0)
    hinge = joint("tie", "rock.a", "square.end", dofs=("x", "z"))
    glued = glue("glued", [rock, outside], {"hinge": hinge})
    now, one = glued.start(0.0), inside.start(0.0)
    for n in range(20):
        now = glued.advance(now.state, uniform(0.0, 2e-3, n), {})
        one = inside.advance(one.state, uniform(0.0, 2e-3, n), {})
    angle = glued.observe(now.state)["square.j0.angle"].value
    assert_allclose(angle, inside.halves(one.state)[0][0], atol=1e-6)


def test_a_joint_that_is_told_its_motion_makes_it():
    swing = Joint("swing", "revolute", Frame.along((0, 1, 0)), "arm", (0.3,))
    path = Polynomial((0.3, 0.0, 2.0)), Harmonic(b=(0.1,), omega=20.0)
    told = [JointMotion("swing", path)]
    made = Mechanism("arm", [ARM, WHIP], [swing, HINGE], motions=told)
    leaf = multibody_leaf("arm", Sheet(made, PORTS, integration=Integration(step=2e-4)))
    check_leaf(leaf, window=2e-3).raise_if_failed()
    now = leaf.start(0.0)
    for n in range(10):
        now = leaf.advance(now.state, uniform(0.0, 0.01, n), {})
    q, u = leaf.halves(now.state)
    t = 0.1
    assert_allclose(q[0], 0.3 + 2 * t**2 + 0.1 * np.sin(20 * t), atol=1e-12)
    assert_allclose(u[0], 4 * t + 2 * np.cos(20 * t), atol=1e-10)


def test_a_state_that_was_cut_is_refused():
    leaf = standing(ports={})
    done = leaf.advance(leaf.start(0.0).state, uniform(0.0, 0.01, 0), {})
    data = leaf.dump(done.state)
    with pytest.raises(UsageError, match="all that `dump`"):
        leaf.load(data[:80])
    with pytest.raises(UsageError, match="integrator: found a memory"):
        leaf.advance(leaf.load(data[:-8]), uniform(0.0, 0.01, 1), {})


def test_the_work_of_a_load_on_a_spin_is_not_made_up():
    """It does not follow from where the body is in the end."""
    load = JointLoad("held", Constant(1.0))
    for kind, known in (("spherical", False), ("revolute", True)):
        held = Joint("held", kind, "ground", "arm")
        made = Mechanism("m", [ARM], [held], [load], (0, 0, 0))
        leaf = multibody_leaf("m", Sheet(made, {}))
        done = leaf.advance(leaf.start(0.0).state, uniform(0.0, 0.01, 0), {})
        assert (done.energy is not None) == known


def test_a_joint_that_moves_no_mass_is_told():
    ghost = Body("ghost", 0.0)
    held = Joint("gj", "revolute", "ground", "ghost")
    leaf = multibody_leaf("m", Sheet(Mechanism("m", [ghost], [held]), {}))
    with pytest.raises(LeafFailed, match="every joint moves some mass") as no:
        leaf.guard(leaf.start(0.0).state, uniform(0.0, 0.01, 0))
    assert "positive definite" in no.value.finding


@pytest.mark.parametrize("ratio", [0, 2.5, 2**31, float("nan")])
def test_ratios_that_are_none_are_refused(ratio):
    with pytest.raises(SettingError, match="ratio"):
        Integration(ratio=ratio)


def test_an_axis_has_a_direction():
    with pytest.raises(SettingError, match="0 0 0"):
        Frame.along((0, 0, 0))
