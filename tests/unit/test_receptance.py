"""Laws of the receptance of large sparse structures: prepared or not, it is one."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array, diags_array, eye_array, kron

from bondline.numerics import LinearSystem
from bondline.numerics.expansion import expanded, proportional
from bondline.numerics.receptance import Vibration

N = 29
SEEN = np.array([0, 17, 240, 631, 840])
ROUND_OFF = 1e-12


def string(n: int, ends: float) -> csr_array:
    inside = np.full(n, 2.0)
    inside[[0, -1]] = 1.0 + ends
    return csr_array(
        diags_array([-1.0, inside, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    )


def sheet(ends: float = 1.0, n: int = N, uneven: bool = True) -> LinearSystem:
    """A net of strings; with `ends` = 0 it is free, and has a rigid motion.

    Even ones have repeated frequencies.
    """
    K = 1e4 * (
        kron(string(n, ends), eye_array(n)) + kron(eye_array(n), string(n, ends))
    )
    masses = np.random.default_rng(3).random(n * n) if uneven else np.zeros(n * n)
    M = csr_array(diags_array(1.0 + masses))
    K = csr_array(K)
    return LinearSystem(M, 0.3 * M + 1e-4 * K, K)


def rows(n: int = N) -> np.ndarray:
    return np.eye(n * n)[SEEN]


@pytest.fixture(scope="module", params=["held", "free", "even"])
def case(request):
    system = sheet(
        0.0 if request.param == "free" else 1.0, uneven=request.param != "even"
    )
    M, _, K = (A.toarray() for A in system)
    squares, shapes = eigh(K, M)
    if request.param == "free":
        squares[0] = 0.0
    top = 1.01 * float(np.sqrt(squares[12]))
    made = expanded(system.K, system.M, rows(), top)
    return SimpleNamespace(made=made, top=top, squares=squares, seen=rows() @ shapes)


def exact(case, square):
    return (case.seen / (case.squares - square)) @ case.seen.T


def apart(one, other) -> float:
    return float(np.abs(one - other).max() / np.abs(other).max())


def test_what_is_prepared_is_what_is_factored(case):
    """H and the count, all over the band and next to the poles."""
    made, top, squares = case.made, case.top, case.squares
    assert made.covers(top**2)
    assert not made.covers(1.2 * top**2)
    asked = [*np.linspace(1e-4, 1.0, 40) * top**2]
    asked += [s * (1.0 + d) for s in squares[1:12] for d in (-1e-5, 1e-5)]
    for square in asked:
        H, below = made.at(float(square))
        assert below == np.count_nonzero(squares < square)
        near = np.abs(squares / square - 1.0).min()
        assert apart(H, exact(case, square)) < ROUND_OFF + 1e-13 / near


def test_next_to_a_pole_the_count_changes_with_the_sign(case):
    """The trace of H goes from plus to minus infinity where a mode is counted."""
    made = case.made
    own = made.squares[made.squares > 0.0][:8]
    for square in own:
        (left, before), (right, after) = (
            made.at(float(square * (1.0 + d))) for d in (-3e-11, 3e-11)
        )
        here = np.count_nonzero(np.abs(own / square - 1.0) < 1e-9)
        assert after - before == here
        assert np.trace(left) > 0.0 > np.trace(right)
    on, _ = made.at(float(own[0]))
    assert np.isfinite(on).all()


def test_at_rest_a_free_structure_is_answered():
    (M, _, K) = sheet(0.0)
    H, below = expanded(K, M, rows(), 20.0).at(0.0)
    assert np.isfinite(H).all()
    assert below in (0, 1)


@pytest.mark.parametrize("damped", [False, True])
def test_answers_do_not_change_when_a_band_is_prepared(damped):
    """Up, down, and up again: the same numbers as those of a fresh structure."""
    system = sheet()
    old = Vibration(system, rows())
    for omega in (7.0, 21.0, 9.0, 14.0, 33.0, 2.0, 60.0, 21.0, 190.0, 60.0):
        H, below = old.at(omega, damped)
        fresh, count = Vibration(system, rows()).at(omega, damped)
        assert below == count
        assert apart(H, fresh) < ROUND_OFF


def test_rayleigh_damping_is_recognised():
    alpha, beta = proportional(sheet()) or (0.0, 0.0)
    assert (alpha, beta) == pytest.approx((0.3, 1e-4), rel=1e-9)
    M, C, K = sheet()
    only = proportional(LinearSystem(M, 2e-3 * K, K))
    assert only == pytest.approx((0.0, 2e-3), abs=1e-10)
    dashpot = csr_array(([1e-6], ([40], [40])), shape=K.shape)
    assert proportional(LinearSystem(M, C + dashpot, K)) is None


def test_damping_of_another_kind_is_solved_with():
    M, C, K = sheet()
    dashpot = csr_array(([5.0], ([40], [40])), shape=K.shape)
    lossy = C + dashpot
    seen = Vibration(LinearSystem(M, lossy, K), rows())
    for omega in (9.0, 11.0, 12.0, 15.0):
        Z = (K + 1j * omega * lossy - omega**2 * M).toarray()
        expected = rows() @ np.linalg.solve(Z, rows().T)
        assert apart(seen.damped(omega), expected) < ROUND_OFF


def test_where_modes_are_too_many_nothing_is_prepared():
    M, _, K = sheet()
    assert expanded(K, M, rows(), 150.0) is None


def test_a_structure_that_is_not_stable_is_not_expanded():
    M, _, K = sheet()
    loose = csr_array(K - 500.0 * M)
    assert expanded(loose, M, rows(), 20.0) is None
    seen = Vibration(LinearSystem(M, 0.0 * M, loose), rows())
    squares = eigh(loose.toarray(), M.toarray(), eigvals_only=True)
    for omega in (3.0, 5.0, 8.0, 13.0):
        assert seen.undamped(omega)[1] == np.count_nonzero(squares < omega**2)
