"""Meshes that do not match: constant stress passes, nothing is lost at the tie."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import block_diag

from bondline.core import Motion, Port, Surface, uniform
from bondline.gluing import TT, IntegratedModel, Newton, Tie, default_scheme
from bondline.gluing.joints.mesh_tie import MeshTie
from bondline.leaves import Structure
from bondline.numerics import Kinematics, LinearSystem, Newmark
from tests.gluing.blocks import (
    ENDS,
    POISSON,
    block,
    even,
    glue_blocks,
    graded,
    solve_glued,
    strain_of,
    tractions,
)

MORTARS = ({"multipliers": "dual"}, {"multipliers": "standard"})
METHODS = (*MORTARS, {"method": "projection"})


def patch_errors(left, right, stresses, **how):
    """Largest error in u under constant stress and a turn, relative to u."""
    blocks = left, right
    _, B = glue_blocks(left, right, **how)
    turn = np.zeros((left.dim, left.dim))
    turn[0, 1], turn[1, 0] = 0.3, -0.3
    points = np.vstack([b.points for b in blocks])
    exact = [(points @ (strain_of(s) + turn).T).ravel() for s in stresses]
    f = [tractions(blocks, lambda x, s=s: s) for s in stresses]
    exact, f = np.stack(exact, axis=1), np.stack(f, axis=1)
    u = solve_glued(blocks, f, B, exact)
    return np.abs(u - exact).max(axis=0) / np.abs(exact).max(axis=0)


PULL, SHEAR = np.diag([1.0, 0.0]), np.array([[0.0, 1.0], [1.0, 0.0]])
PLANE = {"pull": PULL, "shear": SHEAR, "along": np.diag([0.0, 1.0])}
PLANE["all"] = PULL - 0.5 * SHEAR + 0.25 * PLANE["along"]


@pytest.mark.parametrize("kinds", [("Q4", "Q4"), ("T3", "Q4"), ("T3", "T3")])
@pytest.mark.parametrize("meshes", [(2, even(3)), (3, graded(5)), (5, graded(4))])
def test_mortar_passes_the_patch_test_in_the_plane(kinds, meshes):
    left = block(kinds[0], even(2), even(meshes[0]))
    right = block(kinds[1], even(2, 1.0, 2.0), meshes[1])
    for how, swap in product(MORTARS, (False, True)):
        errors = patch_errors(left, right, PLANE.values(), swap=swap, **how)
        assert errors.max() < 1e-12, (how, swap, errors)


def skewed(points):
    """Nodes moved inside the sides of a unit square in y and z."""
    x, y, z = points.T
    bubble = y * (1 - y) * z * (1 - z)
    return np.stack([x, y + 0.8 * bubble, z - 0.6 * bubble * (1 + y)], axis=1)


def in_space(**entries):
    stress = np.zeros((3, 3))
    for name, value in entries.items():
        i, j = ("xyz".index(axis) for axis in name)
        stress[i, j] = stress[j, i] = value
    return stress


SPACE = {
    "pull": in_space(xx=1.0),
    "shear": in_space(xy=1.0, xz=0.5),
    "all": in_space(xx=1.0, yy=-0.5, zz=0.2, xy=0.3, xz=-0.4, yz=0.6),
}


@pytest.mark.parametrize(
    ("kinds", "move"),
    [
        (("hex8", "hex8"), None),
        (("hex8", "tet4"), None),
        (("tet4", "tet4"), None),
        (("hex8", "hex8"), skewed),
        (("tet4", "hex8"), skewed),
    ],
)
def test_mortar_passes_the_patch_test_in_space(kinds, move):
    left = block(kinds[0], even(1), even(2), even(3))
    right = block(kinds[1], even(1, 1.0, 2.0), graded(3), even(4), move=move)
    for how, swap in product(MORTARS, (False, True)):
        errors = patch_errors(left, right, SPACE.values(), swap=swap, **how)
        assert errors.max() < 1e-12, (how, swap, errors)


@pytest.mark.parametrize("swap", [False, True])
def test_projection_passes_where_no_traction_crosses(swap):
    left, right = block("Q4", even(2), even(3)), block("T3", even(2, 1, 2), graded(5))
    along = PLANE["along"]
    errors = patch_errors(left, right, [along], swap=swap, method="projection")
    assert errors.max() < 1e-12


def test_projection_passes_where_the_slave_mesh_contains_the_master_mesh():
    coarse = graded(3)
    fine = np.unique(np.concatenate([coarse, [0.1, 0.33, 0.5, 0.9]]))
    left, right = block("Q4", even(2), fine), block("Q4", even(2, 1, 2), coarse)
    errors = patch_errors(left, right, PLANE.values(), method="projection")
    assert errors.max() < 1e-12


def test_so_it_does_in_space():
    left = block("hex8", even(1), even(4), even(6))
    right = block("hex8", even(1, 1, 2), even(2), even(3))
    errors = patch_errors(left, right, SPACE.values(), method="projection")
    assert errors.max() < 1e-12


@pytest.mark.parametrize("swap", [False, True])
def test_elsewhere_projection_fails_and_mortar_does_not(swap):
    left, right = block("Q4", even(2), even(3)), block("Q4", even(2, 1, 2), graded(5))
    across = PLANE["pull"], PLANE["shear"]
    errors = patch_errors(left, right, across, swap=swap, method="projection")
    assert errors.min() > 1e-3
    assert patch_errors(left, right, across, swap=swap).max() < 1e-12


@pytest.mark.parametrize("how", METHODS)
def test_displacement_converges_with_order_two_in_bending(how):
    """u = (−x y, x²/2 + ν y²/2): σxx = −y, nothing else."""
    errors = []
    for n in (1, 2, 4):
        left = block("Q4", even(2 * n), even(2 * n, -0.5, 0.5))
        right = block("Q4", even(3 * n, 1, 2), even(3 * n, -0.5, 0.5))
        blocks = left, right
        exact = np.concatenate([bent(b.points).ravel() for b in blocks])
        _, B = glue_blocks(right=right, left=left, swap=True, **how)
        f = tractions(blocks, lambda x: np.diag([-x[1], 0.0]))
        u = solve_glued(blocks, f, B, exact)
        errors.append(strained(np.vstack([b.points for b in blocks]), u - exact))
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert abs(orders[-1] - 2.0) < 0.2, errors


def strained(points, u):
    """Root mean square of what no rigid motion explains: supports are not the topic."""
    x, y = points.T
    one, zero = np.ones_like(x), np.zeros_like(x)
    rigid = np.stack([[one, zero], [zero, one], [-y, x]]).transpose(2, 1, 0)
    rigid = rigid.reshape(-1, 3)
    rest = u - rigid @ np.linalg.lstsq(rigid, u, rcond=None)[0]
    return np.sqrt(np.mean(rest**2))


def bent(points):
    x, y = points.T
    return np.stack([-x * y, 0.5 * (x**2 + POISSON * y**2)], axis=1)


def patch_port(rows, columns, bend, seed, triangles=False):
    """A face over the unit square, bent to a paraboloid, its inner nodes shifted."""
    y, z = np.meshgrid(even(rows), even(columns), indexing="ij")
    inner = (y > 0) & (y < 1) & (z > 0) & (z < 1)
    shift = np.random.default_rng(seed).uniform(-0.2, 0.2, (2, *y.shape)) * inner
    y, z = y + shift[0] / rows, z + shift[1] / columns
    points = np.stack([bend * (y * y - z * z + y * z), y, z], axis=-1).reshape(-1, 3)
    k = np.arange(len(points)).reshape(y.shape)
    quads = np.stack([k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]], axis=-1)
    facets = [tuple(q) for q in quads.reshape(-1, 4).tolist()]
    if triangles:
        facets = [t for a, b, c, d in facets for t in ((a, b, c), (a, c, d))]
    surface = Surface(points, tuple(facets))
    return Port("face", ("x", "y", "z"), len(points), surface=surface)


def wrench(port, f):
    """Sum of forces, and of their moments about the origin."""
    f = f.reshape(-1, 3)
    return np.concatenate([f.sum(axis=0), np.cross(port.surface.points, f).sum(axis=0)])


curved_pairs = st.tuples(
    st.tuples(*[st.integers(1, 4)] * 4),
    st.sampled_from([0.0, 0.05, 0.2]),
    st.booleans(),
    st.integers(0, 99),
)


def make_pair(sizes, bend, triangles, seed):
    a, b, c, d = sizes
    return patch_port(a, b, bend, seed), patch_port(c, d, bend, seed + 1, triangles)


@pytest.mark.parametrize("how", METHODS)
@settings(max_examples=15, deadline=None)
@given(pair=curved_pairs)
def test_loads_balance_in_force_and_moment_for_every_force(how, pair):
    ports = make_pair(*pair)
    tie = MeshTie("j", ENDS, ports, reach=0.5, **how)
    F = np.random.default_rng(pair[-1]).normal(size=len(tie.components))
    loads = [F @ B for B in tie.jacobian(())]
    total = sum(wrench(p, f) for p, f in zip(ports, loads, strict=True))
    assert np.abs(total).max() < 1e-12 * np.abs(F).sum()


@pytest.mark.parametrize("how", METHODS)
@settings(max_examples=15, deadline=None)
@given(pair=curved_pairs)
def test_rigid_motion_leaves_no_gap(how, pair):
    ports = make_pair(*pair)
    tie = MeshTie("j", ENDS, ports, reach=0.5, **how)
    shift, spin = np.array([0.3, -1.0, 0.7]), np.array([0.2, 0.5, -0.4])
    moved = [(shift + np.cross(spin, p.surface.points)).ravel() for p in ports]
    for level in tie.gap([Motion(u, u, u) for u in moved]):
        np.testing.assert_allclose(level, 0.0, atol=1e-12)


@pytest.mark.parametrize("how", METHODS)
def test_without_moments_the_moment_of_the_offset_is_lost(how):
    ports = make_pair((3, 3, 2, 4), 0.2, False, 5)
    tie = MeshTie("j", ENDS, ports, reach=0.5, moments=False, **how)
    F = np.random.default_rng(0).normal(size=len(tie.components))
    D, M = (B[::3, ::3] for B in tie.jacobian(()))
    g = D @ ports[0].surface.points + M @ ports[1].surface.points
    loads = [F @ B for B in tie.jacobian(())]
    total = sum(wrench(p, f) for p, f in zip(ports, loads, strict=True))
    lost = np.cross(g, F.reshape(-1, 3)).sum(axis=0)
    assert np.abs(lost).max() > 1e-3
    np.testing.assert_allclose(total, [0, 0, 0, *lost], atol=1e-12)


@pytest.mark.parametrize("how", [MORTARS[0], METHODS[-1]])
@pytest.mark.parametrize("bend", [0.0, 0.3])
def test_matching_meshes_are_a_tie(how, bend):
    port = patch_port(3, 4, bend, seed=2)
    order = np.random.default_rng(1).permutation(port.nodes)
    place = {int(n): i for i, n in enumerate(order)}
    facets = tuple(tuple(place[n] for n in f) for f in port.surface.facets)
    surface = Surface(port.surface.points[order], facets)
    other = Port("face", port.dofs, port.nodes, surface=surface)
    D, M = MeshTie("j", ENDS, (port, other), **how).jacobian(())
    same = Tie("j", ENDS, port.dofs * port.nodes).jacobian(())
    columns = (3 * np.array([place[n] for n in range(port.nodes)])[:, None]) + range(3)
    np.testing.assert_allclose(D, same[0], atol=1e-12)
    np.testing.assert_allclose(M[:, columns.ravel()], same[1], atol=1e-12)


@pytest.mark.parametrize("how", METHODS)
def test_admissible_motions_leave_no_gap(how):
    ports = make_pair((3, 3, 2, 4), 0.2, False, 5)
    tie = MeshTie("j", ENDS, ports, reach=0.5, **how)
    z = np.random.default_rng(3).normal(size=3 * ports[1].size)
    for level in tie.gap(tie.admissible(z)):
        np.testing.assert_allclose(level, 0.0, atol=1e-12)


def test_surfaces_slide_in_dofs_that_are_not_tied():
    ports = make_pair((2, 3, 3, 2), 0.0, False, 1)
    tie = MeshTie("j", ENDS, ports, dofs=("x",))
    assert len(tie.components) == ports[0].nodes
    slid, held = np.tile([0.0, 1.0, -2.0], ports[0].nodes), np.zeros(ports[1].size)
    e, _, none = tie.gap([Motion(slid, slid), Motion(held, held)])
    np.testing.assert_allclose(e, 0.0, atol=1e-15)
    assert none is None


def test_a_cloud_of_points_rides_on_facets():
    master = patch_port(2, 2, 0.0, 1)
    points = np.array([[0.0, 0.2, 0.3], [0.01, 0.9, 0.4]])
    cloud = Port("face", master.dofs, 2, surface=Surface(points))
    tie = MeshTie("j", ENDS, (cloud, master), method="projection")
    tie.suits("here", (cloud, master))
    _, M = tie.jacobian(())
    np.testing.assert_allclose(-M[:3, ::3] @ master.surface.points[:, 0], 0.0)
    foot = -M[1::3, 1::3] @ master.surface.points[:, 1]
    np.testing.assert_allclose(foot, points[:, 1], atol=1e-12)


def clamped(b, name, ports):
    """A structure of unit masses held at x = 0, pulled at its upper side in x."""
    free = np.repeat(~np.isclose(b.points[:, 0], 0.0), b.dim)
    f = b.loads(b.side(0, 1), lambda x: [0.1, 1.0])[free] if name == "b" else None
    number = np.cumsum(free) - 1
    port, nodes = ports
    dofs = number[(nodes[:, None] * b.dim + np.arange(b.dim)).ravel()]
    K = b.K[np.ix_(free, free)]
    system = LinearSystem(np.eye(len(K)), 0.01 * K, K)
    publish = {f"u{k}": k for k in range(len(K))}
    external = None if f is None else (lambda t: f * np.sin(t))
    part = Structure(
        name, system, {"face": dofs}, {"face": port}, external, publish=publish
    )
    return part, dofs


@pytest.mark.parametrize("how", METHODS)
def test_glued_structures_move_as_one_without_the_slave_nodes(how):
    left, right = block("Q4", even(2), even(2)), block("T3", even(2, 1, 2), graded(3))
    tie, _ = glue_blocks(left, right, **how)
    a, slave = clamped(left, "a", left.port("face", left.side(0, 1)))
    b, master = clamped(right, "b", right.port("face", right.side(0, 0)))
    n, m = len(a.system.K), len(b.system.K)
    D, M = tie.jacobian(())
    own = np.setdiff1d(np.arange(n), slave)
    T = np.zeros((n + m, len(own) + m))  # all dofs from those that are left
    T[own, np.arange(len(own))] = 1.0
    T[n:, len(own) :] = np.eye(m)
    T[np.ix_(slave, len(own) + master)] = -np.linalg.solve(D, M)
    K = T.T @ block_diag(a.system.K, b.system.K) @ T
    whole = Newmark(LinearSystem(T.T @ T, 0.01 * K, K), 0.05)
    f = T.T @ np.concatenate([np.zeros(n), b.external(np.pi / 2)])
    now = Kinematics(*np.zeros((3, len(K))))
    parts = {"a": a, "b": b}
    glued = IntegratedModel("pair", parts, [tie], TT(default_scheme(parts)), Newton())
    step = glued.start(0.0)
    for k in range(40):
        step = glued.advance(step.state, uniform(0.0, 0.05, k), {})
        now = whole.step(now, f * np.sin(0.05 * (k + 1)))
    seen = glued.observe(step.state)
    names = [f"a.u{k}" for k in range(n)] + [f"b.u{k}" for k in range(m)]
    u = np.array([seen[name].value for name in names])
    np.testing.assert_allclose(u, T @ now.u, atol=1e-11 * np.abs(u).max())
