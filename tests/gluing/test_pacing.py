"""Adaptive windows: as long as the error allows."""

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Rejected, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import TT, Pace, scheme
from bondline.gluing import glue as tied
from bondline.leaves import FreeBar, FunctionLeaf, PinnedBar
from tests.gluing.parts import Odd, glue, mass

LINE = "linear-discontinuous/e,v"


def pendulum(how=LINE, pace=None):
    upper = PinnedBar("upper", mass=10.0, torque=-200.0)
    lower = FreeBar("lower", mass=20.0, length=2.0)
    model = tied("dp", [upper, lower], {"A": ("upper.A", "lower.A")}, scheme=how)
    return replace(model, pace=pace)


def follow(model, end=0.5, h=0.1):
    step, stats = model.start(0.0), []
    for n in range(round(end / h)):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        stats.append(step.stats)
    counts = {k: sum(s[k] for s in stats) for k in ("windows", "solves", "rejected")}
    return step, counts


def place(model, step):
    seen = model.observe(step.state)
    return np.array([seen["lower.com.x"].value, seen["lower.com.y"].value])


@pytest.fixture(scope="module")
def exact():
    model = pendulum("quadratic-discontinuous/e,v,a")
    return place(model, follow(model, h=0.001)[0])


@pytest.mark.parametrize(
    ("how", "estimate"),
    [(LINE, "defect"), (LINE, "doubling"), ("quadratic-discontinuous/e,v,a", "auto")],
)
def test_a_smaller_tolerance_gives_a_smaller_error(how, estimate, exact):
    errors, windows = [], []
    for tolerance in (1e-4, 1e-6, 1e-8):
        model = pendulum(how, Pace(tolerance, estimate))
        step, counts = follow(model)
        errors.append(np.abs(place(model, step) - exact).max())
        windows.append(counts["windows"])
    assert errors[0] > 5 * errors[1] > 25 * errors[2]
    assert windows[0] < windows[1] < windows[2]
    assert errors[2] < 1e-7


def test_the_next_window_is_part_of_the_state():
    model = pendulum(pace=Pace(1e-6))
    step, _ = follow(model, 0.2)
    again = model.load(model.dump(step.state))
    assert again.pace == step.state.pace > 0.0
    window = Window(0.2, 0.3)
    one, two = (model.advance(s, window, {}) for s in (step.state, again))
    assert model.dump(one.state) == model.dump(two.state)


def kicked(at):
    """A mass whose own load jumps at `at`, and says so."""

    class Kicked:
        def __init__(self):
            self.leaf = FunctionLeaf(
                "kicked",
                [0.0, 0.0],
                {"end": ("x",)},
                lambda t, y, f: [y[1], f["end"][0] + (50.0 if t >= at else 0.0)],
                lambda t, y, dy: {"end": ([y[0]], [y[1]], [dy[1]])},
            )

        def __getattr__(self, name):
            return getattr(self.leaf, name)

        def breaks(self, window):
            return [at] if window.t0 < at < window.t1 else []

    return Kicked()


@pytest.mark.parametrize("pace", [None, Pace(1e-6)])
def test_a_window_ends_where_a_load_jumps(pace):
    seen = []

    class Watched(type(kicked(0.0337))):
        def advance(self, state, window, inputs):
            seen.append(window)
            return self.leaf.advance(state, window, inputs)

    part = Watched()
    part.leaf = kicked(0.0337).leaf
    model = replace(glue(part, mass("b"), name=LINE), pace=pace)
    model.advance(model.start(0.0).state, Window(0.0, 0.1), {})
    assert all(not w.t0 < 0.0337 < w.t1 for w in seen)
    assert any(w.t1 == pytest.approx(0.0337) for w in seen)


def test_a_part_may_refuse_a_window_and_say_how_far_it_gets():
    asked = []

    def answer(window, force):
        asked.append(window.h)
        if window.h > 0.011:
            return Rejected("shy", "too long", window.t0 + 0.01)
        return [[0.0, 0.0, force[0]]]

    model = replace(
        glue(mass("a", k=1.0, x0=0.0), Odd("shy", answer), name=LINE), pace=Pace(1e-3)
    )
    done = model.advance(model.start(0.0).state, Window(0.0, 0.04), {})
    assert not isinstance(done, Rejected)
    assert done.stats["rejected"] >= 1
    assert max(h for h in asked if h < 0.0399) <= 0.0401


def test_a_part_that_never_agrees_ends_in_its_own_words():
    model = replace(
        glue(mass("a"), Odd("shy", lambda w, f: Rejected("shy", "never"))),
        pace=Pace(1e-3),
    )
    done = model.advance(model.start(0.0).state, Window(0.0, 0.04), {})
    assert isinstance(done, Rejected)
    assert "never" in done.reason


def test_a_defect_needs_a_scheme_that_leaves_one():
    with pytest.raises(SettingError) as caught:
        pendulum("quadratic-discontinuous/e,v,a", Pace(1e-6, "defect"))
    error = caught.value
    assert "adaptive windows" in error.place
    assert "no level of motion" in error.finding
    assert "doubling" in error.remedy


def test_doubling_does_not_go_with_a_saw_tooth():
    with pytest.raises(SettingError) as caught:
        pendulum("constant/e", Pace(1e-6, "doubling"))
    error = caught.value
    assert error.place == "dp: adaptive windows"
    assert "takes the saw-tooth of constant/e for an error" in error.finding
    assert 'estimate "defect"' in error.remedy
    assert LINE in error.remedy
    assert pendulum("constant/e", Pace(1e-6)).pace is not None


def test_a_tolerance_must_be_a_length():
    with pytest.raises(SettingError) as caught:
        Pace(0.0)
    assert "positive length" in caught.value.remedy


def test_windows_of_another_length_start_from_a_stretched_matrix():
    model = pendulum(pace=Pace(1e-6))
    _, counts = follow(model)
    step, builds = model.start(0.0), 0
    for n in range(5):
        step = model.advance(step.state, uniform(0.0, 0.1, n), {})
        builds += step.stats["builds"]
    assert builds < counts["windows"] / 4
    assert isinstance(model.coupling, TT)
    assert model.coupling.scheme is scheme(LINE)


def counted(limit):
    """A mass that counts its advances and rejects windows above a limit."""
    part, made = mass("shy", k=20.0, x0=0.0), []

    class Counted:
        def __getattr__(self, name):
            return getattr(part, name)

        def advance(self, state, window, inputs):
            made.append(window)
            if window.h > limit:
                return Rejected("shy", "too long")
            return part.advance(state, window, inputs)

    return Counted(), made


@pytest.mark.parametrize("pace", [None, Pace(1e-2), Pace(1e-2, "doubling")])
def test_windows_in_vain_are_paid_for(pace):
    shy, made = counted(0.03)
    other, beside = counted(1.0)
    other.__dict__["name"] = "bold"
    model = replace(glue(shy, other, name=LINE), pace=pace)
    state, told = model.start(0.0).state, 0
    for n in range(2):
        done = model.advance(state, uniform(0.0, 0.1, n), {})
        state, told = done.state, told + done.stats["solves"]
    assert told == len(made) + len(beside)


def test_an_error_that_no_window_meets_is_told():
    model = pendulum(pace=Pace(1e-15, shortest=0.25))
    done = model.advance(model.start(0.0).state, Window(0.0, 0.1), {})
    assert isinstance(done, Rejected)
    assert "adaptive windows" in done.error.place
    assert "windows get no shorter" in done.error.finding
    assert "--adaptive" in done.error.remedy


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("tolerance", float("inf")), ("shortest", 2.0), ("safety", float("nan"))),
        *(("grow", 0.5), ("shrink", 0.0), ("worth", float("nan"))),
    ],
)
def test_a_pace_out_of_range_is_refused(key, value):
    with pytest.raises(SettingError) as caught:
        Pace(**{"tolerance": 1e-6, key: value})
    assert "adaptive windows" in caught.value.place


def test_an_unknown_estimate_has_a_neighbour():
    with pytest.raises(SettingError) as caught:
        Pace(1e-6, "dubling")
    assert "Did you mean 'doubling'?" in caught.value.remedy


@pytest.mark.parametrize("count", [0, -1, 1.5])
def test_windows_are_counted(count):
    with pytest.raises(SettingError) as caught:
        replace(pendulum(), windows=count)
    assert "windows" in caught.value.place


@pytest.mark.parametrize("how", ["constant/e", LINE])
def test_the_travel_of_a_bushing_is_no_error(how):
    from bondline.gluing import Bushing
    from tests.gluing.parts import tie

    a, b = mass("a", k=50.0, x0=0.2), mass("b", m=2.0)
    soft = Bushing(tie("a.end", "b.end"), (400.0,), (1.0,))
    model = replace(glue(a, b, ties=[soft], name=how), pace=Pace(1e-5))
    fine = glue(a, b, ties=[soft], name=how)
    paced, counts = follow(model, 0.4)
    even, _ = follow(fine, 0.4, 0.001)
    assert paced.state.parts["b"] == pytest.approx(even.state.parts["b"], abs=2e-3)
    assert counts["windows"] < 200
