"""Energies of linear systems are what they are by definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from bondline.numerics.quadratic import Quadratic


def symmetric(seed: int, n: int = 7) -> np.ndarray:
    A = np.random.default_rng(seed).normal(size=(n, n))
    A[np.abs(A) < 0.7] = 0.0
    return A + A.T


@pytest.mark.parametrize("sparse", [(), (0,), (0, 1)], ids=["dense", "one", "sparse"])
def test_it_is_half_of_the_sum_of_the_forms(sparse: tuple[int, ...]) -> None:
    A, B = symmetric(1), symmetric(2)
    x, y = np.random.default_rng(3).normal(size=(2, 7))
    given = [csr_array(Q) if i in sparse else Q for i, Q in enumerate((A, B))]
    whole = Quadratic(given)(np.concatenate([x, y]))
    assert whole == pytest.approx(0.5 * (x @ A @ x + y @ B @ y), rel=1e-13)
