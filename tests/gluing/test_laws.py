"""Laws of gluing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bondline.core import (
    Capabilities,
    Motion,
    Port,
    PortRef,
    Rejected,
    Signal,
    Window,
    ref,
    uniform,
)
from bondline.gluing import (
    SCHEMES,
    TT,
    IntegratedModel,
    Lagged,
    Newton,
    Probe,
    Tie,
    scheme,
)
from bondline.leaves import Structure, chain
from bondline.numerics import Kinematics, LinearSystem, joined, work_weights
from tests.cases.double_pendulum.all_at_once import Pendulum
from tests.cases.double_pendulum.glued import glue as pendulum
from tests.cases.double_pendulum.glued import run
from tests.gluing.parts import Odd, glue, mass, tie

numbers = st.floats(-1e3, 1e3)
INNER = [n for n, s in SCHEMES.items() if not s.one_step]


def advanced(model, windows=20, h=0.01):
    step = model.start(0.0)
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
    return step


@given(st.integers(2, 5), st.integers(1, 4), st.data())
def test_loads_balance_for_every_force(ends, dofs, data):
    joint = tie(*(f"p{i}.end" for i in range(ends)), dofs=tuple("xyzw"[:dofs]))
    F = data.draw(hnp.arrays(float, len(joint.components), elements=numbers))
    loads = [F @ B for B in joint.jacobian([])]
    assert np.allclose(sum(loads), 0.0, atol=1e-9)


@given(st.integers(2, 5), st.data())
def test_the_gap_is_what_its_jacobian_says(ends, data):
    joint = tie(*(f"p{i}.end" for i in range(ends)), dofs=("x", "y"))
    levels = data.draw(hnp.arrays(float, (ends, 3, 2), elements=numbers))
    gap = joint.gap([Motion(*m) for m in levels])
    B = joint.jacobian([])
    for level in range(3):
        expected = sum(B_i @ m[level] for B_i, m in zip(B, levels, strict=True))
        assert gap[level] == pytest.approx(expected)


def test_admissible_motions_leave_no_gap():
    joint = tie("a.end", "b.end", "c.end", dofs=("x", "y"))
    assert not np.any(joint.gap(joint.admissible(np.arange(6.0))))


def test_assembly_matrices_of_the_paper():
    """wang2003 (25), (26): Cᵢ selects, Cₙ = [−I … −I], Bᵢ = Cᵢᵀ."""
    joint = tie("a.end", "b.end", "c.end", dofs=("x", "y"))
    first, second, last = (B.T for B in joint.jacobian([]))
    eye, zero = np.eye(2), np.zeros((2, 2))
    assert np.array_equal(first, np.hstack([eye, zero]))
    assert np.array_equal(second, np.hstack([zero, eye]))
    assert np.array_equal(last, np.hstack([-eye, -eye]))


@pytest.mark.parametrize("name", INNER)
def test_three_masses_at_one_node_move_as_their_sum(name):
    glued = glue(
        mass("a", 1.0, 40.0, 0.1), mass("b", 2.0, x0=0.1), mass("c", 3.0, 20.0, 0.1),
        name=name,
    )  # fmt: skip
    state = advanced(glued, 50).state
    omega = np.sqrt(60.0 / 6.0)
    for value in (glued.observe(state)[f"{p}.x"].value for p in "abc"):
        assert value == pytest.approx(0.1 * np.cos(omega * 0.5), abs=2e-6)


@pytest.mark.parametrize("name", INNER)
def test_advance_does_not_remember(name):
    model = glue(mass("a", 1.0, 40.0, 0.1), mass("b", 2.0, x0=0.1), name=name)
    state, w = advanced(model, 3).state, uniform(0.0, 0.01, 3)
    first = model.dump(model.advance(state, w, {}).state)
    model.advance(model.start(0.0).state, Window(0.0, 0.5), {})
    assert model.dump(model.advance(state, w, {}).state) == first


@pytest.mark.parametrize("name", INNER)
def test_a_state_goes_through_bytes_without_losing_a_bit(name):
    model = glue(mass("a", 1.0, 40.0, 0.1), mass("b", 2.0, hard=9.0, x0=0.1), name=name)
    state, w = advanced(model).state, uniform(0.0, 0.01, 20)
    again = model.load(model.dump(state))
    assert model.dump(again) == model.dump(state)
    one, two = (model.advance(s, w, {}).state for s in (state, again))
    assert model.dump(one) == model.dump(two)


def test_forces_from_outside_reach_the_part_inside():
    inner = glue(mass("a"), mass("b"), exports={"out": tie("b.end", "a.end").ends[0]})
    push = {"out": Signal.hold(np.array([4.0]))}
    done = inner.advance(inner.start(0.0).state, Window(0.0, 1.0), push)
    assert done.outputs["out"].x == pytest.approx([0.5 * 4.0 / 2.0])


def test_inner_windows_see_their_own_part_of_the_force():
    exports = {"out": tie("b.end", "a.end").ends[0]}
    model = glue(mass("a"), mass("b"), exports=exports, windows=5)
    ramp = {"out": Signal.line(np.array([0.0]), np.array([6.0]))}
    done = model.advance(model.start(0.0).state, Window(0.0, 1.0), ramp)
    assert done.outputs["out"].x == pytest.approx([6.0 / 2.0 / 6.0], rel=1e-3)
    assert done.stats["sweeps"] >= 10


def test_nested_nonlinear_parts_follow_the_flat_model():
    def three():
        return (
            mass("a", 1.0, 40.0, 0.1, hard=30.0),
            mass("b", 2.0, x0=0.1),
            mass("c", 0.5, 9.0, x0=0.1),
        )

    a, b, c = three()
    flat = glue(a, b, c, ties=[tie("a.end", "b.end"), tie("b.end", "c.end", name="k")])
    inner = glue(a, b, exports={"end": tie("b.end", "a.end").ends[0]})
    nested = glue(inner, c)
    one = flat.observe(advanced(flat, 100).state)
    two = nested.observe(advanced(nested, 100).state)
    assert two["c.x"].value == pytest.approx(one["c.x"].value, abs=1e-8)


def short_sighted(longest):
    """A mass of 1 kg that rejects windows longer than that."""

    def answer(window, force):
        if window.h > 1.001 * longest:
            return Rejected("b", "too long", window.t0 + longest)
        x = 0.5 * force[0] * window.h**2  # from rest: enough for the first window
        return [x, force[0] * window.h, force[0]]

    return Odd("b", answer)


def test_a_window_that_a_part_rejects_is_halved():
    model = glue(mass("a", k=40.0, x0=0.0), short_sighted(0.25))
    done = model.advance(model.start(0.0).state, Window(0.0, 1.0), {})
    assert done.stats["halvings"] == 3  # 1, and both halves
    too_short = glue(mass("a"), short_sighted(1e-3))
    found = too_short.advance(too_short.start(0.0).state, Window(0.0, 1.0), {})
    assert isinstance(found, Rejected)


def test_a_window_that_does_not_converge_is_halved():
    """Light bars that turn half a radian in a window: too fast to converge at once."""
    p = Pendulum(0.516, 2.06, 0.458, 0.963, (-1.863, -1.493), 0.0, 50.0)
    record = run(pendulum(p, solver=Newton()), 0.01, 250)
    assert record.stats["halvings"].sum() > 0
    assert record.stats["gap"].max() < 1e-10
    assert record.defect.max() < 1e-5 * np.abs(record.stats["speed"]).max() ** 2


def test_forces_of_halves_are_joined():
    """One window of two halves reports the line nearest to both."""
    first, second = np.array([[0.0], [1.0]]), np.array([[1.0], [1.0]])
    assert joined(first, second, 0.5) == pytest.approx(np.array([[0.0], [2.0]]))


@pytest.mark.quick(4)
@pytest.mark.parametrize("inner", INNER)
@pytest.mark.parametrize("outer", INNER)
def test_linear_parts_need_one_correction_under_every_pair_of_schemes(inner, outer):
    """The outside force has other coefficients than the inner joints."""
    parts = {n: chain(n, masses=3, stiffness=400.0, steps=10) for n in "abc"}
    right, left = tie("a.right", "b.left", name="i"), tie("ab.end", "c.left", name="o")
    pair = {n: parts[n] for n in "ab"}
    ab = IntegratedModel(
        "ab", pair, [right], TT(scheme(inner)), Newton(), {"end": ref("b.right")}
    )
    whole = {"ab": ab, "c": chain("c", masses=3, stiffness=400.0, steps=10, force=5.0)}
    model = IntegratedModel("abc", whole, [left], TT(scheme(outer)), Newton())
    step = model.start(0.0)
    for n in range(5):
        step = model.advance(step.state, uniform(0.0, 0.01, n), {})
        assert step.stats["iterations"] == 1
        assert step.stats["ab.iterations"] == 1


def blind(name, **more):
    """A mass that does not know its acceleration."""
    seeing = mass(name, **more)

    def motion(t, y, dy):
        return {"end": ([y[0]], [y[1]])}

    return replace(seeing, motion=motion, capabilities=Capabilities(acceleration=False))


@pytest.mark.parametrize("name", ["constant/e", "linear-discontinuous/e,v"])
@pytest.mark.parametrize("kinds", [(mass, blind, mass), (blind, blind)])
def test_accelerations_are_not_needed_where_nobody_compares_them(name, kinds):
    def motion(kinds):
        parts = [k(f"p{i}", m=1.0 + i, k=30.0, x0=0.1) for i, k in enumerate(kinds)]
        model = glue(*parts, name=name)
        step = advanced(model, 30)
        again = model.load(model.dump(step.state))
        assert model.dump(again) == model.dump(step.state)
        return model.observe(step.state)["p0.x"].value

    seeing = motion([mass] * len(kinds))
    assert motion(kinds) == pytest.approx(seeing, abs=1e-9)


def test_ports_may_have_any_name():
    def dotted(name, **more):
        leaf = mass(name, **more)
        return replace(
            leaf,
            dofs={"p.q": ("x",)},
            rate=lambda t, y, f: leaf.rate(t, y, {"end": f["p.q"]}),
            motion=lambda t, y, dy: {"p.q": leaf.motion(t, y, dy)["end"]},
        )

    joint = Tie("j", (PortRef("a", "p.q"), PortRef("b", "p.q")), ("x",))
    model = glue(dotted("a", k=9.0, x0=0.1), dotted("b", x0=0.1), ties=[joint])
    state = model.load(model.dump(advanced(model).state))
    assert not isinstance(model.advance(state, uniform(0.0, 0.01, 20), {}), Rejected)


def test_settings_say_all_that_decides_the_bits():
    inner = glue(mass("a"), mass("b"), exports={"end": ref("b.end")}, windows=2)
    solver = Lagged(Newton(refresh="never", patience=4))
    told = glue(inner, mass("c"), solver=solver, name="linear/deadbeat").settings()
    assert told["coupling"]["scheme"] == "linear/deadbeat"
    assert told["coupling"]["epsilon"] == 0.01
    assert (told["solver"]["refresh"], told["solver"]["patience"]) == ("lagged", 4)
    assert told["parts"]["pair"]["windows"] == 2


@pytest.mark.parametrize("name", [*INNER, "newmark/a,v,u"])
def test_accelerations_and_forces_agree_from_the_start(name):
    """Two masses on springs, pulled apart from equilibrium: F(0) is known."""
    if name in INNER:
        a, b = mass("a", 1.0, 40.0, x0=0.3), mass("b", 3.0, 8.0, x0=0.3)
    else:
        a, b = (
            Structure(
                n,
                LinearSystem(np.array([[m]]), np.zeros((1, 1)), np.array([[k]])),
                {"end": np.eye(1)},
                {"end": Port("end", ("x",))},
                start_at=Kinematics(*np.array([[0.3], [0.0], [0.0]])),
            )
            for n, m, k in (("a", 1.0, 40.0), ("b", 3.0, 8.0))
        )
    model = glue(a, b, name=name)
    start = model.start(0.0)
    acceleration = -(40.0 + 8.0) * 0.3 / 4.0
    assert start.state.forces[0] == pytest.approx([acceleration + 40.0 * 0.3])
    for end in model.connections[0].ends:
        assert start.state.motions[end].a == pytest.approx([acceleration])


def test_nested_models_settle_too():
    a, b, c = mass("a", 1.0, 40.0, 0.3), mass("b", 2.0, x0=0.3), mass("c", 3.0, x0=0.3)
    inner = glue(a, b, exports={"end": ref("b.end")})
    start = glue(inner, c).start(0.0).state
    acceleration = -40.0 * 0.3 / 6.0
    assert start.forces[0] == pytest.approx([-3.0 * acceleration])
    assert start.parts["pair"].forces[0] == pytest.approx([40.0 * 0.3 + acceleration])


def test_positions_far_away_do_not_ask_for_the_impossible():
    """1e-10 m is below the round-off of a position of 100,000 km."""
    model = glue(mass("a", 1.0, 40.0, x0=1e8), mass("b", 2.0, x0=1e8))
    assert advanced(model).stats["halvings"] == 0


def test_a_model_without_joints_just_advances_its_parts():
    model = glue(mass("a", v0=1.0), ties=[])
    assert model.observe(advanced(model, 10).state)["a.x"].value == pytest.approx(0.1)


@pytest.mark.quick(3)
@pytest.mark.parametrize("refresh", ["window", "paper", "contraction", "never"])
@pytest.mark.parametrize("update", ["broyden", "none"])
def test_every_policy_finds_the_same_motion(refresh, update):
    solver = Newton(refresh=refresh, update=update)
    model = glue(
        mass("a", 1.0, 40.0, 0.5, hard=90.0), mass("b", 2.0, x0=0.5), solver=solver
    )
    best = glue(mass("a", 1.0, 40.0, 0.5, hard=90.0), mass("b", 2.0, x0=0.5))
    found, expected = (m.observe(advanced(m).state)["b.x"].value for m in (model, best))
    assert found == pytest.approx(expected, abs=1e-9)


def test_probes_start_from_zero_force():
    assert Probe(0.01, floor=1.0).size(np.zeros((1, 2))) == 0.01
    assert Probe(0.01).size(np.array([[0.0, -300.0]])) == 3.0


@given(hnp.arrays(float, 3, elements=numbers), hnp.arrays(float, 5, elements=numbers))
def test_work_along_a_quartic_gap_is_exact(force, gap):
    """Against numpy's polynomials."""
    e, F = np.polynomial.Polynomial(gap), np.polynomial.Polynomial(force)
    d = [e(0), e.deriv()(0), e(1), e.deriv()(1), e.deriv(2)(1)]
    expected = (F * e.deriv()).integ()(1.0)
    scale = 1.0 + np.abs(force).max() * np.abs(gap).max()
    assert force @ work_weights(3) @ d == pytest.approx(expected, abs=1e-9 * scale)
