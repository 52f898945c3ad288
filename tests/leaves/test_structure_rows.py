"""A block that was tried is settled by adding what the last word changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from bondline.core import Block, Rejected, Settling, Signal, Window, uniform
from bondline.leaves import chain
from bondline.leaves.one_step import Leap
from bondline.leaves.stepping import Travel
from bondline.numerics import LinearSystem

H, WINDOWS = 1e-3, range(300)
ULP = np.finfo(float).eps


def pushes(size):
    """A force that sways, in every window."""
    return [{"right": Signal(np.array([[size * np.sin(0.1 * k)]]))} for k in WINDOWS]


WAYS = pytest.mark.parametrize(
    ("matrices", "steps", "way"),
    [
        (np.asarray, 1, Travel),
        (np.asarray, 4, Travel),
        (sparse.csr_array, 1, Leap),  # compiled
        (sparse.csr_array, 4, Travel),
    ],
)


def made(matrices, steps, way, **values):
    """A chain with dense or sparse matrices, that takes its windows in this way."""
    plain = chain("a", **{"masses": 8.0, "mass": 0.3, **values})
    part = replace(plain, system=LinearSystem(*map(matrices, plain.system)))
    part = replace(part, steps=steps)
    first = part.walk(part.start(0.0).state, uniform(0.0, H, 0), {})
    assert isinstance(first, way)
    return part


def through(part, more):
    """Window by window."""
    state, done = part.start(0.0).state, []
    for k, inputs in enumerate(more):
        done.append(part.advance(state, uniform(0.0, H, k), inputs))
        state = done[-1].state
    return done


@WAYS
@pytest.mark.parametrize("known", [0.0, 1e6])
def test_a_change_adds_what_it_does_from_rest_and_no_drift(matrices, steps, way, known):
    """Free and stiff: gone through once more, round-off would carry it away.

    Nor does it matter what else acts: a force that is known for the block, and 10¹³
    times as large as the change, rounds nothing of it.
    """
    part = made(matrices, steps, way, stiffness=4e8)
    windows = [uniform(0.0, H, k) for k in WINDOWS]
    block = Block(windows, pushes(known)) if known else Block(windows)
    more, change = pushes(5e3), pushes(1e-7)
    total = [
        {"right": a["right"] + b["right"]} for a, b in zip(more, change, strict=True)
    ]
    trial = part.try_block(part.respond_block(part.start(0.0).state, block), more)
    done = part.settle_block(Settling(trial, total)).advances
    # what is really added: the sum was rounded, too
    added = [
        {"right": Signal(t["right"].coefficients - m["right"].coefficients)}
        for t, m in zip(total, more, strict=True)
    ]
    for shown, after, alone in zip(
        trial.shown, done, through(part, added), strict=True
    ):
        before, now = shown["right"], after.outputs["right"]
        for level in ("x", "v", "a"):
            one, two = getattr(now, level), getattr(before, level)
            wanted = two + getattr(alone.outputs["right"], level)
            assert np.abs(one - wanted).max() <= 2.0 * ULP * np.abs(two).max()


@WAYS
def test_a_change_is_not_rounded_by_what_is_known_for_the_block(matrices, steps, way):
    """Both ports are at one mass, and what they are told holds it where it is."""
    part = made(matrices, steps, way, masses=1.0, wall=4e5)
    windows, change = [uniform(0.0, H, k) for k in WINDOWS], pushes(1e-7)
    balanced = [
        {"left": f["right"], "right": Signal(-f["right"].coefficients)}
        for f in pushes(1e6)
    ]
    free = part.respond_block(part.start(0.0).state, Block(windows, balanced))
    done = part.settle_block(Settling(part.try_block(free, ()), change)).advances
    for got, want in zip(done, through(part, change), strict=True):
        assert got.state == pytest.approx(want.state, rel=1e-12, abs=0.0)


@WAYS
def test_a_block_may_be_one_window(matrices, steps, way):
    part = made(matrices, steps, way, stiffness=4e5)
    state, window = part.start(0.0).state, uniform(0.0, H, 0)
    one, two = ([{"right": Signal(np.array([[f]]))}] for f in (3.0, 5.0))
    trial = part.try_block(part.respond_block(state, Block([window])), one)
    (done,) = part.settle_block(Settling(trial, two)).advances
    assert done.state == pytest.approx(
        part.advance(state, window, two[0]).state, rel=1e-12, abs=1e-20
    )


@WAYS
def test_numbers_that_run_away_in_a_row_are_rejected_where_they_do(
    matrices, steps, way
):
    part = made(matrices, steps, way, stiffness=4e5)
    block = Block([uniform(0.0, H, k) for k in range(3)])
    response = part.respond_block(part.start(0.0).state, block)
    none, huge = {}, {"right": Signal(np.array([[np.inf]]))}
    with np.errstate(invalid="ignore"):
        found = part.try_block(response, [none, huge, none])
    assert isinstance(found, Rejected)
    assert found.until == pytest.approx(1.5 * H)


@WAYS
@pytest.mark.parametrize("second", [4.0, 1.0 + 1e-6, 0.5])
def test_windows_of_other_lengths_are_what_they_are_one_by_one(
    matrices, steps, way, second
):
    """The promise of a block, kept where nobody should ask for it."""
    part = made(matrices, steps, way, stiffness=4e5)
    ends = np.cumsum([0.0, H, second * H, H]).tolist()
    windows = [Window(a, b) for a, b in pairwise(ends)]
    tried, told = pushes(3.0)[1:4], pushes(5.0)[1:4]
    state = part.start(0.0).state
    trial = part.try_block(part.respond_block(state, Block(windows)), tried)
    done = part.settle_block(Settling(trial, told)).advances
    for window, inputs, got in zip(windows, told, done, strict=True):
        want = part.advance(state, window, inputs)
        assert got.state == pytest.approx(want.state, rel=1e-9, abs=1e-15)
        assert got.energy.stored == pytest.approx(want.energy.stored, rel=1e-9)
        state = want.state


@WAYS
def test_energies_are_those_of_the_sum(matrices, steps, way):
    part = made(matrices, steps, way, stiffness=4e5, damping=9.0, wall=2e4)
    block = Block([uniform(0.0, H, k) for k in WINDOWS])
    trial = part.try_block(
        part.respond_block(part.start(0.0).state, block), pushes(3.0)
    )
    done = part.settle_block(Settling(trial, pushes(5.0))).advances
    for got, want in zip(done, through(part, pushes(5.0)), strict=True):
        for flow in ("stored", "dissipated", "supplied"):
            one, two = getattr(got.energy, flow), getattr(want.energy, flow)
            assert one == pytest.approx(two, rel=1e-9, abs=1e-13)
