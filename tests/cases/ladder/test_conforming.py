"""Parts of the ladder's cases as leaves do what they declare, with every method."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Causality
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.numerics import Method
from bondline.testing import assert_conforms, check_leaf
from tests.cases.ladder import cantilever, le10, pinched_cylinder, roof
from tests.cases.ladder.cutting import Cut, bisected

MODELS = {
    "B33": cantilever.beams,
    "S4": lambda: roof.model("S4", 3),
    "S3": lambda: pinched_cylinder.model("S3", 3),
    "C3D8": lambda: le10.model("C3D8", (2, 2, 2)),
    "C3D10": lambda: le10.model("C3D10", (1, 1, 1)),
}
METHODS = {
    "Newmark": Method(),
    "HHT": Method.hht(-0.1),
    "generalized-α": Method.generalized_alpha(0.8),
}


def part(kind, which):
    """One half of a case, with the other's nodes as its port; the far half floats."""
    model = MODELS[kind]()
    cut = Cut(model, bisected(model.mesh, 2))
    return cut.parts[which], cut.plugs(which)


@pytest.mark.parametrize("which", [0, 1], ids=["near", "far"])
@pytest.mark.parametrize("kind", MODELS)
def test_parts_conform(kind, which):
    assert_conforms(fe_leaf(*part(kind, which)))


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("kind", ["B33", "S4"])
def test_parts_that_take_motion_conform(kind, steps):
    model, plugs = part(kind, 1)
    led = {
        n: Plug(p.nodes, p.components, Causality.MOTION_IN) for n, p in plugs.items()
    }
    free = {n: _free(model, plug) for n, plug in led.items()}
    assert_conforms(fe_leaf(model, free, steps=steps))


def _free(model, plug):
    """Only nodes that no support holds: the port holds the rest."""
    held = np.concatenate([np.zeros(0, dtype=int), *(s.nodes for s in model.supports)])
    return Plug(np.setdiff1d(plug.nodes, held), plug.components, plug.causality)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["B33", "S4"])
def test_every_method_conforms(kind, method):
    """In windows short enough: they damp what they cannot follow."""
    leaf = fe_leaf(*part(kind, 0), method=METHODS[method])
    check_leaf(leaf, window=1e-4).raise_if_failed()


def test_glued_parts_conform_as_a_part():
    model = cantilever.beams()
    nested = Cut(model, bisected(model.mesh, 4)).nested()
    assert_conforms(nested.parts["g0"])
