"""Structures of several steps a window, coupled through motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from bondline.core import ref
from bondline.gluing import Tie
from bondline.gluing.couplings.motion_schemes import force_scheme, motion_scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from tests.gluing.driven import T, X, coupled, cut_in_three, in_parts, led, order, row

COUPLINGS = {
    "X-X newmark/f": (XX(motion_scheme("newmark/f")), (X, X, X, X)),
    "X-X cubic/f": (XX(motion_scheme("cubic/f")), (X, X, X, X)),
    "X-T newmark/f": (XT(force_scheme("newmark/f")), (T, X, T, X)),
    "X-T linear/f": (XT(force_scheme("linear/f")), (X, T, T, X)),
}
STEPS = [2, 4, 10]


def finer(sides, steps, damping=0.002):
    parts, ties = cut_in_three(*sides)
    return tuple(
        replace(p, steps=steps, system=p.system._replace(C=damping * p.system.K))
        for p in parts
    ), ties


def exact(h, windows):
    """Displacements of the row that is cut, by a matrix exponential."""
    u, springs = np.linspace(0.0, 0.1, 6), [1e3, 2e3, 1e3, 1e3, 1e3]
    M, C, K = row("w", [1, 1, 2.5, 1, 1, 3], springs, {}, u, wall=500.0).system
    rate = np.linalg.solve(M, -np.hstack([K, C]))
    step = expm(h * np.vstack([np.eye(6, 12, 6), rate]))
    y, found = np.concatenate([u, np.zeros(6)]), []
    for _ in range(windows):
        y = step @ y
        found.append(y[:6])
    return np.array(found)


@pytest.mark.quick(4)
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", COUPLINGS)
def test_parts_of_several_steps_converge_to_the_whole_with_order_2(name, steps):
    coupling, sides = COUPLINGS[name]
    errors = []
    for n in (50, 100):
        found, counts = in_parts(coupling, *finer(sides, steps), 1.0 / n, n)
        errors.append(np.abs(found - exact(1.0 / n, n)).max())
        assert counts == {1}
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.full
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", COUPLINGS)
def test_a_thousand_undamped_windows_stay_bounded(name, steps):
    coupling, sides = COUPLINGS[name]
    found, _ = in_parts(coupling, *finer(sides, steps, 0.0), 0.01, 1000)
    assert np.abs(found[-300:]).max() < 0.12


def test_one_step_and_several_steps_meet_with_order_2():
    omega = np.sqrt(60.0 / 3.0)

    def make():
        a = row("a", [1.0], [], {"r": (0, X)}, [0.1], wall=40.0)
        a = replace(a, system=a.system._replace(C=0.0 * a.system.C))
        b = replace(
            a, name="b", steps=4, system=a.system._replace(K=np.array([[20.0]]))
        )
        b = replace(b, system=b.system._replace(M=np.array([[1.5]])))
        ends = ref("a.r"), ref("b.r"), ref("c.end")
        ties = [Tie("j", ends, ("x",))]
        xx = XX(motion_scheme("newmark/f"))
        return coupled(xx, a, b, led("c", 0.5, x0=0.1), ties=ties)

    found = order(make, lambda t: 0.1 * np.cos(omega * t))
    assert found == pytest.approx(2.0, abs=0.1)
