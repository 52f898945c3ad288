"""Glued models at rest, against the same model in one piece."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.core import Causality, Port, Rejected, ref
from bondline.gluing import Bushing, MeshTie
from bondline.gluing.statics import Statics
from bondline.leaves import Structure
from bondline.numerics import LinearSystem
from tests.gluing.blocks import block, even, graded
from tests.gluing.static_parts import (
    SIX,
    all_at_once,
    assembly,
    displacements,
    frame,
    rest,
    springs,
    start_of,
    tie,
)

CLAMPED = range(6)


def loads(nodes, seed):
    return 100.0 * np.random.default_rng(seed).standard_normal(6 * nodes)


def ladder():
    """A clamped rail, a floating rail, and three connectors with six rigid modes."""
    rungs = [1, 3, 5]
    low = [(0.5 * i, 0.0, 0.0) for i in range(7)]
    high = [(0.5 * i, 1.0, 0.0) for i in range(7)]
    ports = {f"r{k}": k for k in rungs}
    parts = [
        frame("left", low, ports, CLAMPED, loads(7, 1)),
        frame("right", high, ports, (), loads(7, 2)),
    ]
    joints = []
    for k in rungs:
        nodes = [low[k], (0.5 * k, 0.5, 0.05), high[k]]
        parts.append(frame(f"c{k}", nodes, {"l": 0, "r": 2}, (), loads(3, k)))
        joints += [tie(f"l{k}", f"left.r{k}", f"c{k}.l")]
        joints += [tie(f"r{k}", f"right.r{k}", f"c{k}.r")]
    return assembly(parts, joints)


def chain():
    """A row of springs in three pieces, the last two of which float."""
    parts = [
        springs("a", [3e5, 2e5], [0.0, 5.0, 0.0], ground=1e5),
        springs("b", [1e5, 4e5], [1.0, -2.0, 0.0]),
        springs("c", [2e5], [0.0, 10.0]),
    ]
    joints = [tie("ab", "a.r", "b.l", dofs="x"), tie("bc", "b.r", "c.l", dofs="x")]
    return assembly(parts, joints)


def loop():
    """Four beams in a square: one clamped, three float, the joints close round."""
    corners = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.2), (0.0, 1.0, 0.0)]
    parts, joints = [], []
    for i in range(4):
        a, b = np.array(corners[i]), np.array(corners[(i + 1) % 4])
        # the middle of the first side is held, so that every end of it is free
        held = range(6, 12) if i == 0 else ()
        nodes = [tuple(a), tuple(0.5 * (a + b)), tuple(b)]
        parts.append(frame(f"s{i}", nodes, {"a": 0, "b": 2}, held, loads(3, i)))
        joints.append(tie(f"j{i}", f"s{i}.b", f"s{(i + 1) % 4}.a"))
    return assembly(parts, joints)


def tree():
    """A clamped trunk, two branches, and a twig on each of them."""
    trunk = [(0.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    parts = [frame("trunk", trunk, {"top": 1}, CLAMPED, loads(2, 0))]
    joints = []
    for i, s in enumerate((-1.0, 1.0)):
        branch = [(0.0, 0.0, 1.0), (0.5 * s, 0.1, 1.5)]
        twig = [branch[1], (1.0 * s, 0.5, 1.7)]
        parts += [frame(f"b{i}", branch, {"a": 0, "b": 1}, (), loads(2, 3 + i))]
        parts += [frame(f"t{i}", twig, {"a": 0}, (), loads(2, 6 + i))]
        joints += [tie(f"jb{i}", f"b{i}.a", "trunk.top")]
        joints += [tie(f"jt{i}", f"t{i}.a", f"b{i}.b")]
    return assembly(parts, joints)


def star():
    """Four beams that meet in one node (wang2003 Fig. 6); one of them is clamped."""
    far = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.1), (-1.0, 0.2, 0.0), (0.0, -1.0, 0.3)]
    parts = [
        frame(
            f"s{i}",
            [p, (0.0, 0.0, 0.0)],
            {"hub": 1},
            CLAMPED if i == 0 else (),
            loads(2, i),
        )
        for i, p in enumerate(far)
    ]
    return assembly(parts, [tie("hub", *(f"s{i}.hub" for i in range(4)))])


CASES = {"chain": chain, "ladder": ladder, "loop": loop, "tree": tree, "star": star}


@pytest.mark.quick(5)
@pytest.mark.parametrize("method", ["auto", "robin", "feti"])
@pytest.mark.parametrize("case", CASES)
def test_glued_parts_rest_where_the_whole_does(case, method):
    glued = CASES[case]()
    u, forces = all_at_once(glued)
    found = rest(glued, method)
    assert found.method == ("robin" if method == "auto" else method)
    assert_allclose(displacements(found), u, atol=1e-9 * np.abs(u).max())
    assert_allclose(found.forces, forces, atol=1e-9 * np.abs(forces).max())


@pytest.mark.quick(4)
@pytest.mark.parametrize("method", ["robin", "feti"])
@pytest.mark.parametrize("case", CASES)
def test_the_stiffness_of_the_springs_changes_nothing(case, method):
    glued = CASES[case]()
    u, _ = all_at_once(glued)
    for stiffness in (1e4, 1e6, 1e8):
        found = rest(glued, method, stiffness)
        assert_allclose(displacements(found), u, atol=1e-9 * np.abs(u).max())


@pytest.mark.parametrize("case", CASES)
def test_linear_parts_need_one_correction(case):
    assert rest(CASES[case]()).stats["iterations"] == 1


def supported():
    """Both pieces held: Algorithm 1 as printed."""
    a = springs("a", [3e5, 2e5], [0.0, 5.0, 0.0], ground=1e5)
    b = springs("b", [1e5], [7.0, 0.0], ground=2e5)
    return assembly([a, b], [tie("j", "a.r", "b.r", dofs="x")])


def test_supported_parts_are_glued_without_springs():
    u, forces = all_at_once(supported())
    found = rest(supported())
    assert (found.method, found.why) == ("direct", "every part is supported")
    assert_allclose(displacements(found), u, atol=1e-12 * np.abs(u).max())
    assert_allclose(found.forces, forces, rtol=1e-12)


def test_the_load_factor_is_a_share_of_the_loads():
    whole, half = rest(ladder()), rest(ladder(), factor=0.5)
    assert_allclose(half.forces, 0.5 * whole.forces, rtol=1e-9, atol=1e-9)


def test_without_load_nothing_moves():
    found = rest(ladder(), factor=0.0)
    assert not displacements(found).any()
    assert not found.forces.any()


def test_feti_without_places_takes_every_dof():
    low = [(0.5 * i, 0.0, 0.0) for i in range(4)]
    parts = [
        frame("a", low, {"tip": 3}, CLAMPED, loads(4, 1)),
        frame("b", low, {"root": 0}, (), loads(4, 2), places=False),
    ]
    glued = assembly(parts, [tie("j", "a.tip", "b.root")])
    u, _ = all_at_once(glued)
    found = rest(glued, "feti")
    assert_allclose(displacements(found), u, atol=1e-9 * np.abs(u).max())


def plate(name, box, kind, side, held=(), seed=0):
    """A block in the plane whose face takes part in a mesh tie."""
    made = block(kind, *box)
    port, nodes = made.port("face", made.side(0, side))
    keep = np.setdiff1d(np.arange(len(made.K)), held)
    dofs = np.searchsorted(keep, (2 * nodes[:, None] + np.arange(2)).ravel())
    f = np.random.default_rng(seed).standard_normal(len(made.K))
    n = len(keep)
    system = LinearSystem(np.eye(n), np.zeros((n, n)), made.K[np.ix_(keep, keep)])
    return Structure(name, system, {"face": dofs}, {"face": port}, static_load=f[keep])


@pytest.mark.parametrize("method", ["robin", "feti"])
def test_meshes_that_do_not_match_rest_as_the_saddle_system_says(method):
    held = np.flatnonzero(np.repeat(block("Q4", even(3), even(4)).points[:, 0] == 0, 2))
    a = plate("a", (even(3), even(4)), "Q4", 1, held)
    b = plate("b", (1.0 + even(2), graded(3)), "T3", 0, seed=1)
    ends = (ref("a.face"), ref("b.face"))
    joint = MeshTie("seam", ends, (a.ports["face"], b.ports["face"]))
    glued = assembly([a, b], [joint])
    u, forces = all_at_once(glued)
    found = rest(glued, method)
    assert_allclose(displacements(found), u, atol=1e-9 * np.abs(u).max())
    assert_allclose(found.forces, forces, atol=1e-9 * np.abs(forces).max())


@pytest.mark.parametrize("method", ["robin", "feti"])
def test_a_bushing_gives_way(method):
    a = springs("a", [3e5], ground=1e5)
    b = springs("b", [2e5], [0.0, 10.0])
    soft = Bushing(tie("j", "a.r", "b.l", dofs="x"), (5e4,), (0.0,))
    found = rest(assembly([a, b], [soft]), method)
    # one force all along: 10 N through four springs in a row
    stretch = 10.0 * np.cumsum([1 / 1e5, 1 / 3e5, 1 / 5e4, 1 / 2e5])
    assert_allclose(displacements(found), stretch, rtol=1e-10)
    assert_allclose(np.abs(found.forces), 10.0, rtol=1e-10)


def test_a_port_that_takes_motion_rests_too():
    a = springs("a", [3e5], [0.0, 4.0], ground=1e5)
    b = springs("b", [2e5], [1.0, 10.0], ground=1e5)
    led = Port("r", ("x",), causality=Causality.MOTION_IN)
    b = Structure("b", b.system, {"r": [1]}, {"r": led}, static_load=b.static_load)
    glued = assembly([a, b], [tie("j", "a.r", "b.r", dofs="x")])
    u, forces = all_at_once(glued)
    found = rest(glued)
    assert_allclose(displacements(found), u, rtol=1e-10)
    assert_allclose(found.forces, forces, rtol=1e-10)


def test_joints_that_repeat_each_other_share_the_force():
    a = springs("a", [3e5], ground=1e5)
    b = springs("b", [2e5], [0.0, 10.0])
    twice = [tie("j", "a.r", "b.l", dofs="x"), tie("k", "a.r", "b.l", dofs="x")]
    found = rest(assembly([a, b], twice))
    assert_allclose(found.forces, found.forces[0], rtol=1e-9)
    assert_allclose(abs(found.forces.sum()), 10.0, rtol=1e-9)
    (note,) = found.notes
    assert "1 of 2 joint conditions repeat others" in note
    assert "j.Fx, k.Fx" in note


def test_the_order_of_parts_changes_nothing():
    glued = ladder()
    parts = list(glued.parts.values())
    turned = rest(assembly(parts[::-1], glued.connections[::-1]))
    found = rest(glued)
    for n, a in found.advances.items():
        size = np.abs(a.state).max()
        assert_allclose(turned.advances[n].state, a.state, atol=1e-10 * size)


def test_the_same_load_gives_the_same_bits_whatever_came_before():
    statics = Statics("case", ladder(), {})
    here = start_of(statics)
    first = statics.rest(here, statics.acting(1.0, {}, {}))
    statics.rest(here, statics.acting(0.3, {}, {}))
    again = statics.rest(here, statics.acting(1.0, {}, {}))
    assert not isinstance(first, Rejected)
    assert np.array_equal(first.forces, again.forces)
    assert np.array_equal(displacements(first), displacements(again))


def test_labels_name_part_port_node_and_dof():
    statics = Statics("case", ladder(), {})
    assert statics.seen.labels[:6] == tuple(f"left.r1 {d}" for d in SIX)
