"""Many windows in one exchange are what they are one by one (docs/theory/blocks.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from bondline.core import (
    Block,
    Rejected,
    Settling,
    Signal,
    Windowed,
    uniform,
)
from bondline.errors import SettingError
from bondline.gluing import Newton, Pace
from bondline.gluing import glue as joined
from bondline.gluing.blocks.toeplitz import Toeplitz, convolved, enough
from bondline.gluing.solvers.choose import choose_solver
from bondline.gluing.solvers.forms import Inverse
from bondline.gluing.solvers.gluing_matrix import GluingMatrix
from bondline.leaves import FreeBar, PinnedBar, SpringChain, chain
from bondline.run import Keep, simulate
from tests.gluing.parts import glue as paired
from tests.gluing.parts import mass
from tests.gluing.test_superposing import glue, links

H = 0.002
HOWS = (
    ("newmark/a,v,u", 1),
    ("constant/e", 4),
    ("linear-discontinuous/e,v", 4),
    ("quadratic-discontinuous/e,v,a", 4),
    ("linear/deadbeat", 4),
)


def flat(how, steps):
    parts = [replace(p, steps=steps) for p in links()]
    joints = ["a.right b.left", "b.right c.left", "c.right d.left"]
    return glue("flat", parts, joints, how=how)


def deep(how, steps):
    a, b, c, d = (replace(p, steps=steps) for p in links())
    one = glue("one", [a, b], ["a.right b.left"], {"r": "b.right"}, how=how)
    two = glue("two", [one, c], ["one.r c.left"], {"r": "c.right"}, how=how)
    return glue("deep", [two, d], ["two.r d.left"], how=how)


def frames(model, windows, h=H):
    kept = Keep()
    simulate(model, windows * h, h, record=kept)
    return kept.frames


def values(every):
    return np.array([[v.value for v in f.values.values()] for f in every])


def forces(every):
    return np.array(
        [np.concatenate([r.coefficients.sum(0) for r in f.forces.values()])
         for f in every]
    )  # fmt: skip


def apart(one, two):
    """Largest difference, relative to the largest value."""
    return float(np.abs(one - two).max() / np.abs(two).max())


@pytest.mark.quick(5)
@pytest.mark.parametrize(("how", "steps"), HOWS)
@pytest.mark.parametrize("make", [flat, deep])
@pytest.mark.parametrize("block", [7, 20])
def test_a_block_is_its_windows_one_by_one(how, steps, make, block):
    model = make(how, steps)
    alone = frames(model, 30)
    together = frames(replace(model, block=block), 30)
    assert [f.t for f in together] == [f.t for f in alone]
    assert [f.values.keys() for f in together] == [f.values.keys() for f in alone]
    assert apart(values(together), values(alone)) < 1e-13
    F, G = forces(together)[1:], forces(alone)[1:]
    # each by its own largest: round-off of the motion, times Λ
    assert (np.abs(F - G).max(axis=0) <= 1e-11 * np.abs(G).max(axis=0)).all()
    stored = [[f.energy.stored for f in every] for every in (together, alone)]
    assert stored[0] == pytest.approx(stored[1], rel=1e-12)


def test_one_exchange_a_block_and_one_for_the_last_word():
    blocks = frames(replace(flat("newmark/a,v,u", 1), block=7), 63)[1:]
    each = [f.stats["exchanges"] for f in blocks]
    assert each[::7] == [1.0] * 8 + [2.0]
    assert sum(each) == 10


def test_every_tenth_block_starts_afresh():
    """A run can be taken up there; it costs an exchange."""
    blocks = frames(replace(flat("newmark/a,v,u", 1), block=2), 60)[1:]
    assert sum(f.stats["exchanges"] for f in blocks) == 30 + 3


def test_a_block_builds_one_gluing_matrix():
    blocks = frames(replace(deep("newmark/a,v,u", 1), block=10), 30)[1:]
    assert sum(f.stats["builds"] for f in blocks) == 1
    assert max(f.stats["gap"] for f in blocks) < 1e-15


@dataclass(frozen=True)
class Shy:
    """A linear chain that cannot tell its own H."""

    inner: object

    def __getattr__(self, name):
        if name in ("impulse", "respond_block", "try_block", "settle_block"):
            raise AttributeError(name)
        return getattr(self.inner, name)


def test_a_linear_part_without_blocks_of_its_own_gets_them():
    model = flat("newmark/a,v,u", 1)
    shy = replace(model, parts={n: Shy(p) for n, p in model.parts.items()})
    alone = values(frames(model, 40))
    assert apart(values(frames(replace(shy, block=8), 40)), alone) < 1e-13


class Far:
    """A linear part of elsewhere that knows nothing of blocks."""

    def __init__(self, inner) -> None:
        self.inner, self.trips = inner, 0
        self.name, self.ports = inner.name, inner.ports
        self.capabilities, self.parameters = inner.capabilities, {}

    def start(self, t0):
        return self.inner.start(t0)

    def advance(self, state, window, inputs):
        self.trips += 1
        return self.inner.advance(state, window, inputs)


def test_round_trips_to_a_part_without_blocks_are_counted_and_noted():
    model = replace(flat("newmark/a,v,u", 1), block=10)
    far = Far(model.parts["b"])
    model = replace(model, parts={**model.parts, "b": far})
    frames(model, 20)  # H is found once
    before, kept = far.trips, frames(model, 80)
    assert far.trips - before == sum(f.stats["exchanges"] for f in kept[1:]) >= 160
    assert "partner b has no blocks" in " ".join(kept[1].notes)


@pytest.mark.parametrize("steps", [1, 4])
def test_h_is_what_a_unit_force_leaves_behind(steps):
    part = chain("a", masses=3.0, mass=0.5, damping=2.0, stiffness=900.0, wall=700.0)
    part = replace(part, steps=steps)
    block = Block([uniform(0.0, H, j) for j in range(9)])
    own, seen = (m.impulse(None, block, 3).blocks for m in (part, Windowed(part)))
    assert own.keys() == seen.keys()
    for key, rows in own.items():
        assert rows.shape == (9, 3, 1, 3, 1)
        np.testing.assert_allclose(rows, seen[key], rtol=1e-9, atol=1e-13)


def test_the_h_of_a_composite_is_condensed_and_exact():
    inner = glue("in", links()[:2], ["a.right b.left"], {"r": "b.right", "l": "a.left"})
    block = Block([uniform(0.0, H, j) for j in range(12)])
    start = inner.start(0.0).state
    own, seen = (
        m.impulse(start, block, 2).blocks for m in (inner, Windowed(inner))
    )  # fmt: skip
    for key, rows in seen.items():
        size = np.abs(rows).max(axis=(0, 2, 3, 4), keepdims=True)
        assert (np.abs(own[key] - rows) <= 1e-10 * size).all()


def test_loads_from_outside_act_over_a_whole_block():
    """A composite under known forces on its export is what `advance` makes of it."""
    inner = glue("in", links()[:2], ["a.right b.left"], {"r": "b.right"})
    windows = [uniform(0.0, H, j) for j in range(6)]
    push = [{"r": Signal(np.array([[3.0 * k - 7.0]]))} for k in range(6)]
    start = inner.start(0.0).state
    response = inner.respond_block(start, Block(windows))
    done = inner.settle_block(Settling(inner.try_block(response, push), push))
    state = start
    for window, load, got in zip(windows, push, done.advances, strict=True):
        want = inner.advance(state, window, load)
        state = want.state
        for level in ("x", "v", "a"):
            one, two = (getattr(a.outputs["r"], level) for a in (got, want))
            assert one == pytest.approx(two, rel=1e-10, abs=1e-13)


def test_blocks_end_where_a_load_kinks():
    """Those windows are taken alone, and nothing differs."""
    a, b, c, d = links()
    kinked = replace(d, kinks=(0.0213,))
    model = glue(
        "flat",
        [a, b, c, kinked],
        ["a.right b.left", "b.right c.left", "c.right d.left"],
    )
    alone, together = frames(model, 30), frames(replace(model, block=10), 30)
    assert apart(values(together), values(alone)) < 1e-13
    asked = [f.stats["exchanges"] for f in together[1:]]
    # a block, the window with the kink inside in two pieces, the rest of the second
    # block, the third one
    assert [k for k, n in enumerate(asked) if n] == [0, 10, 11, 20]


@pytest.mark.parametrize("block", [2, 5, 10])
def test_a_waveform_iteration_is_the_double_pendulum_window_by_window(block):
    own = {"gravity": 9.81, "angle": 1.2}
    bars = [PinnedBar("upper", **own), FreeBar("lower", **own)]
    model = joined("pendulum", bars, {"A": ("upper.A", "lower.A")})
    alone = frames(model, 40, 0.01)
    together = frames(replace(model, block=block, waveform=True), 40, 0.01)
    assert np.abs(values(together) - values(alone)).max() < 1e-6
    asked = sum(f.stats["exchanges"] for f in together[1:])
    assert asked < sum(1 + f.stats["iterations"] for f in alone[1:])


@pytest.mark.parametrize("block", [2, 6])
def test_a_waveform_iteration_closes_a_chain_of_cubic_springs(block):
    stretched = np.array([np.linspace(-0.05, 0.0, 11), np.zeros(11)])
    one = SpringChain("one", start_at=stretched)  # springs twice as stiff as at rest
    model = glue("pair", [one, SpringChain("two")], ["one.right two.left"])
    model = replace(model, solver=Newton(tolerance=1e-12))
    alone = frames(model, 36, 2e-4)
    together = frames(replace(model, block=block, waveform=True), 36, 2e-4)
    assert apart(values(together), values(alone)) < 1e-7
    assert max(f.stats["gap"] for f in together[1:]) < 1e-11


def test_a_block_that_does_not_contract_is_halved():
    """A hard spring over a long block: smaller blocks go on, the answer stays."""
    model = paired(
        mass("a", m=1.0, k=50.0, hard=4e4, x0=0.3, v0=0.0),
        mass("b", m=2.0, x0=0.3),
    )
    alone = frames(model, 48, 0.02)
    together = frames(replace(model, block=48, waveform=True), 48, 0.02)
    assert np.abs(values(together) - values(alone)).max() < 1e-5
    blocks = sum(f.stats["exchanges"] > 0 for f in together[1:])
    assert blocks > 1


def refusal(model, **more):
    with pytest.raises(SettingError) as caught:
        replace(model, **more)
    return str(caught.value)


def test_a_block_says_why_it_cannot_be():
    model = flat("newmark/a,v,u", 1)
    assert "block of 0 windows" in refusal(model, block=0)
    assert "no blocks to iterate on" in refusal(model, waveform=True)
    assert "adaptive" in refusal(model, block=5, pace=Pace(1e-6))
    assert "exchange 3 times" in refusal(model, block=5, windows=3)
    aitken = choose_solver("aitken")
    assert "solver is aitken" in refusal(model, block=5, solver=aitken)
    said = refusal(paired(mass("a"), mass("b")), block=5)
    assert "part a is not linear" in said
    assert "--waveform" in said


@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("windows", [1, 9, 40])  # fewer and more than at once
def test_halves_are_forward_substitution(often, windows):
    rng = np.random.default_rng(3)
    J = rng.standard_normal((windows, 4, 4))
    J[1:] *= 0.1
    J[0] += 8.0 * np.eye(4)
    Lam = GluingMatrix(Inverse(np.linalg.inv(J[0])), 1.0, 1.0)
    R = rng.standard_normal((windows, 4, 2))
    Z = Toeplitz(J, Lam, often).solve(R)
    np.testing.assert_allclose(convolved(J, Z), -R, atol=1e-12)


@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("lags", [40, 50, 333, 1000])
def test_lags_that_a_run_does_not_need_decide_no_bit(lags, often):
    rng = np.random.default_rng(7)
    J = rng.standard_normal((lags, 3, 3)) * 0.1
    J[0] += np.eye(3)
    Lam = GluingMatrix(Inverse(np.linalg.inv(J[0])), 1.0, 1.0)
    for windows in (1, 5, 16, 17, 53, 200):
        some = enough(lags, windows)
        assert min(lags, windows) <= some < 2 * max(windows, 16)
        R = rng.standard_normal((min(lags, windows), 3))
        few, every = (Toeplitz(H, Lam, often).solve(R) for H in (J[:some], J))
        np.testing.assert_array_equal(few, every)
        # as impulse responses of a model with joints of its own are found
        few, every = (Toeplitz(H, Lam, often).solve(H) for H in (J[:some], J))
        np.testing.assert_array_equal(few, every[:some])


@dataclass(frozen=True)
class Asked(Shy):
    """A chain that writes down how many lags it was asked for."""

    lags: list[int]

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def impulse(self, state, block, powers):
        self.lags.append(len(block.windows))
        return self.inner.impulse(state, block, powers)


@pytest.mark.parametrize("make", [flat, deep])
@pytest.mark.parametrize(("windows", "lags"), [(53, 62), (62, 62), (63, 125), (3, 31)])
def test_nobody_is_asked_for_many_more_responses_than_a_run_has_windows(
    make, windows, lags
):
    model = replace(make("newmark/a,v,u", 1), block=1000)
    asked = Asked(model.parts["d"], [])
    long = replace(model, parts={**model.parts, "d": asked})
    got = frames(long, windows)
    assert asked.lags == [lags]
    same = frames(replace(model, block=lags), windows)
    np.testing.assert_array_equal(values(got), values(same))
    np.testing.assert_array_equal(forces(got), forces(same))
    alone = values(frames(replace(model, block=1), windows))
    assert apart(values(got), alone) < 1e-12


@pytest.mark.parametrize("often", [False, True])
@pytest.mark.parametrize("cases", [(), (1,), (3,)])
@pytest.mark.parametrize("conditions", [1, 2])
def test_a_block_is_solved_without_touching_its_residual(conditions, cases, often):
    rng = np.random.default_rng(5)
    for windows in range(1, 41):
        J = rng.standard_normal((windows, conditions, conditions)) * 0.1
        J[0] += np.eye(conditions)
        T = Toeplitz(J, GluingMatrix(Inverse(np.linalg.inv(J[0])), 1.0, 1.0), often)
        R = rng.standard_normal((windows, conditions, *cases))
        same = R.copy()
        T.solve(R)
        np.testing.assert_array_equal(R, same)


def settled(model):
    """The first of two blocks, settled in the exchange that tries the second one."""
    here, after = (
        Block([uniform(0.0, H, j) for j in windows])
        for windows in (range(4), range(4, 8))
    )
    response = model.respond_block(model.start(0.0).state, here)
    trial = model.try_block(response, (), after)
    if isinstance(trial, Rejected):
        return trial
    return model.try_block(trial.ahead, (), None, Settling(trial, ()))


def chained(links=40):
    """So many joints that all are looked at in one array; all ports are glued."""
    own = {"masses": 3.0, "mass": 0.5, "damping": 2.0, "stiffness": 900.0}
    parts = [chain(f"c{k}", **own) for k in range(links)]
    parts[0] = replace(parts[0], external=lambda t: np.full(3, 40.0))
    joints = [f"c{k}.right c{k + 1}.left" for k in range(links - 1)]
    ends = {"l": "c0.left", "r": f"c{links - 1}.right"}
    return glue("chained", parts, joints, ends)


def test_nobody_waits_for_stock_to_be_taken_of_a_block():
    model = chained()
    heard = []
    model.listen(heard.append)
    found = settled(model)
    assert not heard, "what the next block needs is known before"
    assert len(found.settled) == 4
    states = [advance.state for advance in found.settled]
    assert len(heard) == 4
    assert [advance.state for advance in found.settled] == states
    assert len(heard) == 4, "stock is taken once"
    alone = model.start(0.0).state
    for k, state in enumerate(states):
        alone = model.advance(alone, uniform(0.0, H, k), {}).state
        assert apart(state.forces, alone.forces) < 1e-11


@dataclass(frozen=True)
class Straying(Shy):
    """A chain that ends a block elsewhere than where it said that it would go."""

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def try_block(self, response, more, ahead=None, before=None):
        trial = self.inner.try_block(response, more, ahead, before)
        return replace(trial, settled=list(map(self._astray, trial.settled)))

    def settle_block(self, settling, ahead=None):
        done = self.inner.settle_block(settling, ahead)
        return replace(done, advances=list(map(self._astray, done.advances)))

    @staticmethod
    def _astray(advance):
        shown = {p: replace(m, x=m.x + 1e-3) for p, m in advance.outputs.items()}
        return replace(advance, outputs=shown)


def test_what_does_not_superpose_is_refused_before_anybody_hears_of_it():
    model = chained()
    parts = {**model.parts, "c1": Straying(model.parts["c1"])}
    lying = replace(model, parts=parts)
    refused = settled(lying)
    assert isinstance(refused, Rejected)
    assert "do not superpose" in refused.reason
    alone, together = frames(model, 30), frames(replace(lying, block=7), 30)
    assert apart(values(together), values(alone)) < 1e-13


def test_a_rejected_window_is_no_block():
    model = flat("newmark/a,v,u", 1)
    broken = np.full_like(model.start(0.0).state.parts["a"], np.nan)
    state = model.start(0.0).state
    state = replace(state, parts={**state.parts, "a": broken})
    block = Block([uniform(0.0, H, j) for j in range(4)])
    assert isinstance(model.respond_block(state, block), Rejected)
