"""The energy of assemblies that are coupled through motion."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from bondline.core import Effort, Signal, ref, uniform
from bondline.gluing import Bushing
from bondline.leaves import chain
from bondline.run import Keep, certify, simulate
from tests.gluing.driven import T, X, coupled, cut_in_two, row
from tests.gluing.test_driven_superposing import coupling, flat, nested

FLAT = {
    "X-X": (X, X, X, X),
    "a leads b leads c": (T, X, T, X),
    "b leads both": (X, T, T, X),
    "b follows both": (T, X, X, T),
}
EVERY = {"".join(s.value for s in sides): sides for sides in product((T, X), repeat=4)}


def balance(model, h=0.01, windows=80):
    record = Keep()
    simulate(model, until=h * windows, step=h, record=record)
    energy = certify(record.frames, 3).energy
    assert energy is not None
    return energy


def pushed(part):
    """The same part with a load of its own."""
    n = part.system.M.shape[0]
    return replace(part, external=lambda t: np.full(n, 5.0 * np.sin(3.0 * t)))


@pytest.mark.parametrize("sides", FLAT.values(), ids=FLAT)
def test_the_balance_of_one_step_parts_closes_to_round_off(sides):
    energy = balance(flat(sides, pushed))
    assert energy.largest > 1.0
    assert energy.relative < 1e-12
    assert energy.drift < 1e-12 * energy.largest


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", ["XXXX", "TXXX", "TXTX", "XTTX", "TTXX", "XXTT"])
def test_the_balance_closes_across_two_levels(name):
    assert balance(nested(EVERY[name], pushed)).relative < 1e-11


def test_a_bushing_between_motions_stores_and_dissipates_what_it_takes():
    parts, (tie,) = cut_in_two(X, X)
    soft = Bushing(tie, (300.0,), (2.0,))
    assert balance(coupled(coupling(X, X), *parts, ties=[soft])).relative < 1e-12


@pytest.mark.quick(2)
@pytest.mark.parametrize("sides", FLAT.values(), ids=FLAT)
def test_the_balance_of_parts_of_several_steps_closes_with_order_2(sides):
    """Work inside a window is not told; what is missed goes with h²."""
    off = [
        balance(flat(sides, lambda p: replace(p, steps=4)), 0.5 / n, n).defect
        for n in (50, 100)
    ]
    assert np.log2(off[0] / off[1]) == pytest.approx(2.0, abs=0.3)


def test_the_work_of_a_motion_from_outside_is_port_work():
    """A glued model that is led at one end gains what its effort does there."""
    a = row("a", [1, 1, 2], [1e3, 2e3], {"l": (0, X), "r": (2, X)}, [0.0] * 3)
    b = chain("b", ("left",), masses=3, stiffness=900.0, damping=2.0, force=9.0)
    (_, _), (tie,) = cut_in_two(X, X)
    tie = replace(tie, ends=(ref("a.r"), ref("b.left")))
    exports = {"l": ref("a.l")}
    model = coupled(coupling(X, X), a, b, ties=[tie], exports=exports)
    now = model.start(0.0)
    first, gained = now.energy.stored, 0.0
    for n in range(100):
        w = uniform(0.0, 0.01, n)
        told = Signal.hold(np.array([0.1 * (1.0 - np.cos(4.0 * w.t1))]))
        after = model.advance(now.state, w, {"l": told})
        one, two = now.outputs["l"], after.outputs["l"]
        assert isinstance(one, Effort)
        gained += float(0.5 * (one.f + two.f) @ (two.at.x - one.at.x))
        gained += after.energy.supplied - after.energy.dissipated
        now = after
    assert now.energy.stored > 0.1
    assert now.energy.stored - first == pytest.approx(gained, rel=1e-11)
