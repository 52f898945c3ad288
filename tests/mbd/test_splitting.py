"""Fast rows and split rates say the same as all rates, kim2000 (36)."""

import numpy as np
import pytest

from bondline.leaves.mbd.forces import Bushing, JointSpring, Push, Spring
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Loads, Tree
from tests.mbd.models import chain, gun_turret
from tests.mbd.random_trees import TREES, random_state, random_tree


def check(mechanism, q, u, fast=None, loads=None):
    packed = pack(mechanism, fast=fast)
    tree = Tree(packed)
    given = (0.2, q, u) if loads is None else (0.2, q, u, loads)
    f = np.array([packed.layout.speeds.index(n) for n in packed.fast], dtype=int)
    s = np.setdiff1d(np.arange(len(u)), f)
    M, P = tree.mass(*given)
    _, du = tree.rates(*given)
    w, N = tree.fast_rates(*given)
    _, du_split, B = tree.split_rates(*given)
    ff, fs, ss = M[np.ix_(f, f)], M[np.ix_(f, s)], M[np.ix_(s, s)]
    m_e = ss - fs.T @ np.linalg.solve(ff, fs)
    close(w, np.linalg.solve(ff, P[f]))
    close(N, np.linalg.solve(ff, fs))
    close(B, np.linalg.solve(m_e, fs.T))
    close(du_split, du)
    close(w - N @ du[s], du[f])
    close(np.linalg.solve(m_e, P[s]) - B @ w, du[s])


def close(found, right):
    scale = max(1.0, np.abs(right).max(initial=0.0))
    np.testing.assert_allclose(found, right, rtol=0, atol=1e-9 * scale)


@pytest.mark.quick(5)
@pytest.mark.parametrize(
    "name", ["flexible", "chain of two", "all flexible", "one free"]
)
@pytest.mark.parametrize("seed", range(5))
def test_modes_are_fast(name, seed):
    rng = np.random.default_rng(seed)
    mechanism, points = random_tree(rng, *TREES[name])
    check(mechanism, *random_state(rng, points))


@pytest.mark.quick(5)
@pytest.mark.parametrize("seed", range(20))
def test_any_coordinates_may_be_fast(seed):
    rng = np.random.default_rng(seed)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    order = pack(mechanism).layout
    able = [n for n in order.speeds if n in order.positions]
    fast = rng.choice(able, size=rng.integers(1, 6), replace=False)
    check(mechanism, *random_state(rng, points), fast=[str(n) for n in fast])


@pytest.mark.parametrize("model", [gun_turret, chain])
def test_examples_have_a_constant_fast_mass(model):
    rng = np.random.default_rng(0)
    mechanism = model()
    n = len(pack(mechanism).layout.speeds)
    check(mechanism, *rng.normal(size=(2, n)))


@pytest.mark.parametrize("seed", range(5))
def test_forces_reach_the_fast_rows(seed):
    rng = np.random.default_rng(seed)
    kinds = ("revolute", "universal", "spherical", "prismatic")
    mechanism, points = random_tree(rng, kinds, (0, 2, 2, 0))
    forces = (
        JointSpring("j0", 3.0, 0.2, 0.1),
        Spring("b0.one", "b1.two", 5.0, 0.3, 0.5),
        Spring("b0.one", "b3.two", 5.0, 0.3, 0.5),
        Bushing("b2.one", "ground", range(1, 7), np.linspace(0.1, 0.6, 6)),
        Push("b1.one", (1.0, 2.0, 3.0), (0.3, 0.2, 0.1), follow=True),
    )
    pushed = Mechanism("m", mechanism.bodies, mechanism.joints, forces)
    which = np.array([pack(pushed).markers[n] for n in ("b1.two", "b3.one")], np.int32)
    loads = Loads(which, rng.normal(size=(2, 3, 6)))
    check(pushed, *random_state(rng, points), loads=loads)
