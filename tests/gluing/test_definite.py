"""Large matrices are factored where that is safe, and looked at closely elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.gluing.definite import definite

MANY = 200


def matrix(condition: float, n: int = MANY) -> np.ndarray:
    """Symmetric positive definite, rows of very different sizes."""
    rng = np.random.default_rng(3)
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    S = Q @ np.diag(np.geomspace(1.0, 1.0 / condition, n)) @ Q.T
    size = np.geomspace(1e-3, 1e3, n)
    return 0.5 * (S + S.T) * size[:, None] * size


def test_factors_solve_as_least_squares_do():
    J, f = matrix(1e2), np.linspace(-1.0, 2.0, MANY)
    found = definite(J)
    assert found is not None
    np.testing.assert_allclose(J @ found.times(f), f, atol=1e-9)


@pytest.mark.parametrize(
    "J",
    [
        matrix(1e2, 20),  # small: singular values are cheap
        matrix(1e10),  # nearly singular
        -matrix(1e2),  # negative
        matrix(1e2) + 1e3 * np.eye(MANY, k=1),  # not symmetric
    ],
    ids=["small", "nearly singular", "negative", "not symmetric"],
)
def test_what_is_in_doubt_is_left_to_others(J):
    assert definite(J) is None


def test_a_condition_that_repeats_another_is_in_doubt():
    J = matrix(1e2)
    J[-1], J[:, -1] = J[0], J[:, 0]
    J[-1, -1] = J[0, 0]
    assert definite(J) is None
