"""Short ways of the kernels give what the long ones do: hinges along axes of bodies,
diagonal inertias, fast rows once more."""

import ctypes

import numpy as np
import pytest

from bondline.kernels.library import pointer
from bondline.leaves.mbd.driving import compiled
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from tests.mbd.points import times_quaternion
from tests.mbd.random_trees import TREES, random_state, random_tree

AXES = [tuple(sign * row) for row in np.eye(3) for sign in (1.0, -1.0)]
OFFSET = 0.7  # rad


def arm(offset, inertia):
    """Six links on hinges about x, -x, y, -y, z, -z; angles count from `offset`."""
    c, about = np.cos(offset / 2), (0.0, 0.0, np.sin(offset / 2))
    bodies, joints, on = [], [], "ground"
    for k, axis in enumerate(AXES):
        root = Frame.along(axis, (0.1, 0.2 * k, -0.3))
        turned = c * np.array(root.turn) + times_quaternion(root.turn, about)
        after = Frame.along(AXES[(k + 1) % 6], (0.4, -0.1, 0.2 + 0.1 * k))
        places = {"root": Frame(root.at, tuple(turned)), "next": after}
        bodies.append(Body(f"b{k}", 1.0 + k, inertia, (0.1, 0.05, 0.2), places))
        inboard = on if k else Frame.along(axis)
        joints.append(Joint(f"j{k}", "revolute", inboard, f"b{k}.root"))
        on = f"b{k}.next"
    return Mechanism("arm", bodies, joints, (), (0.3, 0.2, -9.81))


@pytest.mark.parametrize("solver", ["dense", "recursive"])
@pytest.mark.parametrize("product", [0.0, 0.1])
def test_it_does_not_matter_where_angles_count_from(solver, product):
    inertia = np.diag([0.3, 0.4, 0.5])
    inertia[0, 1] = inertia[1, 0] = product
    rng = np.random.default_rng(3)
    q, u = rng.normal(size=(2, 6))
    short, long = (
        Tree(pack(arm(offset, inertia), solver=solver)).rates(0.0, q + offset, u)[1]
        for offset in (0.0, OFFSET)
    )
    np.testing.assert_allclose(short, long, rtol=1e-11)


def test_inertias_with_and_without_products_meet():
    rng = np.random.default_rng(4)
    q, u = rng.normal(size=(2, 6))
    diagonal = np.diag([0.3, 0.4, 0.5])
    nearly = diagonal + 1e-15 * (np.ones((3, 3)) - np.eye(3))
    one, other = (
        Tree(pack(arm(0.0, inertia))).rates(0.0, q, u)[1]
        for inertia in (diagonal, nearly)
    )
    np.testing.assert_allclose(one, other, rtol=1e-11)


@pytest.mark.parametrize("kind", [kind for kind in TREES if kind != "rigid"])
@pytest.mark.parametrize("first", ["fast_rates", "rates"])
def test_fast_rows_once_more_are_the_fast_rows(kind, first):
    """After an evaluation at other fast ones, in the same memory: the same bits."""
    rng = np.random.default_rng(5)
    mechanism, points = random_tree(rng, *TREES[kind])
    system = compiled(Tree(pack(mechanism)))
    before = np.concatenate(random_state(rng, points))
    after = before.copy()
    fast_q = np.ctypeslib.as_array(
        (ctypes.c_int * len(system.fast)).from_address(system.c.fast_q)
    )
    after[fast_q] += 0.1
    after[system.n_q + np.array(system.fast)] -= 0.2
    w, N = system.fast_rates(0.3, after)
    again = np.empty(w.size), np.empty(N.shape)
    space, out = np.empty(int(system.c.work)), np.empty(2 * system.size + N.size)
    for name, y, found in (
        (first, before, (out, out[system.size :])),
        ("fast_again", after, again),
    ):
        q = pointer(y)
        given = (q, q + 8 * system.n_q, pointer(space), *map(pointer, found))
        assert getattr(system.c, name)(system.address, 0.3, *given) == 0
    assert np.array_equal(again[0], w)
    assert np.array_equal(again[1], N)
