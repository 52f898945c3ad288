"""A part that is run alone meets the kinks of its loads as a glued one does."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Window
from bondline.errors import NonFinite
from bondline.gluing import glue
from bondline.leaves import Structure
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Table
from bondline.numerics import LinearSystem, Method
from bondline.run import Keep, pieces, simulate

from .parts import ALL, DAMPED, plate

STEP, END = 2.5e-4, 5e-3
LOADS = {
    "step on the grid": Table((0.0, 2e-3, 2e-3), (0.0, 0.0, 1.0)),
    "step inside a window": Table((0.0, 2.1e-3, 2.1e-3), (0.0, 0.0, 1.0)),
    "pulse inside a window": Table(
        (0.0, 2.05e-3, 2.05e-3, 2.15e-3, 2.15e-3), (0.0, 0.0, 1.0, 1.0, 0.0)
    ),
    "triangle": Table((0.0, 1.1e-3, 2.3e-3), (0.0, 1.0, 0.0)),
}
METHODS = {"trapezoidal": Method(), "hht": Method.hht(-0.1)}


def strip(name, x, history, ports, method):
    """A piece of a cantilever in bending: held at x = 0, pushed at x = 1."""
    mesh = plate(4 * (int(2 * x[1]) - int(2 * x[0])), 2, x, 0.2, 0.02, DAMPED)
    held = (Support("u0", ALL),) if x[0] == 0.0 else ()
    loads = (NodalForce("u1", 2, 10.0, history),) if x[1] == 1.0 else ()
    tip = {"tip": f"{mesh.ids[mesh.node_sets['u1'][0]]}.z"} if loads else {}
    model = FeModel(name, mesh, held, loads=loads)
    return fe_leaf(model, ports, publish=tip, method=method)


def seen(model, step=STEP):
    keep = Keep()
    simulate(model, END, step, record=keep)
    found = keep.results().signals
    (name,) = (n for n in found if n.rpartition(".")[2] == "tip")
    return np.asarray(found[name])


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize("history", LOADS.values(), ids=LOADS)
def test_whole_is_glued_to_round_off(history, method):
    whole = seen(strip("w", (0.0, 1.0), history, {}, method))
    left = strip("l", (0.0, 0.5), history, {"seam": "u1"}, method)
    right = strip("r", (0.5, 1.0), history, {"seam": "u0"}, method)
    glued = seen(glue("g", [left, right], {"seam": ("l.seam", "r.seam")}))
    assert len(glued) == len(whole) == 21
    assert np.abs(glued - whole).max() <= 1e-9 * np.abs(whole).max() > 0.0


def spring(load, kinks, **more):
    system = LinearSystem(*(np.array([[x]]) for x in (3.0, 0.0, 400.0)))
    given = {"external": lambda t: np.array([load.at(t)[0]]), "kinks": kinks}
    return Structure("s", system, {}, {}, publish={"tip": 0}, **given, **more)


def test_the_impulse_of_a_short_pulse_arrives():
    start, end = 2.05e-3, 2.15e-3
    load = Table((start, start, end, end), (0.0, 1.0, 1.0, 0.0))
    x, omega = seen(spring(load, load.kinks)), np.sqrt(400.0 / 3.0)
    t = STEP * np.arange(len(x))
    after = t > end
    wanted = (np.cos(omega * (t - end)) - np.cos(omega * (t - start))) / 400.0
    assert not x[t < start].any()
    assert x[after] == pytest.approx(wanted[after], rel=1e-5)


def test_pieces_add_up_to_one_window():
    load = Table((0.01, 0.01, 0.03, 0.03), (0.0, 1.0, 1.0, 0.0))
    part = spring(load, load.kinks)
    done = pieces.driven(part)(part.start(0.0).state, Window(0.0, 0.04))
    assert isinstance(done, Advance)
    assert done.stats["solves"] == 3
    assert done.energy.supplied == pytest.approx(done.energy.stored, rel=1e-12)
    assert done.energy.supplied > 0.0


def test_a_piece_that_fails_is_the_window_that_fails():
    load = Table((0.01, 0.01), (0.0, np.finfo(float).max))
    part = spring(load, load.kinks)
    with np.errstate(all="ignore"), pytest.raises(NonFinite) as error:
        simulate(part, 1e3, 1e3)
    assert error.value.place == "s, window to t = 1000 s"
    assert "not finite" in error.value.finding
    assert "--step" in error.value.remedy
