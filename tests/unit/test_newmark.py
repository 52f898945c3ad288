"""Newmark's method and the solvers below it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from bondline.numerics import Kinematics, LinearSystem, Newmark
from bondline.numerics.factor import (
    Partitioned,
    combined,
    factor,
    product,
    slim,
    symmetric_product,
)
from bondline.numerics.loose import loose_modes


def spd(n, seed, rank=None):
    B = np.random.default_rng(seed).normal(size=(n, rank or 2 * n))
    return B @ B.T


@settings(max_examples=25)
@given(n=st.integers(2, 12), seed=st.integers(0, 99), share=st.floats(0.0, 1.0))
def test_told_entries_are_met_and_efforts_balance(n, seed, share):
    A, rng = spd(n, seed), np.random.default_rng(seed)
    held = np.flatnonzero(rng.uniform(size=n) < share)
    f, told = rng.normal(size=(n, 3)), rng.normal(size=(len(held), 3))
    for form in (A, slim(sparse.csr_array(A))):
        x, efforts = Partitioned(form, held).solve(f, told)
        f_all = f.copy()
        f_all[held] += efforts
        assert x[held].tolist() == told.tolist()
        assert A @ x == pytest.approx(f_all, abs=1e-8 * np.abs(A).max())


def test_a_held_step_meets_the_equations_and_its_position():
    M, C, K = spd(5, 1), spd(5, 2), spd(5, 3)
    held, h = np.array([3, 1]), 0.1
    now = Kinematics(*np.random.default_rng(4).normal(size=(3, 5)))
    f, x = np.arange(5.0), np.array([0.3, -0.2])
    method = Newmark(LinearSystem(M, C, K), h, held=held)
    after, efforts = method.follow(now, f, x)
    assert after.u[held] == pytest.approx(x, abs=1e-15)
    assert after.u == pytest.approx(now.u + h * now.v + h**2 / 4 * (now.a + after.a))
    assert after.v == pytest.approx(now.v + h / 2 * (now.a + after.a))
    f[held] += efforts
    assert M @ after.a + C @ after.v + K @ after.u == pytest.approx(f)


def test_columns_are_cases():
    system = LinearSystem(spd(4, 1), spd(4, 2), spd(4, 3))
    now = Kinematics(*np.random.default_rng(4).normal(size=(3, 4, 2)))
    f = np.random.default_rng(5).normal(size=(4, 2))
    method = Newmark(system, 0.1)
    both = method.step(now, f)
    one = method.step(Kinematics(*(y[:, 1] for y in now)), f[:, 1])
    assert both.a[:, 1] == pytest.approx(one.a)


def test_large_matrices_that_are_mostly_zero_become_sparse():
    thin, full = np.eye(200), np.ones((200, 200))
    assert sparse.issparse(slim(thin))
    assert slim(full) is full
    small = np.eye(9)
    assert slim(small) is small
    mixed = combined(((2.0, slim(thin)), (1.0, full)))
    assert mixed.tolist() == (2.0 * thin + full).tolist()
    assert product(slim(thin), np.ones(200)).tolist() == [1.0] * 200


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_what_is_not_positive_definite_is_refused(form):
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        factor(form(np.diag([1.0, -2.0])))


def test_an_exactly_singular_sparse_matrix_is_refused():
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        factor(sparse.csr_array(np.diag([1.0, 0.0])))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_slack_is_the_smallest_pivot_by_its_diagonal(form):
    """[[2, 1.9], [1.9, 2]] leaves 2 − 1.9²/2 of the second pivot."""
    A = np.array([[2.0, 1.9], [1.9, 2.0]])
    assert factor(form(A)).slack == pytest.approx(1.0 - 0.95**2)


@pytest.mark.parametrize("free", [0, 1, 3])
def test_loose_modes_span_the_null_space(free):
    A = spd(9, 7, rank=9 - free)
    modes = loose_modes(A)
    assert modes.shape == (9, free)
    assert A @ modes == pytest.approx(np.zeros((9, free)), abs=1e-9)


@pytest.mark.parametrize("n", [5, 300])
def test_a_symmetric_product_is_the_product(n):
    A, x = spd(n, 1), np.random.default_rng(2).normal(size=n)
    scale = np.abs(A).max()
    assert symmetric_product(A, x) == pytest.approx(product(A, x), abs=1e-12 * scale)
