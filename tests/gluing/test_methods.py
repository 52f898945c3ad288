"""Parts that step by HHT's or the generalized-α method, glued and all at once."""

from __future__ import annotations

from dataclasses import astuple, replace
from functools import cache

import numpy as np
import pytest

from bondline.core import Causality, Port, ref, uniform
from bondline.errors import SettingError
from bondline.gluing import TT, IntegratedModel, Newton, Tie, default_scheme
from bondline.gluing.couplings.motion_schemes import force_scheme, motion_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.leaves import Structure
from bondline.numerics import Kinematics, LinearSystem, Method

METHODS = {
    "trapezoidal": Method.trapezoidal(),
    "average, damped": Method.newmark(0.3025, 0.6),
    "hht": Method.hht(-0.1),
    "generalized-α 0.8": Method.generalized_alpha(0.8),
    "generalized-α 0": Method.generalized_alpha(0.0),
}
MASS, STIFF, DAMP = 2.0, 3e4, 8.0


def row(masses, wall=False):
    """M, C, K of masses in a row."""
    link = np.array([[1.0, -1.0], [-1.0, 1.0]])
    K = np.zeros((masses, masses))
    for i in range(masses - 1):
        K[i : i + 2, i : i + 2] += STIFF * link
    if wall:
        K[0, 0] += STIFF
    return LinearSystem(MASS * np.eye(masses), DAMP / STIFF * K, K)


def pull(masses):
    def load(t):
        f = np.zeros(masses)
        f[-1] = 100.0 * np.sin(40.0 * t)
        return f

    return load


def part(name, masses, at, method, force=False, causality=Causality.FORCE_IN):
    ports = {"p": Port("p", ("x",), causality=causality)}
    external = pull(masses) if force else None
    system = row(masses, wall=not force)
    watched = {"end": masses - 1}
    return Structure(
        name, system, {"p": [at]}, ports, external, publish=watched, method=method
    )


def glued(one, two, way="TT", takes=(Causality.FORCE_IN, Causality.FORCE_IN)):
    parts = {
        "a": part("a", 4, 3, one, causality=takes[0]),
        "b": part("b", 5, 0, two, force=True, causality=takes[1]),
    }
    tie = Tie("j", (ref("a.p"), ref("b.p")), ("x",))
    coupling = {
        "TT": lambda: TT(default_scheme(parts)),
        "XX": lambda: XX(motion_scheme("newmark/f")),
        "XT": lambda: XT(force_scheme("newmark/f")),
    }[way]()
    return IntegratedModel("both", parts, [tie], coupling, Newton(), {})


def whole(method):
    """The same row uncut: the two masses that meet are one."""
    M, C, K = (np.zeros((8, 8)) for _ in range(3))
    for total, a, b in zip((M, C, K), row(4, wall=True), row(5), strict=True):
        total[:4, :4] += a
        total[3:, 3:] += b
    system = LinearSystem(M, C, K)
    return Structure(
        "whole", system, {}, {}, pull(8), publish={"end": 7}, method=method
    )


def run(model, h=2e-3, windows=100):
    """The end of the row; what was stored, dissipated and supplied; and counts."""
    step, end, energy, stats = model.start(0.0), [], [], []
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, h, n), {})
        seen = {k: o.value for k, o in model.observe(step.state).items()}
        end.append(seen.get("b.end", seen.get("end")))
        energy.append(astuple(step.energy))
        stats.append(step.stats)
    return np.array(end), np.array(energy), stats


def unbalanced(energy):
    """Stored, but neither supplied nor kept; at rest there was nothing."""
    stored, dissipated, supplied = energy.T
    return np.abs(stored - np.cumsum(supplied - dissipated)).max()


@cache
def fine():
    """Every two milliseconds of tiny trapezoidal steps."""
    return run(whole(Method.trapezoidal()), 2e-3 / 32, 100 * 32)[0][31::32]


def fitted(make, halvings):
    """The order with which errors fall when h = 2 ms is halved so often."""
    sizes = [2 ** (halvings - 1), 2**halvings]
    found = [run(make(), 2e-3 / k, 100 * k)[0][k - 1 :: k] for k in sizes]
    e = [np.abs(u - fine()).max() for u in found]
    return np.log2(e[0] / e[1])


T, X = Causality.FORCE_IN, Causality.MOTION_IN


@pytest.mark.quick(5)
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize(
    ("way", "takes"), [("TT", (T, T)), ("XX", (X, X)), ("XT", (X, T)), ("XT", (T, X))]
)
def test_parts_with_one_method_are_the_whole(method, way, takes):
    """Displacements and what is lost, to round-off, with one correction a window."""
    reference, energy, _ = run(whole(method))
    found, shared, stats = run(glued(method, method, way, takes))
    assert np.abs(found - reference).max() < 1e-12 * np.abs(reference).max()
    assert shared.sum(axis=0) == pytest.approx(energy.sum(axis=0), rel=1e-10)
    assert {s["iterations"] for s in stats} == {1}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_what_the_method_loses_is_counted(method):
    for model in (whole(method), glued(method, method)):
        _, energy, _ = run(model)
        assert unbalanced(energy) < 1e-12 * energy[:, 2].sum()


def test_a_free_row_loses_energy_by_the_method_alone():
    """Kicked, without damping: fast motion dies, and every bit of it is accounted."""
    M, C, K = row(8, wall=True)
    v = np.where(np.arange(8) % 2, 1.0, -1.0)
    start = Kinematics(np.zeros(8), v, np.zeros(8))
    for method, kept in ((METHODS["generalized-α 0"], 0.02), (Method(), 1.0)):
        model = Structure(
            "row", LinearSystem(M, 0.0 * C, K), {}, {}, start_at=start, method=method
        )
        step, lost = model.start(0.0), 0.0
        first = step.energy.stored
        for n in range(50):
            step = model.advance(step.state, uniform(0.0, 0.05, n), {})
            lost += step.energy.dissipated
        assert step.energy.stored + lost == pytest.approx(first, rel=1e-12)
        assert step.energy.stored <= kept * first * (1.0 + 1e-12)


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_errors_fall_with_the_declared_order(method):
    assert fitted(lambda: whole(method), 2) == pytest.approx(method.order, abs=0.1)


@pytest.mark.parametrize(
    ("one", "two", "order"),
    [
        ("trapezoidal", "generalized-α 0", 2),  # both balances are at t₁
        ("trapezoidal", "hht", 1),
        ("generalized-α 0.8", "generalized-α 0", 1),
    ],
)
def test_parts_with_two_methods_meet_with_a_lower_order(one, two, order):
    """The joint's force acts at two instants, unless their α_f are equal."""
    found = fitted(lambda: glued(METHODS[one], METHODS[two]), 3)
    assert found == pytest.approx(order, abs=0.25)
    made = glued(METHODS[one], METHODS[two])
    gaps = [max(s["gap"] for s in run(made, h, 40)[2]) for h in (2e-3, 1e-3)]
    assert gaps[1] < gaps[0] / 4.0


@pytest.mark.parametrize("name", ["hht", "generalized-α 0.8", "generalized-α 0"])
def test_against_parts_that_follow_the_force_nothing_is_lost(name):
    """The force goes on from F₀ to F₁; a balance in between feels what it is there."""

    def mixed():
        parts = {
            "a": part("a", 4, 3, METHODS[name]),
            "b": replace(part("b", 5, 0, Method(), force=True), steps=8),
        }
        tie = Tie("j", (ref("a.p"), ref("b.p")), ("x",))
        coupling = TT(default_scheme(parts))
        return IntegratedModel("both", parts, [tie], coupling, Newton(), {})

    assert fitted(mixed, 2) == pytest.approx(2, abs=0.15)


def test_several_steps_a_window_need_a_balance_at_its_start():
    with pytest.raises(SettingError) as caught:
        Structure("s", row(3, wall=True), {}, {}, steps=2, method=Method.hht(-0.1))
    assert caught.value.place == "s: method"
    assert "no balance at the start of a window of 2 steps" in caught.value.finding
    assert "steps=1" in caught.value.remedy


def test_newmark_methods_take_several_steps_a_window():
    """Two steps of 1 ms are two windows of 1 ms: a balance holds where they meet."""
    method = METHODS["average, damped"]
    several = replace(whole(method), steps=2)
    u = run(whole(method), 1e-3, 200)[0][1::2]
    assert run(several, 2e-3, 100)[0] == pytest.approx(u, rel=1e-9)
