"""Sparse factors: every method solves alike, the choice, what is told about them."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from scipy import sparse

from bondline.errors import SettingError
from bondline.numerics.factor import factor
from bondline.numerics.ordering import can_dissect, dissected, merged, narrow, reach_of
from bondline.numerics.sparse import METHODS, VARIABLE, factorize, signed

needs = {"dissected": "pymetis", "cholmod": "cvxopt"}
INSTALLED = [m for m in METHODS if find_spec(needs.get(m, "scipy")) is not None]
metis = pytest.mark.skipif(not can_dissect(), reason="pymetis is not installed")


def path(n):
    """A row of springs, free at both ends."""
    d = np.full(n, 2.0)
    d[[0, -1]] = 1.0
    off = -np.ones(n - 1)
    return sparse.diags_array([off, d, off], offsets=[-1, 0, 1])


def box(*sizes, dofs=2):
    """A grid of springs in one to three directions, several dofs a node."""
    total = sparse.csr_array((1, 1))
    for n in sizes:
        one, so_far = sparse.eye_array(n), sparse.eye_array(total.shape[0])
        total = sparse.kron(total, one) + sparse.kron(so_far, path(n))
    each = np.eye(dofs) + 0.3
    grounded = sparse.kron(total + 0.1 * sparse.eye_array(total.shape[0]), each)
    return sparse.csr_array(grounded)


GRIDS = {"strip": box(40, 4), "plate": box(13, 14), "solid": box(5, 6, 5, dofs=3)}


@pytest.mark.parametrize("method", [None, *INSTALLED])
@pytest.mark.parametrize("grid", GRIDS)
def test_every_method_solves(method, grid):
    A, rng = GRIDS[grid], np.random.default_rng(1)
    made = factorize(A, method)
    for f in (rng.normal(size=A.shape[0]), rng.normal(size=(A.shape[0], 3))):
        given = f.copy()
        x = made.solve(f)
        assert x.shape == f.shape
        assert A @ x == pytest.approx(f, abs=1e-11)
        assert (f == given).all()


@pytest.mark.parametrize("method", INSTALLED)
def test_equal_matrices_give_equal_bits(method):
    A, f = GRIDS["plate"], np.random.default_rng(2).normal(size=GRIDS["plate"].shape[0])
    one, two = factorize(A, method), factorize(A.copy(), method)
    assert one.solve(f).tobytes() == two.solve(f).tobytes()
    assert one.slack == two.slack


@pytest.mark.parametrize("method", INSTALLED)
def test_slack_is_the_smallest_pivot_by_its_diagonal(method):
    """[[2, 1.9], [1.9, 2]] leaves 2 − 1.9²/2 of one pivot, whatever the order."""
    A = sparse.csr_array(sparse.block_diag([[[2.0, 1.9], [1.9, 2.0]], [[5.0]]]))
    assert factorize(A, method).slack == pytest.approx(1.0 - 0.95**2)


@pytest.mark.parametrize("method", [None, *INSTALLED])
@pytest.mark.parametrize("wrong", [-1.0, 0.0])
def test_what_is_not_positive_definite_is_refused(method, wrong):
    """Free springs with nothing to hold them, and with less than nothing."""
    A = sparse.csr_array(path(30) + wrong * sparse.eye_array(30))
    if wrong == 0.0:
        A = sparse.csr_array(np.diag([1.0, 0.0, 2.0]))
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        factorize(A, method)


@pytest.mark.parametrize("method", [m for m in INSTALLED if m != "cholmod"])
def test_memory_and_fill_are_told(method):
    made = factorize(GRIDS["solid"], method)
    assert made.method == method
    assert made.fill >= 0.5  # at least a triangle
    assert made.memory >= 8 * made.fill * GRIDS["solid"].nnz * (1.0 - 1e-12)


def test_narrow_ones_are_factored_in_a_band():
    assert factorize(GRIDS["strip"]).method == "band"
    assert factor(box(200, dofs=1)).method == "band"


def bricks(n):
    """n x n x n nodes of three dofs, each with 26 neighbours."""
    line = path(n) + 3.0 * sparse.eye_array(n)
    each = sparse.csr_array(np.eye(3) + 0.3)
    return sparse.csr_array(
        sparse.kron(sparse.kron(line, line), sparse.kron(line, each))
    )


@metis
def test_nested_dissection_fills_less_in_solids():
    A = bricks(11)
    assert factorize(A, "dissected").fill < factorize(A, "superlu").fill


@metis
@pytest.mark.skipif(find_spec("cvxopt") is not None, reason="CHOLMOD is preferred")
def test_large_solids_are_dissected():
    assert factorize(bricks(11)).method == "band"
    assert factorize(bricks(12)).method == "superlu"
    assert factorize(bricks(15)).method == "dissected"


@metis
def test_an_order_has_every_row_once_and_nodes_stay_together():
    A = GRIDS["solid"]
    for order in (dissected(A), narrow(A)[0]):
        assert sorted(order.tolist()) == list(range(A.shape[0]))
        nodes = order.reshape(-1, 3) // 3
        assert (nodes == nodes[:, :1]).all()


def test_rows_of_one_pattern_are_merged():
    found = merged(GRIDS["plate"])
    assert found.group.tolist() == np.repeat(np.arange(13 * 14), 2).tolist()
    assert found.graph.nnz == 2 * (12 * 14 + 13 * 13)


def test_a_shuffled_strip_is_found_narrow():
    A, order = GRIDS["strip"], np.random.default_rng(3).permutation(320)
    mixed = sparse.csr_array(A[order][:, order])
    _, reach = narrow(mixed)
    assert reach < 24  # 9 as it was numbered, 300 as it is
    assert reach_of(mixed, np.arange(320)) > 200


def test_what_does_not_hang_together_is_taken_apart():
    """Two strips, dof by dof in turn: each on its own is half as wide."""
    strip = box(40, 4, dofs=1)
    both = sparse.csr_array(sparse.kron(strip, sparse.eye_array(2), format="csr"))
    order, reach = narrow(both)
    assert reach == 4
    assert reach_of(both, np.arange(320)) == 8
    f = np.random.default_rng(5).normal(size=320)
    assert both @ factorize(both).solve(f) == pytest.approx(f, abs=1e-11)
    told = sparse.csr_array(sparse.kron(strip, np.ones((2, 2)), format="csr"))
    told.data *= np.where(np.isclose(both[told.nonzero()], 0.0), 0.0, 1.0)
    assert factorize(told).fill == factorize(both).fill  # zeros do not count
    assert order[:160].tolist() == list(range(0, 320, 2))


@pytest.mark.parametrize("grid", GRIDS)
def test_pivots_count_eigenvalues_below_zero(grid):
    A = GRIDS[grid]
    values = np.linalg.eigvalsh(A.toarray())
    for cut in (0.0, 1.234, 3.21):
        moved = sparse.csr_array(A - cut * sparse.eye_array(A.shape[0]))
        found = signed(moved)
        f = np.random.default_rng(4).normal(size=A.shape[0])
        assert found.negative == (values < cut).sum()
        assert moved @ found.solve(f) == pytest.approx(f, abs=1e-7)


@pytest.mark.parametrize("A", [np.diag([1.0, 0.0]), np.ones((2, 2))])
def test_singular_matrices_have_no_signed_factors(A):
    assert signed(sparse.csr_array(A)) is None


def test_the_environment_chooses(monkeypatch):
    monkeypatch.setenv(VARIABLE, "superlu")
    assert factor(GRIDS["strip"]).method == "superlu"
    assert factorize(GRIDS["strip"], "band").method == "band"  # the argument wins
    monkeypatch.setenv(VARIABLE, "auto")
    assert factor(GRIDS["strip"]).method == "band"
    monkeypatch.setenv(VARIABLE, "cholmud")
    with pytest.raises(SettingError) as caught:
        factor(GRIDS["strip"])
    assert caught.value.place == "BONDLINE_SPARSE"
    assert "'cholmud' is no way to factor" in caught.value.finding
    assert "Did you mean 'cholmod'?" in caught.value.remedy


@pytest.mark.skipif(find_spec("cvxopt") is not None, reason="CHOLMOD is installed")
def test_what_is_not_installed_is_named():
    with pytest.raises(SettingError) as caught:
        factorize(GRIDS["strip"], "cholmod")
    assert caught.value.place == "factorize: method"
    assert "needs cvxopt" in caught.value.finding
    assert "bondline[cholmod]" in caught.value.remedy
