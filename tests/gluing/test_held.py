"""Interface dofs that parts hold still: on all sides or on none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.core import Port, Surface, ref, uniform
from bondline.errors import WiringError
from bondline.gluing import Tie, glue
from bondline.gluing.joints.kinds import make_joint
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.supports import Support
from tests.fe.parts import plate

ENDS = ref("a.seam"), ref("b.seam")
LINE = np.array([[0.0, 0.1 * k, 0.0] for k in range(3)])


def port(fixed=(), points=LINE, **more):
    line = Surface(points, tuple((k, k + 1) for k in range(len(points) - 1)))
    return Port("seam", ("x", "z"), len(points), surface=line, fixed=fixed, **more)


def strip(name, x, load=False, hold=(0, 1, 2)):
    """A plate simply supported along its side y = 0; seams at its ends."""
    mesh = plate(3, 3, x)
    held = (Support(mesh.node_sets["v0"], hold),)
    loads = (NodalForce(mesh.node_sets["v1"], 2, 10.0),) if load else ()
    ports = {"left": Plug("u0"), "right": Plug("u1")}
    return fe_leaf(
        FeModel(name, mesh, held, (), loads), ports, publish={"z": f"{mesh.ids[-1]}.z"}
    )


def test_a_dof_fixed_on_one_side_only_is_refused():
    with pytest.raises(WiringError) as error:
        glue(
            "m",
            [strip("a", (0, 1)), strip("b", (1, 2), hold=(0, 2))],
            {"seam": ("a.right", "b.left")},
        )
    assert "a.right, node 0 at (1, 0, 0), y is fixed" in error.value.finding
    assert "b.left, node 0 at (1, 0, 0), y is not" in error.value.finding
    assert "in both models or in neither" in error.value.remedy


def whole(hold):
    """Both strips as one; half of the load of the right one's corner is its own."""
    mesh = plate(6, 3, (0, 2))
    far = mesh.node_sets["v1"][3:]
    model = FeModel(
        "whole",
        mesh,
        (Support(mesh.node_sets["v0"], hold),),
        (),
        (NodalForce(far, 2, 10.0),),
    )
    return fe_leaf(model, {}, publish={"z": f"{mesh.ids[-1]}.z"})


@pytest.mark.parametrize("hold", [(0, 1, 2), (0, 1, 2, 3, 4, 5)])
def test_a_dof_fixed_on_both_sides_is_left_out(hold):
    a, b = strip("a", (0, 1), hold=hold), strip("b", (1, 2), True, hold)
    assert a.ports["right"].fixed == hold
    both, one = glue("both", [a, b], {"seam": ("a.right", "b.left")}), whole(hold)
    (tie,) = both.connections
    assert len(tie.components) == 24 - len(hold)
    assert " ".join(tie.components[-6:]) == "3.Fx 3.Fy 3.Fz 3.Mx 3.My 3.Mz"
    states = [m.start(0.0).state for m in (both, one)]
    for n in range(60):
        window = uniform(0.0, 1e-4, n)
        states = [
            m.advance(s, window, {}).state
            for m, s in zip((both, one), states, strict=True)
        ]
    glued, exact = both.observe(states[0])["b.z"], one.observe(states[1])["z"]
    assert exact.value > 0.0
    assert_allclose(glued.value, exact.value, rtol=1e-8)


def test_statics_with_dofs_fixed_on_both_sides():
    hold = (0, 1, 2, 3, 4, 5)
    a, b = strip("a", (0, 1), hold=hold), strip("b", (1, 2), True, hold)
    both, one = glue("both", [a, b], {"seam": ("a.right", "b.left")}), whole(hold)
    glued, exact = (
        m.equilibrium(m.start(0.0).state, 1.0, {}, {}).state for m in (both, one)
    )
    z = one.observe(exact)["z"].value
    assert z > 0.0
    assert_allclose(both.observe(glued)["b.z"].value, z, rtol=1e-8)


@pytest.mark.parametrize("kind", ["tie", "mesh-tie"])
def test_every_joint_of_nodes_looks_at_it(kind):
    ports = [port((2,)), port()]
    with pytest.raises(WiringError, match=r"node 1 at .* x is fixed"):
        make_joint(kind, "J", ENDS, ports).suits("J", ports)
    both = [port((2,)), port((2,))]
    made = make_joint(kind, "J", ENDS, both)
    made.suits("J", both)
    assert made.components == ("0.Fx", "0.Fz", "1.Fz", "2.Fx", "2.Fz")
    assert all(B.shape == (5, 6) for B in made.jacobian([]))


def test_a_bare_tie_says_what_would_leave_them_out():
    ports = [port((2,)), port((2,))]
    with pytest.raises(WiringError, match="all of its ports hold still") as error:
        Tie("J", ENDS, ("x", "z") * 3).suits("J", ports)
    assert "Tie.of" in error.value.remedy


def test_a_tie_of_some_dofs_leaves_out_only_its_own():
    ports = [port((2, 3)), port((2, 3))]
    tie = Tie.of("J", ENDS, ports, ("z",))
    tie.suits("J", ports)
    assert tie.components == ("0.Fz", "2.Fz")


def test_a_spring_to_a_fixed_dof_is_a_spring_to_the_ground():
    ports = [port((0,)), port()]
    make_joint("bushing", "J", ENDS, ports, stiffness=1.0).suits("J", ports)


def test_three_ends_need_all_or_none():
    ends = (*ENDS, ref("c.seam"))
    some = [port((0,)), port((0,)), port()]
    with pytest.raises(WiringError, match=r"c\.seam, node 0"):
        Tie.of("J", ends, some)
    every = [port((0,))] * 3
    tie = Tie.of("J", ends, every)
    tie.suits("J", every)
    assert len(tie.components) == 10


def test_nodes_in_another_order_are_refused():
    turned = port(points=LINE[::-1])
    with pytest.raises(WiringError) as error:
        Tie.of("J", ENDS, [port(), turned]).suits("joint J", [port(), turned])
    assert error.value.place == "joint J"
    assert "node 0 of a.seam rests where node 2 of b.seam does" in error.value.finding
    assert "2 of 3 nodes differ" in error.value.finding
    assert "mesh tie" in error.value.remedy
    beside = port(points=LINE + np.array([0.0, 0.0, 0.5]))
    Tie.of("J", ENDS, [port(), beside]).suits("joint J", [port(), beside])
