"""What a tree tells integrators (c/system.h), and that threads may share it."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bondline.errors import UsageError
from bondline.kernels import function
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from tests.mbd.random_trees import TREES, random_state, random_tree


class Tail(ctypes.Structure):
    """`System` of c/system.h, field by field."""

    _fields_ = (
        ("model", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("n_q", "n_u")),
        ("work", ctypes.c_size_t),
        ("rates", ctypes.c_void_p),
        *((name, ctypes.c_int) for name in ("n_fast", "n_slow")),
        *((name, ctypes.POINTER(ctypes.c_int)) for name in ("fast", "slow", "fast_q")),
        *((name, ctypes.c_void_p) for name in ("fast_rates", "split_rates")),
        ("n_turns", ctypes.c_int),
        *((name, ctypes.POINTER(ctypes.c_int)) for name in ("turn_q", "turn_u")),
        ("fast_again", ctypes.c_void_p),
    )


def test_positions_that_are_no_quaternions_follow_their_velocities():
    rng = np.random.default_rng(0)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    packed = pack(mechanism)
    tree = Tree(packed)
    system, loaded = Tail(), tree.loaded()
    fill = function("tree_system", ctypes.c_void_p, ctypes.c_void_p, gives=None)
    fill(ctypes.addressof(loaded), ctypes.addressof(system))
    at_q, at_u = (x[: system.n_turns] for x in (system.turn_q, system.turn_u))
    assert [packed.layout.positions[i] for i in at_q] == ["j0.qw", "j4.qw"]
    assert [packed.layout.speeds[i] for i in at_u] == ["j0.wx", "j4.wx"]
    q, u = random_state(rng, points)
    rates = tree.rates(0.0, q, u)[0]
    plain_q = np.delete(rates, [i + k for i in at_q for k in range(4)])
    plain_u = np.delete(u, [i + k for i in at_u for k in range(3)])
    assert np.array_equal(plain_q, plain_u)
    slow = [packed.layout.positions[i] for i in system.fast_q[: system.n_fast]]
    assert tuple(slow) == packed.fast


def test_threads_may_share_a_tree():
    rng = np.random.default_rng(1)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    tree = Tree(pack(mechanism))
    states = [random_state(rng, points) for _ in range(50)]
    alone = [tree.rates(0.0, *x)[1] for x in states]
    with ThreadPoolExecutor(4) as pool:
        together = pool.map(lambda x: tree.rates(0.0, *x)[1], states * 20)
        for k, found in enumerate(together):
            assert np.array_equal(found, alone[k % 50])


def test_numbers_of_any_kind_and_layout_give_the_same_rates():
    """A copy that C reads must live as long as C reads it."""
    rng = np.random.default_rng(2)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    tree = Tree(pack(mechanism))
    q, u = random_state(rng, points)
    wide = np.zeros((tree.n_q, 3))
    wide[:, 1] = q
    strided, reversed_twice = wide[:, 1], u[::-1].copy()[::-1]
    for name in ("energy", "momentum", "gaps"):
        call = getattr(tree, name)
        assert np.array_equal(call(strided, reversed_twice), call(q, u))
    for one, other in zip(
        (*tree.rates(0.0, strided, reversed_twice), *tree.mass(0.0, strided, u)),
        (*tree.rates(0.0, q, u), *tree.mass(0.0, q, u)),
        strict=True,
    ):
        assert np.array_equal(one, other)
    shown = tree.outputs(strided, reversed_twice, [0], reversed_twice)
    for one, other in zip(shown, tree.outputs(q, u, [0], u), strict=True):
        assert np.array_equal(one, other)
    whole = np.arange(tree.n_u)
    assert np.array_equal(
        tree.rates(0.0, q, whole)[1], tree.rates(0.0, q, whole.astype(float))[1]
    )


def test_too_few_numbers_are_refused():
    rng = np.random.default_rng(3)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    tree = Tree(pack(mechanism))
    q, u = random_state(rng, points)
    with pytest.raises(UsageError, match=f"It has {tree.n_q} positions"):
        tree.rates(0.0, q[:-1], u)
    with pytest.raises(UsageError, match=f"and {tree.n_u} velocities"):
        tree.outputs(q, u, [0], u[:-1])


@pytest.mark.parametrize("marker", [-1, 10**8])
def test_markers_that_are_not_there_are_refused(marker):
    rng = np.random.default_rng(4)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    tree = Tree(pack(mechanism))
    with pytest.raises(UsageError, match=f"from 0 to {tree.n_markers - 1}"):
        tree.outputs(*random_state(rng, points), [marker])
