"""Forces of many meganewtons from rest: round-off is not mistaken for imbalance."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Causality, Port, uniform
from bondline.gluing import glue
from bondline.leaves import Structure
from bondline.numerics import LinearSystem

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
