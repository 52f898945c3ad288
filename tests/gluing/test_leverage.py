"""What an end of a joint feels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bondline.core import Motion, PortRef
from bondline.gluing import Tie
from bondline.gluing.leverage import Lever, steady

XY = ("x", "y")


def tie(parts: str) -> Tie:
    return Tie("A", tuple(PortRef(p, "p") for p in parts), XY)


@pytest.mark.parametrize(("parts", "signs"), [("ab", [1, -1]), ("abc", [0, 0, 0])])
def test_ends_of_a_tie_feel_the_force_times_their_B(
    parts: str, signs: Sequence[int]
) -> None:
    joint, still = tie(parts), Motion(np.zeros(2), np.zeros(2), np.zeros(2))
    ends = steady(joint, [still] * len(parts))
    assert [end.sign for end in ends] == signs
    F = np.random.default_rng(4).normal(size=(3, len(joint.components)))
    for end in ends:
        assert np.array_equal(end.load(F), F @ end.B)


@pytest.mark.parametrize("s", [0.0, 0.3, 1.0])
def test_a_lever_that_turns_makes_a_product_of_polynomials(s: float) -> None:
    rng = np.random.default_rng(5)
    F, C = rng.normal(size=(2, 4)), rng.normal(size=(3, 4, 5))
    load = Lever(C.sum(axis=0), C).load(F)
    assert at(load, s) == pytest.approx(at(F, s) @ at(C, s), rel=1e-12)


def at(rows: np.ndarray, s: float) -> np.ndarray:
    return sum(row * s**k for k, row in enumerate(rows))
