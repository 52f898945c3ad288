"""Closed loops: a cut joint does what the same joint does in the tree."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from bondline.errors import LeafFailed, SettingError
from bondline.leaves.mbd.kinds import KINDS
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from tests.mbd.random_trees import body_of, random_cloud

Y = (0.0, 1.0, 0.0)


def cut_and_carried(rng, kind, modes):
    """Two bodies; the second is carried by a joint, or flies and is held by a loop."""
    bodies = [body_of(f"b{i}", random_cloud(rng, modes)) for i in range(2)]
    base = Joint("base", "universal", "ground", "b0.root")
    held = Joint("held", kind, "b0.one", "b1.root")
    free = Joint("free", "free", "ground", "b1")
    carried = Mechanism("carried", bodies, [base, held])
    cut = Mechanism("cut", bodies, [base, free], loops=[held])
    return pack(carried), pack(cut)


def same_state(rng, packed, tree, modes):
    """A random state of the carried one, and the same of the cut one."""
    q, u = packed.layout.start.copy(), rng.normal(size=tree.n_u)
    q += rng.normal(size=len(q))
    for name, i in {n: i for i, n in enumerate(packed.layout.positions)}.items():
        if name.endswith(".qw"):
            q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    pose, twist, _ = tree.outputs(q, u, [packed.markers["b1"]])
    spin = Frame(turn=tuple(pose[0, 3:])).R.T @ twist[0, 3:]
    end = 2 + modes
    q_cut = np.concatenate([q[:end], pose[0], q[len(q) - modes :]])
    u_cut = np.concatenate([u[:end], twist[0, :3], spin, u[len(u) - modes :]])
    return (q, u), (q_cut, u_cut)


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "free"])
@pytest.mark.parametrize("modes", [0, 2])
def test_a_loop_does_what_the_joint_does(kind, modes):
    rng = np.random.default_rng(1)
    packed, other = cut_and_carried(rng, kind, modes)
    tree, cut = Tree(packed), Tree(other)
    one, two = same_state(rng, packed, tree, modes)
    assert np.abs(cut.gaps(*two)).max() <= 1e-12
    for name in ("b0.two", "b1.two"):
        seen = [
            t.outputs(*x, [p.markers[name]], t.rates(0.0, *x)[1])[2]
            for t, p, x in ((tree, packed, one), (cut, other, two))
        ]
        np.testing.assert_allclose(*seen, rtol=0, atol=1e-9 * np.abs(seen[0]).max())


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "free"])
def test_projection_closes_gaps_and_changes_nothing_else(kind):
    rng = np.random.default_rng(2)
    packed, other = cut_and_carried(rng, kind, 2)
    tree, cut = Tree(packed), Tree(other)
    _, (q, u) = same_state(rng, packed, tree, 2)
    q_off, u_off = q + 1e-3 * rng.normal(size=len(q)), u + rng.normal(size=len(u))
    near = cut.projected(q_off, u_off)
    assert cut.gaps(*near)[0] <= 1e-13
    assert cut.gaps(*near)[1] <= 1e-11
    again = cut.projected(*near)
    np.testing.assert_allclose(again[0], near[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(again[1], near[1], rtol=0, atol=1e-10)


def rod(name, length):
    """A uniform rod of 1 kg/m along x."""
    ends = {"a": Frame.along(Y), "b": Frame.along(Y, (length, 0.0, 0.0))}
    J = length**3 / 12
    return Body(name, length, (0.0, J, J), (length / 2, 0.0, 0.0), ends)


def four_bar(cut):
    return pack(four_bar_mechanism(cut))


def four_bar_mechanism(cut):
    """A linkage A B C D in the plane x, z, cut at B, C or D."""
    crank, coupler, rocker = rod("crank", 1.0), rod("coupler", 2.0), rod("rocker", 1.5)
    ground = {"A": Frame.along(Y), "D": Frame.along(Y, (2.0, 0.0, 0.0))}
    joints = {
        "A": ("ground.A", "crank.a"),
        "B": ("crank.b", "coupler.a"),
        "C": ("coupler.b", "rocker.b"),
        "D": ("ground.D", "rocker.a"),
    }
    if cut == "B":
        joints["C"] = ("rocker.b", "coupler.b")
    made = {n: Joint(n, "revolute", *ends) for n, ends in joints.items()}
    closing = made.pop(cut)
    bodies = (crank, coupler, rocker)
    chains = [*made.values()]
    return Mechanism("four", bodies, chains, ground=ground, loops=[closing])


def closed(angle):
    """Absolute angles about y of the rods of the four-bar, by crossing two circles."""
    B = np.array([np.cos(angle), -np.sin(angle)])
    D = np.array([2.0, 0.0])
    way = D - B
    size = np.linalg.norm(way)
    along = (size**2 + 2.0**2 - 1.5**2) / (2 * size)
    across = np.sqrt(2.0**2 - along**2)
    C = B + (along * way + across * np.array([-way[1], way[0]])) / size
    return {
        "crank": angle,
        "coupler": -np.arctan2(*(C - B)[::-1]),
        "rocker": -np.arctan2(*(C - D)[::-1]),
    }


def moving(packed, tree, angle, speed):
    """The linkage at that angle and speed of the crank."""
    absolute, q = closed(angle), []
    for branch in packed.layout.branches:
        parent = packed.layout.branches[branch.parent].body.name
        below = absolute[parent] if branch.parent >= 0 else 0.0
        q.append(absolute[branch.body.name] - below)
    u = tree.projected(np.array(q), np.array([0.3, 0.5, 0.7]))[1]  # its one freedom
    crank = tree.outputs(np.array(q), u, [packed.markers["crank.b"]])[1][0, 4]
    return np.array(q), u * (speed / crank)


def test_where_a_plane_linkage_is_cut_does_not_matter():
    """Three of the five conditions of a revolute joint are redundant in a plane."""
    seen = []
    for cut in "BCD":
        packed = four_bar(cut)
        tree = Tree(packed)
        q, u = moving(packed, tree, -1.0, 2.0)
        assert tree.gaps(q, u).max() <= 1e-13
        which = [packed.markers[n] for n in ("crank.b", "coupler.b", "rocker.b")]
        _, twist, rate = tree.outputs(q, u, which, tree.rates(0.0, q, u)[1])
        seen.append((twist, rate))
    for other in seen[1:]:
        np.testing.assert_allclose(other[0], seen[0][0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(other[1], seen[0][1], rtol=0, atol=1e-11)


def run(tree, q, u, t):
    n = tree.n_q

    def rhs(time, x):
        return np.concatenate(tree.rates(time, x[:n], x[n:]))

    x = np.concatenate([q, u])
    y = solve_ivp(rhs, (0.0, t), x, "DOP853", rtol=1e-12, atol=1e-13).y
    return [(x[:n], x[n:]) for x in y.T]


@pytest.mark.parametrize("cut", "BCD")
def test_a_closed_linkage_keeps_its_energy(cut):
    packed = four_bar(cut)
    tree = Tree(packed)
    states = run(tree, *moving(packed, tree, -1.0, 2.0), 1.0)
    energies = np.array([tree.energy(*x).sum() for x in states])
    assert np.ptp(energies) <= 1e-9 * tree.energy(*states[0])[0]
    assert max(tree.gaps(*x)[0] for x in states) <= 1e-9


def bricard():
    """Six rods in a cube, all axes along rods: it moves, though a count says no.

    Masarati's benchmark in the IFToMM library: rods of 1 m and 1 kg, the axis of each
    joint perpendicular to the rods it joins, all conditions but one needed.
    """
    corners = np.array(
        [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], float
    )
    axes = np.roll(np.diff(corners, axis=0, append=corners[:1]), 0, axis=0)
    ways = [np.cross(axes[i - 1], axes[i]) for i in range(6)]
    bodies, joints, where = [], [], Frame.along(ways[0], corners[0])
    for i in range(5):
        way = axes[i]
        J = (np.eye(3) - np.outer(way, way)) / 12
        ends = {"a": Frame.along(ways[i]), "b": Frame.along(ways[i + 1], way)}
        bodies.append(Body(f"rod{i}", 1.0, J, tuple(way / 2), ends))
        joints.append(Joint(f"j{i}", "revolute", where, f"rod{i}.a"))
        where = f"rod{i}.b"
    last = Joint("last", "revolute", Frame.along(ways[5], corners[5]), where)
    return pack(
        Mechanism("bricard", bodies, joints, loops=[last], gravity=(0, -9.81, 0))
    )


def test_a_mechanism_moves_that_a_count_says_cannot():
    tree = Tree(bricard())
    states = run(tree, np.zeros(5), np.zeros(5), 0.5)
    energies = np.array([tree.energy(*x).sum() for x in states])
    assert np.abs(states[-1][0]).max() > 0.1
    assert np.ptp(energies) <= 1e-9 * tree.energy(*states[-1])[0]
    assert max(tree.gaps(*x)[0] for x in states) <= 1e-9


def test_gaps_close_by_themselves_if_they_are_told_to():
    packed = four_bar("C")
    of = packed.layout
    tree = Tree(packed)
    q, u = moving(packed, tree, -1.0, 1.0)
    reals = packed.reals.copy()
    reals[3] = 50.0
    quick = Tree(type(packed)(packed.ints, reals, of, packed.markers, packed.fast))
    off = q + np.array([0.0, 1e-4, 0.0])
    after = [t.gaps(*run(t, off, u, 0.5)[-1])[0] for t in (tree, quick)]
    assert after[0] > 1e-5
    assert after[1] < 1e-8


def test_multirate_rows_of_closed_loops_are_those_of_all_rates():
    packed = pack(four_bar_mechanism("C"), fast=["A.angle"])
    tree = Tree(packed)
    q, u = moving(packed, tree, -1.0, 1.0)
    du = tree.rates(0.0, q, u)[1]
    w, N = tree.fast_rates(0.0, q, u)
    fast = packed.layout.speeds.index("A.angle")
    assert w[0] == du[fast]
    assert not N.any()
    assert not tree.split_rates(0.0, q, u)[2].any()


def test_ends_that_cannot_meet_are_told():
    far = Mechanism(
        "far",
        [rod("crank", 1.0)],
        [Joint("A", "revolute", Frame.along(Y), "crank.a")],
        loops=[Joint("B", "spherical", Frame((3.0, 0.0, 0.0)), "crank.b")],
    )
    with pytest.raises(LeafFailed, match="loop cannot be brought together") as found:
        Tree(pack(far)).projected(np.zeros(1), np.zeros(1))
    assert "nearly meet" in found.value.remedy


def test_a_free_loop_is_refused():
    loop = Joint("B", "free", "ground", "crank.b")
    joint = Joint("A", "revolute", "ground", "crank.a")
    with pytest.raises(SettingError, match="a free joint closes nothing") as found:
        pack(Mechanism("m", [rod("crank", 1.0)], [joint], loops=[loop]))
    assert found.value.place == "m, loop B"
