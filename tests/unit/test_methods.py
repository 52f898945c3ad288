"""Weights of implicit methods: stability, order, dissipation, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bondline.errors import SettingError
from bondline.numerics import Kinematics, LinearSystem, Method, Newmark


def radius(A):
    return np.abs(np.linalg.eigvals(A)).max()


@given(rho=st.floats(0.0, 1.0))
def test_the_fastest_motions_keep_rho(rho):
    """Three eigenvalues meet there, so that they are known to ∛ε only."""
    method = Method.generalized_alpha(rho)
    assert method.rho_inf == pytest.approx(rho, abs=2e-5)
    assert radius(method.amplification(1e7)) == pytest.approx(rho, abs=1e-3)
    assert method.order == 2


@given(alpha=st.floats(-1.0 / 3.0, 0.0))
def test_hht_is_of_second_order_and_damps(alpha):
    method = Method.hht(alpha)
    # Hilber, Hughes, Taylor (1977): two roots (1 + α)/(1 − α) apart, one at α/(1 + α)
    assert method.rho_inf == pytest.approx((1.0 + alpha) / (1.0 - alpha), abs=1e-6)
    assert method.order == 2


@given(
    omega_h=st.floats(1e-3, 1e5),
    zeta=st.floats(0.0, 1.0),
    rho=st.floats(0.0, 1.0),
)
def test_nothing_grows(omega_h, zeta, rho):
    for method in (Method.generalized_alpha(rho), Method.hht((rho - 1.0) / 3.0)):
        assert radius(method.amplification(omega_h, zeta)) < 1.0 + 1e-5


@settings(max_examples=25)
@given(
    beta=st.floats(0.05, 2.0), gamma=st.floats(0.3, 2.0), omega_h=st.floats(0.1, 1e3)
)
def test_what_is_accepted_is_stable(beta, gamma, omega_h):
    try:
        method = Method.newmark(beta, gamma)
    except SettingError:
        assert not 2.0 * beta >= gamma >= 0.5
        return
    assert radius(method.amplification(omega_h)) < 1.0 + 1e-5
    assert method.order == (2 if gamma == 0.5 else 1)


def test_a_step_is_the_amplification_of_a_mode():
    """One mass on a spring and damper, m = 2, ω = 3, ζ = 0.1, h = 0.2."""
    h, omega, zeta, m = 0.2, 3.0, 0.1, 2.0
    weights = [[m * x] for x in (1.0, 2.0 * zeta * omega, omega**2)]
    system = LinearSystem(*(np.array([w]) for w in weights))
    for method in (Method.newmark(0.3, 0.55), Method.generalized_alpha(0.7)):
        y = np.array([0.3, -0.1, 0.7])  # u, h v, h² a
        now = Kinematics(*(y / [1.0, h, h * h])[:, None])
        u, v, a = Newmark(system, h, method).step(now, np.zeros(1))
        after = method.amplification(omega * h, zeta) @ y
        assert [u[0], h * v[0], h * h * a[0]] == pytest.approx(after)


def test_rho_one_keeps_energy_and_zero_forgets_at_once():
    kept = Method.generalized_alpha(1.0)
    assert [radius(kept.amplification(x)) for x in (0.1, 3.0, 99.0)] == pytest.approx(
        [1.0] * 3
    )
    P = Method.generalized_alpha(0.0).amplification(np.inf)
    assert np.linalg.matrix_power(P, 3) == pytest.approx(np.zeros((3, 3)), abs=1e-12)


@pytest.mark.parametrize(
    ("make", "place", "finding", "remedy"),
    [
        (lambda: Method.newmark(0.0, 0.5), "Method", "is explicit", "β > 0"),
        (
            lambda: Method.newmark(1 / 6, 0.5),
            "Method",
            "stable only for ωh up to 3.4",
            "conditional=True",
        ),
        (
            lambda: Method.newmark(0.25, 0.4, conditional=True),
            "Method",
            "stable for no step",
            "2β ≥ γ ≥ 1/2",
        ),
        (lambda: Method.hht(-0.5), "Method.hht: alpha", "it is -0.5", "-1/3 to 0"),
        (
            lambda: Method.generalized_alpha(1.5),
            "Method.generalized_alpha: rho",
            "it is 1.5",
            "0 (damps most) to 1",
        ),
    ],
)
def test_what_does_not_work_is_refused(make, place, finding, remedy):
    with pytest.raises(SettingError) as caught:
        make()
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_conditional_methods_say_how_far_they_go():
    """Linear acceleration: ωh = √12, Fox and Goodwin: √6."""
    for beta, limit in ((1 / 6, np.sqrt(12.0)), (1 / 12, np.sqrt(6.0))):
        method = Method.newmark(beta, 0.5, conditional=True)
        assert method.limit <= limit
        assert method.limit == pytest.approx(limit, rel=1e-5)
    assert Method().limit == np.inf
