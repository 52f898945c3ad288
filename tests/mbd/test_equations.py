"""The compiled equations of motion against point masses, Kane's way."""

import numpy as np
import pytest

from bondline.leaves.mbd.model import Frame
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Loads, Tree
from tests.mbd.points import axial, marker
from tests.mbd.random_trees import TREES, random_state, random_tree


def close(found, right, bound=1e-11):
    scale = max(1.0, np.abs(right).max())  # all numbers here are of the order of one
    return np.abs(found - right).max(initial=0.0) <= bound * scale


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("seed", range(3))
def test_mass_matrix_and_forces_are_those_of_point_masses(name, seed):
    rng = np.random.default_rng(seed)
    mechanism, points = random_tree(rng, *TREES[name])
    tree = Tree(pack(mechanism))
    q, u = random_state(rng, points)
    M, P = tree.mass(0.0, q, u)
    M_points, P_points = points.equations(q, u)
    assert close(M, M_points)
    assert close(P, P_points)


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("seed", range(10))
def test_the_recursion_gives_what_the_mass_matrix_gives(name, seed):
    rng = np.random.default_rng(seed)
    mechanism, points = random_tree(rng, *TREES[name])
    q, u = random_state(rng, points)
    dense, recursive = (
        Tree(pack(mechanism, solver=solver)).rates(0.0, q, u)
        for solver in ("dense", "recursive")
    )
    assert np.array_equal(dense[0], recursive[0])
    assert close(recursive[1], dense[1])


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("solver", ["dense", "recursive"])
def test_rates_solve_the_equations(name, solver):
    rng = np.random.default_rng(7)
    mechanism, points = random_tree(rng, *TREES[name])
    tree = Tree(pack(mechanism, solver=solver))
    q, u = random_state(rng, points)
    M, P = points.equations(q, u)
    du = tree.rates(0.0, q, u)[1]
    assert close(M @ du, P, 1e-10)
    assert close(du, np.linalg.solve(M, P), 1e-10)


@pytest.mark.parametrize("seed", range(2))
def test_wrenches_at_markers_have_the_power_of_their_markers(seed):
    rng = np.random.default_rng(seed)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    packed = pack(mechanism)
    tree = Tree(packed)
    q, u = random_state(rng, points)
    C = rng.normal(size=(3, 2, 6))
    names, s = ("b1.two", "b2.one", "b6.two"), 0.4
    which = np.array([packed.markers[n] for n in names], dtype=np.int32)
    loads = Loads(which, C, t0=1.0, h=0.5)
    W = C[:, 0] + s * C[:, 1]
    wrenches = [
        (int(n[1]), points.clouds[int(n[1])].places[n[3:]], w[:3], w[3:])
        for n, w in zip(names, W, strict=True)
    ]
    P = tree.mass(1.0 + s * 0.5, q, u, loads)[1]
    assert close(P, points.equations(q, u, wrenches)[1])


@pytest.mark.parametrize("seed", range(2))
def test_outputs_are_the_motion_of_the_markers(seed):
    rng = np.random.default_rng(seed)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    packed = pack(mechanism)
    tree = Tree(packed)
    q, u = random_state(rng, points)
    du = rng.normal(size=len(u))
    moving, ways = points.poses(q, u), points.ways(q, len(u))
    for name, number in packed.markers.items():
        if name == "ground":
            continue
        body, _, place = name[1:].partition(".")
        spot = points.clouds[int(body)].places[place] if place else Frame()
        at, R = marker(moving, int(body), spot)
        each = [marker(way, int(body), spot) for way in ways]
        v = np.array([x[1] for x, _ in each])
        w = np.array([axial(S[1] @ S[0].T) for _, S in each])
        pose, twist, rate = (x[0] for x in tree.outputs(q, u, [number], du))
        assert close(pose[:3], at[0])
        assert close(Frame(turn=tuple(pose[3:])).R, R[0])
        assert close(twist, np.concatenate([at[1], axial(R[1] @ R[0].T)]))
        bias = axial(2 * R[2] @ R[0].T + R[1] @ R[1].T)
        assert close(rate, np.concatenate([2 * at[2] + du @ v, bias + du @ w]))
