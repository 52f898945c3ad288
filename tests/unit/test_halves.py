"""What compiled kernels make of sparse matrices is what they are by definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array

from bondline.numerics import Kinematics, LinearSystem, Newmark
from bondline.numerics.fused import FusedLanding
from bondline.numerics.halves import Halves


def symmetric(seed: int, n: int = 40) -> np.ndarray:
    """Some entries of a band, and not all of the diagonal."""
    A = np.random.default_rng(seed).normal(size=(n, n))
    rows, columns = np.indices(A.shape)
    A[(np.abs(rows - columns) > 6) | (np.abs(A) < 0.5)] = 0.0
    return A + A.T


def system(n: int = 40) -> LinearSystem:
    """Patterns that differ, positive definite."""
    return LinearSystem(*(symmetric(k, n) + 20.0 * np.eye(n) for k in range(3)))


def made(matrices: LinearSystem) -> tuple[LinearSystem, Halves]:
    sparse = LinearSystem(*map(csr_array, matrices))
    halves = Halves.of(*sparse)
    assert halves is not None
    return sparse, halves


def test_inner_forces_and_energies_are_those_of_the_matrices() -> None:
    M, C, K = (symmetric(k) for k in range(3))
    halves = Halves.of(csr_array(M), csr_array(C), csr_array(K))
    assert halves is not None
    u, v, w = np.random.default_rng(3).normal(size=(3, 40))
    assert halves.inner(u, v) == pytest.approx(K @ u + C @ v, rel=1e-13, abs=1e-13)
    mean = 0.5 * (w + v)
    wanted = [0.5 * u @ K @ u, 0.5 * v @ M @ v, 0.5 * mean @ C @ mean]
    assert halves.energies(u, w, v) == pytest.approx(wanted, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("unit", [1.0, 2.0e-7, 3.0e5])
def test_forces_that_cancel_lose_nothing_on_the_way(unit: float) -> None:
    """A bar of many stiff springs, moved as a whole and stretched a little.

    Rounded sums leave 1e-16 of the largest term, which here is all of the force.
    """
    n, rng = 60, np.random.default_rng(11)
    k = 1e9 * rng.uniform(0.5, 2.0, n - 1)
    s = np.where(np.arange(n) % 2, unit, 1.0)  # dofs in other units, as rotations
    K = (np.diag(np.r_[k, 0.0] + np.r_[0.0, k]) - np.diag(k, 1) - np.diag(k, -1)) * s
    K = np.triu(K * s[:, None])
    K += np.triu(K, 1).T
    halves = Halves.of(*(csr_array(A) for A in (np.eye(n), 0.0 * K, K)))
    assert halves is not None
    u = (0.3 + 1e-12 * rng.normal(size=n)) / s
    exact = [
        float(sum(Fraction(a) * Fraction(x) for a, x in zip(row, u, strict=True)))
        for row in K.tolist()
    ]
    found = halves.inner(u, np.zeros(n))
    size = np.abs(K) @ np.abs(u)  # of the terms, 1e11 times the sum
    assert (np.abs(found - exact) <= 1e-21 * size + 1e-15 * np.abs(exact)).all()


@pytest.mark.parametrize(
    ("diagonal", "beside", "u"),
    [
        pytest.param(1e9, -1e9, 1e298, id="displacements too large to be cut"),
        pytest.param(1.0, -0.5, 1e307, id="the largest of all"),
        pytest.param(1e-200, 1e200, 1.0, id="next to nothing on the diagonal"),
        pytest.param(0.0, 1.0, 1.0, id="nothing on the diagonal"),
        pytest.param(-2.0, 1.0, 3.0, id="negative"),
    ],
)
def test_odd_numbers_are_summed_as_usual(
    diagonal: float, beside: float, u: float
) -> None:
    K = csr_array(np.array([[diagonal, beside], [beside, diagonal]]))
    halves = Halves.of(csr_array(np.eye(2)), csr_array(0.0 * np.eye(2)), K)
    assert halves is not None
    at = np.array([u, 0.25 * u])
    found = halves.inner(at, np.zeros(2))
    assert found == pytest.approx(K @ at, rel=1e-15)


def test_entries_given_twice_count_twice() -> None:
    twice = csr_array(([1.0, 2.0, 1.0, 2.0], ([0, 0, 1, 1], [1, 1, 0, 0])), (2, 2))
    twice.has_canonical_format = False
    halves = Halves.of(eye_array(2, format="csr"), twice, twice)
    assert halves is not None
    x, none = np.array([1.0, 10.0]), np.zeros(2)
    assert halves.inner(x, none).tolist() == [30.0, 3.0]


def test_dense_matrices_have_no_halves() -> None:
    A = csr_array(np.eye(3))
    assert Halves.of(A, np.eye(3), A) is None


@pytest.mark.parametrize("n", [1, 2, 5, 9, 40, 41, 42, 43])
def test_a_fused_step_is_the_step(n: int) -> None:
    """Bands of all widths and rests of groups of four."""
    sparse, halves = made(system(n))
    now = Kinematics(*np.random.default_rng(5).normal(size=(3, n)))
    f = np.random.default_rng(6).normal(size=n)
    plain, fused = Newmark(sparse, 0.1), Newmark(sparse, 0.1, halves=halves)
    one, two = plain.step(now, f), fused.step(now, f)
    assert np.concatenate(two) == pytest.approx(np.concatenate(one), rel=1e-12)
    assert two.u == pytest.approx(
        now.u + 0.1 * now.v + 0.0025 * (now.a + two.a), rel=1e-12
    )


@pytest.mark.parametrize("count", [0, 1, 8, 19])
@pytest.mark.parametrize("n", [1, 40, 4100])
def test_a_landing_is_a_sum_of_unit_responses_and_its_energies(n, count) -> None:
    """Columns in groups of eight and a rest, rows in stretches and a rest."""
    rng = np.random.default_rng(7)
    one = eye_array(n, format="csr")
    halves = Halves.of(one, 2.0 * one, 3.0 * one)
    assert halves is not None
    units, z = np.asfortranarray(rng.normal(size=(n, count))), rng.normal(size=count)
    before, without = rng.normal(size=(2, 3, n))
    after, energies = FusedLanding(halves, units, 0.25, 0.5)(before, without, z)
    wanted = without + np.outer([0.25, 0.5, 1.0], units @ z)
    assert after == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    found = halves.energies(after[0], before[1], after[1])
    assert energies == pytest.approx(found, rel=1e-14)


def test_a_landing_through_the_factor_is_that_by_unit_responses() -> None:
    """Two forces act on one dof; rows of the factor are not those of the matrix."""
    sparse, halves = made(system())
    step = Newmark(sparse, 0.1, halves=halves)
    dofs, rng = np.array([30, 3, 17, 3]), np.random.default_rng(8)
    units = np.asfortranarray(step.solve(np.eye(40)[:, dofs]))
    before, without, z = *rng.normal(size=(2, 3, 40)), rng.normal(size=4)
    assert step.fused is not None
    band = step.fused.band
    found = [
        FusedLanding(halves, known, 0.25, 0.5)(before, without, z)
        for known in (units, (band, band.rows(dofs)))
    ]
    assert found[1][0] == pytest.approx(found[0][0], rel=1e-12, abs=1e-13)
    assert found[1][1] == pytest.approx(found[0][1], rel=1e-12)


def test_a_leap_is_a_step_and_needs_no_load() -> None:
    sparse, halves = made(system())
    now = np.random.default_rng(5).normal(size=(3, 40))
    for method in (Newmark(sparse, 0.1), Newmark(sparse, 0.1, halves=halves)):
        wanted = np.stack(method.step(Kinematics(*now), np.zeros(40)))
        assert method.leap(now, None).tolist() == wanted.tolist()
        assert method.leap(now, np.zeros(40)).tolist() == wanted.tolist()


def test_columns_are_cases_with_halves_too() -> None:
    sparse, halves = made(system())
    method = Newmark(sparse, 0.1, halves=halves)
    now = Kinematics(*np.random.default_rng(5).normal(size=(3, 40, 2)))
    f = np.random.default_rng(6).normal(size=(40, 2))
    both = method.step(now, f)
    one = method.step(
        Kinematics(*(np.ascontiguousarray(y[:, 1]) for y in now)), f[:, 1].copy()
    )
    assert np.concatenate(one) == pytest.approx(
        np.concatenate(both)[:, 1], rel=1e-11, abs=1e-11
    )
