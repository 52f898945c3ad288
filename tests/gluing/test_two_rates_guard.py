"""Two rates: what is refused or noted beforehand, with numbers from probing."""

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Capabilities, Window
from bondline.errors import SettingError
from bondline.gluing import TwoRates, glue, joint
from bondline.gluing.rates.guard import LIGHT
from bondline.gluing.rates.measure import measure
from tests.gluing.two_rates_parts import Pair, fast, slow
from tests.gluing.two_rates_recursion import Case
from tests.gluing.wrapped import Once


def asked(pair, H, **how):
    model = pair.glued(windows=8, **how)
    return model, model.start(0.0).state, Window(0.0, H)


@pytest.mark.parametrize("H", [0.1, 0.02, 0.002])
def test_probing_finds_the_frequencies_and_the_inertia(H):
    pair = Pair()
    model, state, window = asked(pair, H)
    found = measure(model.coupling, model.assembly, state, window)
    assert found.slow == pytest.approx(H * np.sqrt(pair.k / pair.M), rel=2e-3)
    assert found.coupled == pytest.approx(H * pair.omega, rel=2e-3)
    light = measure(*to_measure(Pair(k2=1.0), 1e-3))
    assert light.mass == pytest.approx(pair.m / pair.M, rel=1e-4)
    assert found.where == "slow"


def to_measure(pair, H):
    model, state, window = asked(pair, H)
    return model.coupling, model.assembly, state, window


def test_a_part_that_is_not_slow_is_refused():
    model, state, window = asked(Pair(), 0.4)
    with pytest.raises(SettingError, match=r"slow part slow changes too fast.*1\.3"):
        model.guard(state, window)


def test_short_windows_must_resolve_the_fast_part():
    """Its own mass at the joint swings at 1732 rad/s there."""
    model, state, window = asked(Pair(k=0.1, m=1e-4, k2=300.0), 0.016)
    with pytest.raises(SettingError, match=r"fast has a mode too quick.*0\.002 s"):
        model.guard(state, window)


def test_what_the_paper_s_form_cannot_is_refused_with_the_number():
    model, state, window = asked(Pair(), 0.01, form="paper")
    with pytest.raises(SettingError, match=r"0\.5 times the slow one's inertia"):
        model.guard(state, window)
    light = Pair(k=0.1, m=1e-3, m2=0.5, k2=300.0)
    model, state, window = asked(light, 1.2 / light.omega, form="paper")
    with pytest.raises(SettingError, match=r"coupled frequency.*1\.2.*residual"):
        model.guard(state, window)


@pytest.mark.parametrize(("share", "count"), [(0.1, 0), (0.5, 1)])
def test_the_paper_s_form_is_warned_of_above_0_2(share, count):
    light = Pair(k=0.1, m=1e-2, m2=0.5, k2=300.0)
    model, state, window = asked(light, share / light.omega, form="paper")
    assert len(model.guard(state, window)) == count


def test_slow_parts_that_change_are_noted_and_growth_is_foretold():
    model, state, window = asked(Pair(k=10.0, k2=300.0), 0.1)
    one, two = model.guard(state, window)
    assert "ωH = 0.32" in one
    assert "grow by up to 3 %" in two
    model, state, window = asked(Pair(k=10.0, k2=300.0), 0.1, iterate=True)
    assert len(model.guard(state, window)) == 1
    model, state, window = asked(Pair(k=10.0, k2=300.0), 0.005)
    assert model.guard(state, window) == ()


def glued(coupling, parts, joints):
    return glue("both", parts, joints, coupling=coupling)


J = {"J": ("slow.p", "fast.p")}


@pytest.mark.parametrize(
    ("how", "found"),
    [
        ({"windows": 0}, "windows: it is 0"),
        ({"order": 4}, "order: it is 4"),
        ({"form": "papr"}, "Did you mean 'paper'"),
    ],
)
def test_settings_that_cannot_be_are_refused(how, found):
    with pytest.raises(SettingError, match=found):
        TwoRates("fast", **how)


def test_the_fast_part_must_be_there():
    with pytest.raises(SettingError, match="Did you mean 'fast'"):
        glued(TwoRates("fst"), [slow(), fast()], J)


def test_joints_between_slow_parts_belong_into_a_nested_model():
    parts = [slow(), fast(), slow(name="other")]
    joints = {**J, "K": ("slow.q", "other.p")}
    with pytest.raises(SettingError, match="joint K: it joins slow and other"):
        glued(TwoRates("fast"), parts, joints)


def test_joints_that_give_way_are_refused():
    soft = {"J": joint("bushing", "slow.p", "fast.p", stiffness=(1e3,))}
    with pytest.raises(SettingError, match="joint J: it gives way"):
        glued(TwoRates("fast"), [slow(), fast()], soft)


def test_a_slow_part_of_one_newmark_step_is_refused():
    one = replace(slow(), capabilities=Capabilities(one_step=True))
    with pytest.raises(SettingError, match=r"slow part slow.*steps=2"):
        glued(TwoRates("fast"), [one, fast()], J)


def test_a_slow_part_that_cannot_be_pressed_is_refused():
    silent = replace(slow(), capabilities=Capabilities(acceleration=False))
    with pytest.raises(SettingError, match="nothing can stand in for it"):
        glued(TwoRates("fast"), [silent, fast()], J)


def test_a_part_that_cannot_repeat_a_window_is_not_iterated():
    with pytest.raises(SettingError, match="it cannot repeat a window"):
        glued(TwoRates("fast", iterate=True), [Once(slow()), fast()], J)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_beside_a_free_slow_part_errors_never_grow(order):
    for light, far in [(0.0, 0.05), (0.0, 5.0), (0.5, 0.5), (100.0, 1.0)]:
        for coupled in (0.2, 1.0, np.pi, 16.0):
            assert Case(order, light, far, coupled).radius() < 1.0 + 1e-6


@pytest.mark.parametrize(
    ("order", "coupled", "growths"),  # docs/theory/two_rates.md
    [
        (3, 1.0, (0.0, 1e-4, 1e-4, 0.0)),
        (3, 3.0, (0.0, 0.0, 0.038, 0.088)),
        (3, 8.0, (1.3e-3, 9.7e-3, 0.022, 0.052)),
        (2, 3.0, (8.2e-3, 0.048, 0.11, 0.32)),
        (1, 3.0, (5.6e-3, 0.035, 0.068, 0.14)),
    ],
)
def test_beside_a_spring_they_grow_as_the_theory_page_says(order, coupled, growths):
    for slow_part, growth in zip((0.2, 0.5, 0.7, 1.0), growths, strict=True):
        found = Case(order, 0.2, 0.5, coupled, slow_part).radius() - 1.0
        assert found == pytest.approx(growth, abs=max(0.05 * growth, 5e-5)) or (
            growth == 0.0 and found < 5e-5
        )
        assert found < 0.33 * slow_part**2


@pytest.mark.parametrize(("order", "limit"), LIGHT.items())
def test_the_paper_s_form_has_the_limits_that_the_guard_knows(order, limit):
    rigid = {"far": 1e-6, "coupled": 1e-3, "residual": False}
    assert Case(order, 0.95 * limit, **rigid).radius() < 1.0 + 1e-3
    assert Case(order, 1.25 * limit, **rigid).radius() > 1.01
    for far in (0.05, 0.5, 5.0):
        assert Case(order, 0.0, far, 0.9, residual=False).radius() < 1.003
    assert Case(order, 0.0, 5.0, 1.7, residual=False).radius() > 1.1
