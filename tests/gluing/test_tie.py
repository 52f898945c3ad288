"""Ties of some dofs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.core import FRAME_DOFS, Motion, Port
from bondline.errors import WiringError
from bondline.gluing.joints.tie import Tie

from .joint_motions import DOT, ENDS, FRAME, NODE, POINT, curve, ends


def test_a_tie_of_all_dofs_is_the_plain_tie():
    ports = [Port("p", ("x", "y"), nodes=3)] * 2
    assert Tie.of("j", ENDS, ports) == Tie("j", ENDS, ("x", "y") * 3)
    assert Tie.of("j", ENDS, ports, ("x", "y")) == Tie("j", ENDS, ("x", "y") * 3)


def test_a_tie_of_some_dofs_compares_and_loads_only_them():
    ports = [NODE, Port("q", ("z", "x"))]
    tie = Tie.of("j", ENDS, ports, ("x", "z"))
    tie.suits("here", ports)
    assert tie.components == ("Fx", "Fz")
    a = Motion(np.arange(6.0), np.arange(6.0) ** 2, -np.arange(6.0))
    b = Motion(np.array([10.0, 20.0]), np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    e, e_rate, e_rate2 = tie.gap([a, b])
    assert (e.tolist(), e_rate.tolist()) == ([-20.0, -8.0], [-2.0, 3.0])
    assert e_rate2.tolist() == [-4.0, -5.0]
    B_a, B_b = tie.jacobian([a, b])
    assert_array_equal(B_a, np.eye(6)[[0, 2]])
    assert_array_equal(B_b, -np.eye(2)[[1, 0]])


def test_a_tie_of_some_dofs_goes_node_by_node():
    ports = [Port("p", ("x", "y", "z"), nodes=2), Port("q", ("z", "x"), nodes=2)]
    tie = Tie.of("j", ENDS, ports, ("z",))
    tie.suits("here", ports)
    assert tie.dofs == ("z", "z")
    a, b = (Motion(np.arange(1.0 * n), np.zeros(n)) for n in (6, 4))
    assert tie.gap([a, b])[0].tolist() == [2.0 - 0.0, 5.0 - 2.0]


def test_several_ends_share_some_dofs():
    ports = [NODE, POINT, FRAME]
    tie = Tie.of("j", ends(3), ports, ("y",))
    tie.suits("here", ports)
    motions = [curve(p, seed).at(0.0) for seed, p in enumerate(ports)]
    y = [m.x[1] for m in motions]
    assert tie.gap(motions)[0].tolist() == [y[0] - y[2], y[1] - y[2]]
    each = zip(tie.jacobian(motions), motions, strict=True)
    assert_allclose(sum(B @ m.v for B, m in each), tie.gap(motions)[1], rtol=1e-14)


def test_a_tie_in_another_order_tells_all_motions():
    ports = [Port("p", ("x", "y")), Port("q", ("y", "x"))]
    tie = Tie.of("j", ENDS, ports, ("x", "y"))
    motions = tie.admissible(np.arange(6.0))
    assert motions[1].x.tolist() == [1.0, 0.0]
    assert not np.concatenate(tie.gap(motions)).any()


def test_a_tie_of_some_dofs_does_not_tell_the_others():
    tie = Tie.of("j", ENDS, [NODE, NODE], ("x", "y"))
    with pytest.raises(WiringError) as caught:
        tie.admissible(np.zeros(6))
    assert "2 of 6 dofs" in caught.value.finding
    assert "T-T" in caught.value.remedy


@pytest.mark.parametrize(
    ("ports", "dofs", "finding", "remedy"),
    [
        ([NODE, POINT], ("x", "rx"), "ties rx of b.q, which has 3 (x y z)", "x, y, z"),
        ([NODE, NODE], (), "(none)", "one or more"),
        ([NODE, NODE], ("x", "x"), "dofs x x", "each once"),
    ],
)
def test_dofs_that_cannot_be_tied(ports, dofs, finding, remedy):
    with pytest.raises(WiringError) as caught:
        Tie.of("j", ENDS, ports, dofs)
    assert caught.value.place == "joint j"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    ("tie", "ports", "finding", "remedy"),
    [
        (Tie("j", ENDS, FRAME_DOFS), [FRAME, FRAME], "do not add up", "fixed"),
        (Tie("j", ENDS, FRAME_DOFS), [NODE, FRAME], "b.q is a frame", "x y z"),
        (Tie("j", ENDS, ("x",)), [NODE, NODE], "ties 1 dofs", "Tie.of"),
        (Tie("j", ENDS, ("x",)), [DOT, NODE], "dofs differ: a.p has 2 (x y)", "same"),
        (Tie.of("j", ENDS, [NODE, NODE], "x"), [NODE, POINT], "have 3 (x y z)", "all"),
    ],
)
def test_ports_that_a_tie_refuses(tie, ports, finding, remedy):
    with pytest.raises(WiringError) as caught:
        tie.suits("model: joint j", ports)
    assert caught.value.place == "model: joint j"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_forces_of_several_nodes_have_names_of_their_own():
    ports = [Port("p", ("x", "rz"), nodes=2)] * 3
    two = Tie.of("j", ENDS, ports[:2])
    assert two.components == ("0.Fx", "0.Mz", "1.Fx", "1.Mz")
    three = Tie.of("j", ends(3), ports)
    assert three.components[:2] == tuple(
        f"{ends(3)[0].part}.0.{f}" for f in ("Fx", "Mz")
    )
    assert len(set(three.components)) == 8
