"""Linear parts pay one solve a window when they are coupled through motion, too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from bondline.core import Capabilities, Effort, Signal, Window, ref, uniform
from bondline.gluing import TT, Tie, glue, scheme
from bondline.gluing.couplings.motion_schemes import force_scheme, motion_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.gluing.crew import Threads
from bondline.leaves import chain
from tests.gluing.driven import (
    T,
    X,
    all_at_once,
    between,
    coupled,
    cut_in_three,
    cut_in_two,
    led,
    row,
)

CUTS = {
    "X-X": (X, X, X, X),
    "a leads b leads c": (T, X, T, X),
    "b leads both": (X, T, T, X),
    "b follows both": (T, X, X, T),
}
H = 0.01


def coupling(left, right):
    if left is right:
        motion = XX(motion_scheme("newmark/f"))
        return motion if left is X else TT(scheme("newmark/a,v,u"))
    return XT(force_scheme("newmark/f"))


def flat(sides, change=lambda part: part, **more):
    parts, ties = cut_in_three(*sides)
    return coupled(coupling(*sides[:2]), *map(change, parts), ties=ties, **more)


def follow(model, windows=30):
    step, every = model.start(0.0), []
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, H, n), {})
        every.append(step)
    return every


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("sides", CUTS.values(), ids=CUTS)
def test_each_leaf_pays_one_solve_a_window_once_the_matrix_is_there(sides, steps):
    first, *rest = follow(flat(sides, lambda p: replace(p, steps=steps)))
    assert first.stats["builds"] == 1
    assert {s.stats["solves"] for s in rest} == {3}
    assert {s.stats["builds"] for s in rest} == {0}
    assert {s.stats["iterations"] for s in rest} == {1}


@dataclass(frozen=True)
class Iterated:
    """A part that hides that it superposes."""

    inner: object

    def __getattr__(self, name):
        return getattr(self.inner, name)

    @property
    def capabilities(self):
        return replace(self.inner.capabilities, superposes=False)


@pytest.mark.quick(3)
@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("sides", CUTS.values(), ids=CUTS)
def test_superposition_is_what_iteration_finds(sides, steps):
    quick = follow(flat(sides, lambda p: replace(p, steps=steps)))
    slow = follow(flat(sides, lambda p: Iterated(replace(p, steps=steps))))
    assert {s.stats["solves"] for s in slow[1:]} == {6}
    for a, b in zip(quick, slow, strict=True):
        for part, state in a.state.parts.items():
            other, scale = b.state.parts[part], np.abs(state).max()
            assert state == pytest.approx(other, abs=1e-11 * scale)
        assert a.energy.stored == pytest.approx(b.energy.stored, rel=1e-11)
        assert a.energy.dissipated == pytest.approx(b.energy.dissipated, abs=1e-11)


def test_only_the_parts_that_superpose_are_spared():
    a = row("a", [1.0], [], {"r": (0, X)}, [0.1], wall=40.0)
    ties = [Tie("j", (ref("a.r"), ref("b.end")), ("x",))]
    model = coupled(coupling(X, X), a, led("b", 2.0, 20.0, x0=0.1), ties=ties)
    assert {s.stats["solves"] for s in follow(model)[1:]} == {3}


@pytest.mark.parametrize("sides", CUTS.values(), ids=CUTS)
def test_threads_do_not_change_a_bit(sides):
    alone, crowd = flat(sides), flat(sides, crew=Threads(3))
    for a, b in zip(follow(alone), follow(crowd), strict=True):
        assert alone.dump(a.state) == crowd.dump(b.state)


EVERY = {"".join(s.value for s in sides): sides for sides in product((T, X), repeat=4)}


def nested(sides, change=lambda part: part, **more):
    """a and b glued; b's other end exported and glued to c one level up."""
    (a, b, c), (j, _) = cut_in_three(*sides)
    a, b, c = map(change, (a, b, c))
    exports = {"r": ref("b.r")}
    inner = coupled(
        coupling(*sides[:2]), a, b, ties=[j], name="ab", exports=exports, **more
    )
    tie = Tie("k", (ref("ab.r"), ref("c.l")), ("x",))
    return coupled(coupling(*sides[2:]), inner, c, ties=[tie])


def displacements(step):
    inner, c = step.state.parts["ab"].parts, step.state.parts["c"]
    a, b, c = (y.reshape(3, -1)[0] for y in (inner["a"], inner["b"], c))
    return np.concatenate([a, b[1:], c[1:]])


@pytest.mark.quick(6)
@pytest.mark.parametrize("sides", EVERY.values(), ids=EVERY)
def test_nested_is_flat_whatever_each_port_takes(sides):
    steps = follow(nested(sides), 60)
    whole = all_at_once(H, 60)
    found = np.array([displacements(s) for s in steps])
    assert np.abs(found - whole).max() < 1e-11 * np.abs(whole).max()
    assert {s.stats["iterations"] for s in steps} == {1}


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", ["XXXX", "TXXX", "TXTX", "XTTX", "TXXT"])
def test_round_off_in_accelerations_does_not_grow(name):
    """One-step parts find them from positions; what is wrong must die out."""
    sides, h = EVERY[name], 0.001
    model, grown = nested(sides), []
    step = model.start(0.0)
    for n in range(150):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        m, inner = step.state.motions, step.state.parts["ab"].motions
        for one, two in (
            (m[ref("ab.r")], m[ref("c.l")]),
            (inner[ref("a.r")], inner[ref("b.l")]),
        ):
            grown.append(float(np.abs(one.a - two.a)[0]))
    assert max(grown) < 1e-9  # 1e-8 to 1e-7 where it rings


@pytest.mark.parametrize("name", ["TTTX", "TTXT", "TTXX"])
def test_a_glued_model_below_superposes_through_ports_that_take_motion(name):
    _, *rest = follow(nested(EVERY[name]))
    assert {s.stats["solves"] for s in rest} == {3}


@pytest.mark.quick(2)
@pytest.mark.parametrize("sides", CUTS.values(), ids=CUTS)
def test_nested_is_flat_with_several_steps_a_window(sides):
    def finer(part):
        return replace(part, steps=4)

    one, two = follow(flat(sides, finer), 50), follow(nested(sides, finer), 50)
    for a, b in zip(one, two, strict=True):
        parts = a.state.parts
        u = [parts[n].reshape(3, -1)[0] for n in "abc"]
        expected = np.concatenate([u[0], u[1][1:], u[2][1:]])
        assert displacements(b) == pytest.approx(expected, abs=1e-12)


def test_the_flexibility_of_a_model_with_a_driven_export_is_what_probing_finds():
    for name in ("TTXX", "XXXX", "TXXX"):
        model = nested(EVERY[name]).parts["ab"]
        state, w = follow(model, 5)[-1].state, uniform(0.0, H, 5)
        told = {"r": Signal(np.full((3, 1), 0.1))}
        G = model.linearise(state, w, told).blocks["r", "r"]
        assert G.shape == (1, 1, 3, 1)
        before = model.advance(state, w, told).outputs["r"]
        assert isinstance(before, Effort)
        for k in range(3):
            moved = told["r"].coefficients.copy()
            moved[k] += 1.0
            after = model.advance(state, w, {"r": Signal(moved)}).outputs["r"]
            assert G[0, 0, k, 0] == pytest.approx((after.f - before.f)[0], rel=1e-9)


def test_a_response_shows_the_effort_of_a_driven_export():
    model = nested(EVERY["TTXX"]).parts["ab"]
    assert model.capabilities.superposes
    state, w = follow(model, 5)[-1].state, uniform(0.0, H, 5)
    known, more = (Signal(np.full((6, 1), x)) for x in (0.01, 0.03))
    response = model.respond(state, w, {"r": known})
    shown = response.free.outputs["r"]
    alone = model.advance(state, w, {"r": known}).outputs["r"]
    assert isinstance(shown, Effort)
    assert shown.f == pytest.approx(alone.f, rel=1e-10)
    both = model.advance(state, w, {"r": known + more}).outputs["r"]
    done = model.realise(response, {"r": more}).outputs["r"]
    assert done.f == pytest.approx(both.f, rel=1e-10)
    G = response.G.blocks["r", "r"][0, 0, :, 0]
    assert shown.f + G @ more.coefficients == pytest.approx(both.f, rel=1e-10)


class Blunt:
    """A part without `press`."""

    def __init__(self, inner):
        self._inner, self.name = inner, inner.name
        self.ports, self.parameters = inner.ports, inner.parameters
        self.capabilities = replace(inner.capabilities, superposes=False)
        self.start, self.advance = inner.start, inner.advance


def test_a_glued_part_that_cannot_be_pressed_keeps_the_efforts_it_has_shown():
    """Glued by force at one end, the motion of its other end still unknown."""
    a, b, c = Blunt(chain("a")), chain("b", ("right",), wall=50.0), chain("c")
    shown = {"l": "a.left", "r": "b.right"}
    inner = glue("ab", [a, b], {"j": ("a.right", "b.left")}, exports=shown)
    start = inner.start(0.0)
    assert isinstance(start.outputs["r"], Effort)
    assert set(inner.press(start.state, 0.0, {}).outputs) == {"l"}
    outer = glue("m", [inner, c], {"k": ("ab.l", "c.right")}, exports={"r": "ab.r"})
    first = outer.start(0.0)
    assert isinstance(first.outputs["r"], Effort)
    assert first.outputs["r"].f.tolist() == start.outputs["r"].f.tolist()
    assert outer.press(first.state, 0.0, {}).outputs == {}


def test_a_glued_part_that_cannot_be_pressed_starts_unpressed():
    parts, ties = cut_in_two(X, X)
    flat_start = coupled(coupling(X, X), *map(Blunt, parts), ties=ties).start(0.0)
    start = nested(EVERY["XXXX"], Blunt).start(0.0)
    assert not flat_start.state.history.known
    assert not start.state.history.known
    done = nested(EVERY["XXXX"], Blunt).advance(start.state, Window(0.0, H), {})
    assert done.stats["residual"] < 1e-10


def test_a_nonlinear_model_with_a_driven_export_is_probed_in_proportion():
    """Half a millimetre of motion: probes of a centimetre would see another spring."""
    size, hard = 5e-4, 4e8
    b = between("b", 1.0, 300.0, 2.0, x0=size, hard=hard, capabilities=Capabilities())
    joint = Tie("k", (ref("b.right"), ref("c.end")), ("x",))
    exports = {"l": ref("b.left")}
    c = led("c", 0.5, 50.0, x0=size)
    inner = coupled(coupling(T, X), b, c, ties=[joint], name="bc", exports=exports)
    ties = [Tie("j", (ref("a.end"), ref("bc.l")), ("x",))]
    model = coupled(coupling(X, X), led("a", 2.0, 40.0, x0=size), inner, ties=ties)
    steps = follow(model, 100)
    assert max(s.stats["iterations"] for s in steps) <= 4
    (x, y), (v, w), dt = (size, size), (0.0, 0.0), 1e-5
    for _ in range(100_000):  # semi-implicit Euler is enough for three digits
        v -= dt * (40.0 * x + hard * x**3 + 300.0 * (x - y)) / 3.0
        w -= dt * (50.0 * y + 300.0 * (y - x)) / 2.5
        x, y = x + dt * v, y + dt * w
    found = steps[-1].state.motions[ref("a.end")].x[0]
    assert found == pytest.approx(x, abs=0.01 * size)
