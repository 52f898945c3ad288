"""Two rates between leaves: orders, stability, counts; the composite is a leaf."""

import numpy as np
import pytest

from bondline.core import Capabilities, Signal, uniform
from bondline.gluing import SCHEMES, IntegratedModel, TwoRates, glue
from bondline.leaves import chain
from bondline.testing import check_leaf
from tests.gluing.two_rates_parts import Pair, error, fast, run, slow
from tests.gluing.wrapped import Once

PARABOLA = SCHEMES["quadratic-discontinuous/e,v,a"]


@pytest.mark.quick(2)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_one_pass_is_two_orders_above_what_is_foretold(order):
    """The short windows have a scheme whose own error is not seen here."""
    pair, how = Pair(k2=1000.0), {"order": order, "scheme": PARABOLA}
    found = [error(pair, pair.glued(**how), H, 0.2) for H in (0.01, 0.005)]
    assert np.log2(found[0] / found[1]) == pytest.approx(order + 2, abs=0.2)


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"order": 1}, 3),
        ({"order": 2}, 4),
        ({"order": 3, "scheme": PARABOLA}, 5),
    ],
)
def test_iterated_windows_have_an_order_too(how, expected):
    pair = Pair(k2=300.0)
    models = [pair.glued(iterate=True, tolerance=1e-14, **how) for _ in range(2)]
    found = [error(pair, m, H, 0.2) for m, H in zip(models, (0.02, 0.01), strict=True)]
    assert np.log2(found[0] / found[1]) == pytest.approx(expected, abs=0.3)


@pytest.mark.parametrize(("mass", "order"), [(0.01, 1), (1.0, 2), (100.0, 3)])
def test_beside_a_free_slow_part_nothing_limits_the_window(mass, order):
    """ω_c H is 9 here: what the fast part asks for, the stand-in gives at once."""
    pair = Pair(k=0.0, m=0.5 * mass, m2=0.5 * mass, k2=3000.0 * mass)
    H = 9.0 / pair.omega
    model = pair.glued(order=order, windows=20)
    done = run(model, H, 25)
    assert max(a.stats["gap"] for a in done) < 1e-11
    x = [done[-1].state.parts["slow"][0], done[-1].state.parts["fast"][2]]
    assert np.abs(x - pair.exact(25 * H)).max() < 1e-4


def test_a_slow_part_is_advanced_once_a_window_and_iterated_only_at_the_start():
    model = Pair().glued(windows=10)
    first, *later = run(model, 0.01, 5)
    assert first.stats["sweeps"] > 1
    for done in later:
        assert done.stats["sweeps"] == 1
        assert done.stats["fast.windows"] == 10
        assert done.stats["solves"] == done.stats["fast.solves"] + 1


def test_a_slow_part_need_not_repeat_a_window():
    """`Once` would object: the first window is not iterated, either."""
    pair, H = Pair(k2=300.0), 0.01
    once, twice = (
        run(pair.glued(wrap=wrap, order=2), H, 20)[-1].state.parts["fast"]
        for wrap in (Once, lambda part: part)
    )
    assert 0.0 < np.abs(once - twice).max() < 1e-4


def test_the_paper_s_form_is_stable_where_theory_says():
    """Light at the joint, and ω_c H = 0.9; a quarter of the inertia is too much."""
    light = Pair(k=0.0, m=1e-3, m2=0.5, k2=1.0)
    H = 0.9 / light.omega
    held = light.glued(form="paper", order=2)
    assert error(light, held, H, 60 * H) < 0.01
    heavy = Pair(k=0.0, m=0.25, m2=0.25, k2=1.0)
    grown = run(heavy.glued(form="paper", order=2, windows=2), 0.1, 40)
    assert grown[-1].stats["gap"] > 1e3 * grown[10].stats["gap"] > 0.0


def test_residual_beats_the_paper_s_form():
    pair = Pair(k=0.1, m=1e-3, m2=0.5, k2=100.0)
    H = 0.5 / pair.omega
    paper, residual = (
        error(pair, pair.glued(form=form, scheme=PARABOLA), H, 40 * H)
        for form in ("paper", "residual")
    )
    assert residual < paper / 50


def test_runs_go_on_from_bytes_to_the_same_bits():
    model = Pair().glued()
    six = run(model, 0.01, 6)
    kept = model.load(model.dump(six[2].state))
    resumed = run(model, 0.01, 3, now=type(six[2])(kept, {}), first=3)
    assert model.dump(resumed[-1].state) == model.dump(six[-1].state)
    again = run(model, 0.01, 3, now=six[2], first=3)
    assert model.dump(again[-1].state) == model.dump(six[-1].state)


def test_the_composite_is_a_leaf():
    model = Pair(k2=300.0).glued(windows=3)
    check_leaf(model, window=0.01, windows=4).raise_if_failed()


def test_loads_from_outside_reach_both_sides():
    pair = Pair(k=0.0)
    push = {"q": Signal(np.array([[3.0]])), "end": Signal(np.array([[1.0], [2.0]]))}
    done = run(pair.glued(), 0.01, 1, push)[-1]
    y = np.concatenate([done.state.parts[n] for n in ("slow", "fast")])
    momentum = (pair.M + pair.m) * y[1] + pair.m2 * y[5]
    assert momentum == pytest.approx(0.01 * (3.0 + 1.0 + 1.0), rel=1e-9)


def test_a_fast_group_of_leaves_is_one_fast_leaf():
    """Glued of two masses and a bar inside, with windows of its own."""
    pair, H = Pair(), 0.005
    whole = pair.glued(order=2)
    more = fast(0.25, 0.5, 3000.0, name="core")
    extra = slow(0.25, 0.0, 0.1, name="lump")
    group = glue(
        "fast",
        [more, extra],
        {"K": ("core.p", "lump.q")},
        scheme="linear-discontinuous/e,v",
        solver=whole.solver.iterated,
        exports={"p": "core.p"},
    )
    assert isinstance(group, IntegratedModel)
    model = glue(
        "both",
        [slow(), group],
        {"J": ("slow.p", "fast.p")},
        coupling=TwoRates("fast", order=2),
        solver=whole.solver.iterated,
    )
    one, two = (run(m, H, 20)[-1].state.parts["slow"] for m in (whole, model))
    assert np.abs(one - two).max() < 1e-6
    assert np.abs(one).max() > 0.05


def test_nested_in_another_model_it_is_glued_like_any_part():
    pair, H = Pair(), 0.01
    inner = pair.glued(iterate=True, windows=3)
    tip = slow(0.2, 50.0, 0.11, name="tip")
    ends = {"L": ("both.end", "tip.p")}
    outer = glue("all", [inner, tip], ends, scheme="linear-discontinuous/e,v")
    done = run(outer, H, 10)
    assert max(a.stats["gap"] for a in done) < 1e-9
    assert done[-1].state.parts["tip"][0] == pytest.approx(
        done[-1].state.parts["both"].parts["fast"][2], abs=1e-9
    )


def test_a_nonlinear_slow_part_changes_its_mobility():
    """A mass that grows as it moves: one W for what was and what will be."""

    def rate(t, y, f):
        m = 1.0 + y[0] ** 2
        return [y[1], (f["p"][0] - 10.0 * y[0] - y[0] * y[1] ** 2) / m]

    def model():
        heavy = slow(capabilities=Capabilities(), name="slow")
        grown = type(heavy)(
            "slow",
            [1.0, 0.0],
            {"p": ("x",)},
            rate,
            lambda t, y, d: {"p": (y[:1], y[1:], d[1:])},
            integrate=heavy.integrate,
        )
        parts = [grown, fast(x=1.0)]
        coupling = TwoRates("fast", order=2)
        return glue("both", parts, {"J": ("slow.p", "fast.p")}, coupling=coupling)

    paths = []
    for H, skip in ((0.01, 1), (0.005, 2), (0.0025, 4)):
        done = run(model(), H, round(0.1 / H))[skip - 1 :: skip]
        paths.append([[*a.state.parts["slow"], *a.state.parts["fast"]] for a in done])
    positions = np.array(paths)[:, :, [0, 2, 4]]
    one, two = np.abs(np.diff(positions, axis=0)).max(axis=(1, 2))
    assert np.log2(one / two) == pytest.approx(4.0, abs=0.5)


def test_windows_may_change_their_length():
    pair, model, t = Pair(), Pair().glued(), 0.0
    now = model.start(0.0)
    for h in [0.005, 0.004, 0.006, 0.005, 0.0025] * 8:
        window = type(uniform(0.0, 1.0, 0))(t, t + h)
        now, t = model.advance(now.state, window, {}), t + h
    x = [now.state.parts["slow"][0], now.state.parts["fast"][2]]
    assert np.abs(x - pair.exact(t)).max() < 1e-6


def test_linear_structures_pay_one_solve_a_window_long_or_short():
    """Stand-ins superpose, too; both rates have the motion of one."""

    def parts(ratio):
        soft = {"mass": 10.0, "stiffness": 100.0, "wall": 100.0, "force": 5.0}
        return [
            chain("heavy", masses=3, steps=8 * ratio, frequency=1.0, **soft),
            chain("light", masses=3, mass=0.5, stiffness=5e4, steps=8),
        ]

    ends = {"J": ("heavy.right", "light.left")}
    one = glue("one", parts(1), ends, scheme="linear-discontinuous/e,v")
    two = glue("two", parts(5), ends, coupling=TwoRates("light", windows=5))
    plain, done = run(one, 0.002, 100)[-1], run(two, 0.01, 20)[-1]
    assert (done.stats["light.solves"], done.stats["solves"]) == (5, 6)
    x, y = (
        np.concatenate([m.x for _, m in sorted(a.state.motions.items())])
        for a in (plain, done)
    )
    assert np.abs(x - y).max() < 1e-5 * np.abs(x).max() > 0.0
