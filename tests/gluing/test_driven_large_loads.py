"""Forces of many meganewtons from rest: round-off is not mistaken for imbalance."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Capabilities, Causality, Port, uniform
from bondline.gluing import choose_solver, glue
from bondline.gluing.couplings.motion_schemes import force_scheme, motion_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.leaves import Structure
from bondline.numerics import LinearSystem
from tests.gluing.driven import coupled, led, pushed

SHARED = 60  # dofs of the joint
T, X = Causality.FORCE_IN, Causality.MOTION_IN


def block(name, n, takes, load, seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n))
    K = 1e9 * (A @ A.T / n + np.eye(n))
    f = load * rng.normal(size=n)
    port = Port("p", ("x", "y", "z"), nodes=SHARED // 3, causality=takes)
    return Structure(
        name,
        LinearSystem(50.0 * np.eye(n), 1e-4 * K, K),
        {"p": np.arange(SHARED)},
        {"p": port},
        external=lambda t: f * np.sin(300.0 * t),
        publish={"x": 0},
    )


def windows(sides, load, count=4):
    parts = [block("a", 90, sides[0], load, 1), block("b", 80, sides[1], load, 2)]
    model = glue("m", parts, {"j": ("a.p", "b.p")})
    step, found = model.start(0.0), []
    for n in range(count):
        step = model.advance(step.state, uniform(0.0, 1e-3, n), {})
        assert isinstance(step, Advance), step
        found.append((step.stats, model.observe(step.state)["b.x"].value))
    return found


@pytest.mark.parametrize("load", [1e2, 1e8, 1e11])
@pytest.mark.parametrize("sides", [(T, X), (X, X)])
def test_one_correction_is_enough_in_every_window_whatever_the_load(sides, load):
    for stats, _ in windows(sides, load):
        assert stats["iterations"] == 1
        assert stats["halvings"] == 0


@pytest.mark.parametrize("sides", [(T, X), (X, X)])
def test_a_million_times_the_load_moves_a_million_times_as_far(sides):
    small, large = windows(sides, 1e2), windows(sides, 1e8)
    for (_, x), (_, far) in zip(small, large, strict=True):
        assert far == pytest.approx(1e6 * x, rel=1e-10)


def falling(coupling, first, solver):
    """Two masses on springs that push: linear, but nobody says so."""
    plain = {"capabilities": Capabilities(), "x0": 1e-3}
    parts = first("a", 1.0, k=-100.0, **plain), led("b", 0.5, k=-150.0, **plain)
    return coupled(coupling, *parts, solver=choose_solver(solver))


GROWING = {
    "X-T": (XT(force_scheme("newmark/f")), pushed),
    "X-X": (XX(motion_scheme("newmark/f")), led),
}
KEEN = ["newton", "iqn-ils", "anderson", "aitken", "diagonal-secant"]


@pytest.mark.parametrize("solver", KEEN)
@pytest.mark.parametrize("case", GROWING.values(), ids=GROWING)
def test_what_a_solver_has_learned_holds_while_forces_grow(case, solver):
    """Unknown and residual are parts of one scale, so their slope outlives it."""
    model = falling(*case, solver)
    step = model.start(0.0)
    first, builds = step.state.history.scale, 0
    for n in range(40):
        step = model.advance(step.state, uniform(0.0, 0.04, n), {})
        assert step.stats["iterations"] == 1
        builds += step.stats["builds"]
    assert step.state.history.scale > 1e6 * first
    assert builds == (solver == "newton")
