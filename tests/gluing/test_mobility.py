"""What forces on ports do at once: known without pressing every dof by itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from bondline.core import Mobile, ref
from bondline.gluing import TT, IntegratedModel, Newton, Tie, scheme
from bondline.leaves import Structure, chain
from tests.gluing.test_superposing import deep, glue, links


def pressed(model, state, t=0.0):
    """The same matrix by `press`, dof by dof."""
    rest, found = model.press(state, t, {}), {}
    for port, shape in model.ports.items():
        units = np.eye(shape.size)
        each = [model.press(state, t, {port: unit}) for unit in units]
        for out in model.ports:
            change = [a.outputs[out].a - rest.outputs[out].a for a in each]
            found[out, port] = np.array(change).T
    return found


def same(one, other):
    assert one.keys() == other.keys()
    for key, block in one.items():
        np.testing.assert_allclose(block, other[key], rtol=1e-9, atol=1e-12)


def pair(*joints, **more):
    a, b = links()[1:3]
    return glue("pair", [a, b], joints, {"l": "b.left", "r": "c.right"}, **more)


def test_a_structure_knows_what_press_does():
    leaf = chain("a", masses=4.0, mass=0.5, stiffness=900.0)
    state = leaf.start(0.0).state
    same(leaf.mobility(state, 0.0), pressed(leaf, state))


def test_a_structure_holds_the_ports_that_take_motion():
    leaf = chain("a", masses=2.0, mass=0.5, stiffness=900.0, led=("left",))
    blocks = leaf.mobility(leaf.start(0.0).state, 0.0)
    assert list(blocks) == [("right", "right")]
    assert blocks["right", "right"] == pytest.approx(2.0)


def test_a_glued_model_knows_what_press_does():
    model = pair("b.right c.left")
    state = model.start(0.0).state
    same(model.mobility(state, 0.0), pressed(model, state))


def test_a_model_in_a_model_does_too():
    inner = replace(pair("b.right c.left"), name="b")
    outer = glue("outer", [inner, links()[3]], ["b.r d.left"], {"l": "b.l"})
    state = outer.start(0.0).state
    same(outer.mobility(state, 0.0), pressed(outer, state))


def test_joints_that_repeat_each_other_are_left_to_press():
    once = pair("b.right c.left")
    again = Tie("again", (ref("b.right"), ref("c.left")), ("x",))
    twice = replace(once, connections=[*once.connections, again])
    assert twice.mobility(twice.start(0.0).state, 0.0) is None


@dataclass
class Counting:
    """A structure that counts how often it is pressed."""

    inner: Structure
    knows: bool = True
    pressed: list[str] = field(default_factory=list)

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def press(self, state, t, forces):
        self.pressed.append(self.inner.name)
        return self.inner.press(state, t, forces)

    def mobility(self, state, t):
        return self.inner.mobility(state, t) if self.knows else None


def wide(name, nodes=12):
    """A structure with a port of many nodes, and one of those at its other side."""
    leaf = chain(name, masses=2.0 * nodes, mass=0.5, stiffness=900.0, wall=10.0)
    port = replace(leaf.ports["left"], nodes=nodes)
    rows = np.arange(nodes)
    return Structure(
        name,
        leaf.system,
        {"left": rows, "right": rows + nodes},
        {"left": port, "right": replace(port, name="right")},
        external=lambda t: np.full(2 * nodes, 3.0),
    )


@pytest.mark.parametrize("knows", [True, False])
def test_a_start_in_two_layers_presses_each_part_a_few_times(knows):
    """Where the parts know their mobility; otherwise every dof at every level."""
    a, b, c = (Counting(wide(name), knows) for name in "abc")
    dofs = ("x",) * 12
    way = (TT(scheme("newmark/a,v,u")), Newton())
    tie = Tie("j", (ref("a.right"), ref("b.left")), dofs)
    inner = IntegratedModel(
        "ab", {"a": a, "b": b}, [tie], *way, exports={"r": ref("b.right")}
    )
    tie = Tie("k", (ref("ab.r"), ref("c.left")), dofs)
    outer = IntegratedModel("abc", {"ab": inner, "c": c}, [tie], *way)
    begun = outer.start(0.0)
    counts = [len(leaf.pressed) for leaf in (a, b, c)]
    assert all(n < 15 for n in counts) if knows else max(counts) > 100
    gap = begun.state.motions[ref("ab.r")].a - begun.state.motions[ref("c.left")].a
    assert np.abs(gap).max() < 1e-9


def test_composites_and_structures_are_mobile():
    assert isinstance(deep(), Mobile)
    assert isinstance(links()[0], Mobile)
