"""A small product is the product."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from bondline.numerics.sparse_rows import SparseRows

A = np.array([[1.0, 0.0, -2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.5], [1.0, 1.0, 1.0]])


@pytest.mark.parametrize("count", [0, 1, 3])
def test_every_row_is_multiplied(count: int) -> None:
    x = np.random.default_rng(1).normal(size=(count, 3))
    found = SparseRows.of(csr_array(A)).times(x)
    assert found.shape == (count, 4)
    assert found == pytest.approx(x @ A.T, rel=1e-14)


def test_rows_need_not_be_one_after_the_other_in_memory() -> None:
    x = np.random.default_rng(2).normal(size=(3, 2)).T
    found = SparseRows.of(csr_array(A)).times(x)
    assert found == pytest.approx(x @ A.T, rel=1e-14)


def test_dense_blocks_one_below_the_other() -> None:
    whole = np.zeros((6, 5))
    whole[:4, 2:], whole[4:, :2] = A, np.array([[0.0, 7.0], [0.0, 0.0]])
    made = SparseRows.below([(2, A), (0, whole[4:, :2])], 5)
    assert made.times(np.eye(5)).T.tolist() == whole.tolist()


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(AssertionError, match="as long as"):
        SparseRows.of(csr_array(A)).times(np.ones((1, 4)))
