"""Linear parts pay one solve a window, at any depth."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from bondline.core import Advance, Rejected, Signal, Window, ref, uniform
from bondline.errors import NonFinite, WiringError
from bondline.gluing import TT, IntegratedModel, Newton, Tie, scheme
from bondline.gluing.crew import Threads
from bondline.leaves import chain

H = 0.01


def links():
    own = {"masses": 3.0, "mass": 0.5, "damping": 2.0}
    return [
        chain("a", **own, stiffness=900.0, wall=700.0),
        chain("b", **own, stiffness=1100.0),
        chain("c", **own, stiffness=500.0),
        chain("d", **own, stiffness=1300.0, force=40.0, frequency=3.0),
    ]


def glue(name, parts, joints, exports=None, how="newmark/a,v,u", **more):
    ties = [
        Tie(f"{x}{y}", (ref(x), ref(y)), ("x",)) for x, y in (j.split() for j in joints)
    ]
    outside = {k: ref(v) for k, v in (exports or {}).items()}
    solver = more.pop("solver", Newton())
    named = {p.name: p for p in parts}
    return IntegratedModel(name, named, ties, TT(scheme(how)), solver, outside, **more)


def flat(**more):
    joints = ["a.right b.left", "b.right c.left", "c.right d.left"]
    return glue("flat", links(), joints, **more)


def deep(**more):
    a, b, c, d = links()
    one = glue("one", [a, b], ["a.right b.left"], {"r": "b.right"}, **more)
    two = glue("two", [one, c], ["one.r c.left"], {"r": "c.right"}, **more)
    return glue("deep", [two, d], ["two.r d.left"], **more)


def follow(model, windows=30, h=H):
    step, every = model.start(0.0), []
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        every.append(step)
    return every


def ends(model, step):
    seen = model.observe(step.state)
    return {".".join(k.split(".")[-3:]): v.value for k, v in seen.items()}


@pytest.mark.parametrize("make", [flat, deep])
def test_each_leaf_pays_one_solve_a_window_once_the_matrix_is_there(make):
    first, *rest = follow(make())
    assert first.stats["builds"] == 1
    assert {s.stats["solves"] for s in rest} == {4}
    assert {s.stats["builds"] for s in rest} == {0}
    assert {s.stats["iterations"] for s in rest} == {1}


def test_nested_three_deep_is_flat():
    one, two = flat(), deep()
    for a, b in zip(follow(one, 100), follow(two, 100), strict=True):
        x, y = ends(one, a), ends(two, b)
        assert x.keys() == y.keys()
        assert list(y.values()) == pytest.approx(list(x.values()), abs=1e-14)


@dataclass(frozen=True)
class Iterated:
    """A chain that hides that it superposes."""

    inner: object

    def __getattr__(self, name):
        return getattr(self.inner, name)

    @property
    def capabilities(self):
        return replace(self.inner.capabilities, superposes=False)


@pytest.mark.parametrize("how", ["newmark/a,v,u"])
def test_superposition_is_what_iteration_finds(how):
    joints = ["a.right b.left", "b.right c.left", "c.right d.left"]
    hidden = glue("flat", [Iterated(p) for p in links()], joints, how=how)
    assert not hidden.capabilities.superposes
    for a, b in zip(follow(flat(how=how)), follow(hidden), strict=True):
        for part, state in a.state.parts.items():
            assert state == pytest.approx(b.state.parts[part], rel=1e-9, abs=1e-12)


def test_response_and_realisation_are_an_advance():
    a, b, *_ = links()
    model = glue("one", [a, b], ["a.right b.left"], {"r": "b.right", "l": "a.left"})
    state = follow(model, 5)[-1].state
    window, push = uniform(0.0, H, 5), Signal(np.array([[3.0], [-1.0]]))
    pull = Signal(np.array([[0.5]]))
    answer = model.respond(state, window, {"r": push})
    more = model.realise(answer, {"l": pull, "r": push})
    told = model.advance(state, window, {"r": push + push, "l": pull})
    assert answer.free.stats["solves"] == 2
    for port in ("l", "r"):
        x, y = more.outputs[port], told.outputs[port]
        assert x.x == pytest.approx(y.x, rel=1e-12)
        assert x.a == pytest.approx(y.a, rel=1e-9)


def test_the_condensed_flexibility_is_what_probing_finds():
    a, b, *_ = links()
    model = glue("one", [a, b], ["a.right b.left"], {"r": "b.right", "l": "a.left"})
    state, window = follow(model, 5)[-1].state, uniform(0.0, H, 5)
    push = {p: Signal(np.zeros((2, 1))) for p in ("l", "r")}
    known = model.linearise(state, window, push)
    base = model.advance(state, window, push)
    for port in ("l", "r"):
        for k in range(2):
            unit = np.zeros((2, 1))
            unit[k] = 1.0
            moved = model.advance(state, window, {**push, port: Signal(unit)})
            for out in ("l", "r"):
                before, after = base.outputs[out], moved.outputs[out]
                got = known.blocks[out, port][:, 0, k, 0]
                assert got[0] == pytest.approx(after.x[0] - before.x[0], abs=1e-12)
                assert got[2] == pytest.approx(after.a[0] - before.a[0], abs=1e-8)


def test_the_same_response_object_serves_windows_of_one_length():
    a, b, *_ = links()
    model = glue("one", [a, b], ["a.right b.left"], {"r": "b.right"})
    state = model.start(0.0).state
    one = model.respond(state, Window(0.0, H), {})
    two = model.respond(state, Window(5 * H, 6 * H), {})
    other = model.respond(state, Window(0.0, 2 * H), {})
    assert one.G is two.G
    assert other.G is not one.G


def test_threads_do_not_change_a_bit():
    alone, crowd = flat(), flat(crew=Threads(3))
    for a, b in zip(follow(alone), follow(crowd), strict=True):
        assert alone.dump(a.state) == crowd.dump(b.state)


def test_a_bushing_between_linear_parts_still_superposes():
    from bondline.gluing import Bushing

    a, b, *_ = links()
    tie = Tie("j", (ref("a.right"), ref("b.left")), ("x",))
    soft = Bushing(tie, (5e3,), (1.0,))
    parts = {"a": a, "b": b}
    model = IntegratedModel(
        "soft", parts, [soft], TT(scheme("newmark/a,v,u")), Newton()
    )
    assert model.capabilities.superposes
    step = follow(model)[-1]
    force = step.state.forces[0, 0]
    e = step.state.motions[ref("a.right")], step.state.motions[ref("b.left")]
    gap, rate = e[0].x - e[1].x, e[0].v - e[1].v
    assert force == pytest.approx(float(-5e3 * gap[0] - rate[0]), abs=1e-9)


@pytest.mark.parametrize("depth", [1, 2])
def test_loads_from_above_that_are_no_numbers_are_a_rejection(depth):
    a, b, c, _ = links()
    model = glue("one", [a, b], ["a.right b.left"], {"r": "b.right", "l": "a.left"})
    if depth == 2:
        model = glue("two", [model, c], ["one.r c.left"], {"l": "one.l"})
    state, window = model.start(0.0).state, Window(0.0, H)
    answer = model.respond(state, window, {})
    no = model.realise(answer, {"l": Signal.hold(np.array([np.nan]))})
    assert isinstance(no, Rejected)
    assert no.until == H / 2
    assert isinstance(no.error, NonFinite)
    assert no.error.place == "a, window to t = 0.01 s"
    assert "not finite" in no.error.finding
    assert "--step" in no.error.remedy
    assert isinstance(model.realise(answer, {}), Advance)


def test_a_part_that_rejects_its_loads_when_realised_is_the_answer():
    no = Rejected("b", "too much")

    @dataclass(frozen=True)
    class Picky:
        """Takes no additional loads."""

        inner: object

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def realise(self, response, inputs):
            return no if inputs else self.inner.realise(response, inputs)

    a, b, *_ = links()
    model = glue("one", [a, Picky(b)], ["a.right b.left"], {"r": "b.right"})
    answer = model.respond(model.start(0.0).state, Window(0.0, H), {})
    assert model.realise(answer, {}) is no


def test_a_kink_inside_a_window_is_no_matter_of_superposition():
    a, b, *_ = links()
    kinked = replace(b, kinks=(0.0037,))
    model = glue("one", [a, kinked], ["a.right b.left"], {"r": "b.right"})
    answer = model.respond(model.start(0.0).state, Window(0.0, H), {})
    assert isinstance(answer, Rejected)
    assert answer.until == 0.0037


def test_a_port_that_is_not_exported_is_named():
    a, b, *_ = links()
    model = glue("one", [a, b], ["a.right b.left"], {"right": "b.right"})
    state, push = model.start(0.0).state, {"rihgt": Signal(np.ones((1, 1)))}
    with pytest.raises(WiringError) as caught:
        model.advance(state, Window(0.0, H), push)
    assert "input rihgt" in caught.value.place
    assert "Did you mean 'right'?" in caught.value.remedy
