"""The error recursion of a glued pair: does an error die out from window to window?

Two parts of one degree of freedom are glued at it. A scheme turns what is known at tₙ
into the state at tₙ₊₁ by a linear map; its eigenvalues decide. Everything is measured
in windows: the state of a part is (u, h v, h² a), a force enters as h² F / m.

    y₁ = A y₀ + Γ c,   c = P z + p F₀ + q F₋₁ …                              (1)
    0 = W (yᵃ₁ − yᵇ₁)                                                        (2)

with the coefficients c of the force over the window, its unknowns z, and the forces F₀
at the end of the window before, F₋₁ of the one before that. Equation (2) gives z, (1)
the recursion.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

_TRAPEZOID = np.array([[1.0, 1.0, 0.25], [0.0, 1.0, 0.5]])  # u, h v from u, h v, h² a


class Rule(Protocol):
    """Force basis and condition: what decides about stability in a `Scheme`."""

    @property
    def B(self) -> Array:
        """Coefficients of sᵏ, one column an unknown."""
        ...

    @property
    def W(self) -> Array:
        """Conditions on e, h e', h² e'', one row each."""
        ...

    @property
    def carried(self) -> Array:
        """Coefficients of sᵏ that the force at the end of the last window adds.

        A second column belongs to the window before, and so on.
        """
        ...


@dataclass(frozen=True, slots=True)
class GluedMass:
    """One side of a joint: a mass, free or on a spring and damper.

    `steps` says how it goes through a window: 0 follows the force exactly; n takes n
    Newmark steps, and starts from the acceleration with which the last window ended.
    With `fresh` its acceleration is found anew from the force at the window's start.
    """

    mass: float = 1.0
    omega: float = 0.0  # rad/s
    zeta: float = 0.0
    steps: int = 0
    fresh: bool = False


def spectral_radius(rule: Rule, a: GluedMass, b: GluedMass, h: float) -> float:
    """Largest factor by which an error grows from one window to the next.

    Where both parts are free, their common motion is left out: it is no error.

    >>> from types import SimpleNamespace
    >>> line_e = SimpleNamespace(
    ...     B=np.array([[0.0], [1.0]]), W=np.array([[1.0, 0.0, 0.0]]),
    ...     carried=np.array([1.0, -1.0]),
    ... )
    >>> round(spectral_radius(line_e, GluedMass(), GluedMass(), 0.1), 2)
    3.73
    """
    return float(np.abs(eigenvalues(rule, a, b, h)).max())


def eigenvalues(
    rule: Rule, a: GluedMass, b: GluedMass, h: float
) -> NDArray[np.complex128]:
    """Those of `amplification`, without the common motion of two free parts."""
    T = amplification(rule, a, b, h)
    if a.omega == 0.0 and b.omega == 0.0:
        rest = _apart(len(T))
        T = rest.T @ T @ rest
    return np.asarray(np.linalg.eigvals(T), dtype=np.complex128)


def amplification(rule: Rule, a: GluedMass, b: GluedMass, h: float) -> Array:
    """(yᵃ, yᵇ, F₀ …) at the end of a window from those at its start, (1) with (2)."""
    powers = len(rule.B)
    carried = rule.carried.reshape(powers, -1)
    last = carried.shape[1]
    (A_a, G_a), (A_b, G_b) = (_window(p, h, powers) for p in (a, b))
    S, G = np.zeros((6 + last, 6 + last)), np.zeros((6 + last, powers))
    S[:3, :3], S[3:6, 3:6] = A_a, A_b
    S[7:, 6:-1] = np.eye(last - 1)
    G[:3], G[3:6], G[6] = G_a / a.mass, -G_b / b.mass, 1.0
    S[:, 6:] += G @ carried
    Z = G @ rule.B
    R = rule.W @ np.eye(3, 6 + last) - rule.W @ np.eye(3, 6 + last, 3)
    return np.asarray(S - Z @ np.linalg.solve(R @ Z, R @ S), dtype=np.float64)


def first_unstable(
    rule: Rule, pair: tuple[GluedMass, GluedMass], h: Array, growth: float = 1e-6
) -> float | None:
    """First of the windows `h` in which errors grow by more than `growth`."""
    for one in h:
        if spectral_radius(rule, *pair, float(one)) > 1.0 + growth:
            return float(one)
    return None


def _window(part: GluedMass, h: float, powers: int) -> tuple[Array, Array]:
    """A and Γ of (1) for a unit mass."""
    theta = part.omega * h
    if part.steps == 0:
        return _exact(theta, part.zeta, powers)
    return _newmark(theta, part, powers)


def _exact(theta: float, zeta: float, powers: int) -> tuple[Array, Array]:
    """From the exponential of the oscillator with the derivatives of its force."""
    from scipy.linalg import expm

    law = np.array([-(theta**2), -2.0 * zeta * theta])
    M = np.zeros((2 + powers, 2 + powers))
    M[0, 1], M[1, :2], M[1, 2] = 1.0, law, 1.0
    M[2:-1, 3:] += np.eye(powers - 1)
    X = expm(M)[:2]
    A, G = np.zeros((3, 3)), np.zeros((3, powers))
    A[:2, :2] = X[:, :2]
    G[:2] = X[:, 2:] * [factorial(k) for k in range(powers)]
    A[2], G[2] = law @ A[:2], law @ G[:2] + 1.0
    return A, G


def _newmark(theta: float, part: GluedMass, powers: int) -> tuple[Array, Array]:
    """`steps` trapezoidal steps, wang2003 (33)-(36) with β = 1/4, γ = 1/2."""
    n, zeta = part.steps, part.zeta
    law = np.array([-((theta / n) ** 2), -2.0 * zeta * theta / n])
    K = 1.0 - law @ [0.25, 0.5]  # K*, Eq. (35)
    end = np.array([0.25, 0.5, 1.0]) / K
    step = np.outer(end, law @ _TRAPEZOID)
    step[:2] += _TRAPEZOID
    units = np.array([1.0, n, n * n])  # of a step, not of the window
    step, end = units[:, None] * step / units, units * end / (n * n)
    A, G = np.eye(3), np.zeros((3, powers))
    if part.fresh:
        A[2] = [-(theta**2), -2.0 * zeta * theta, 0.0]
        G[2, 0] = 1.0
    for k in range(1, n + 1):
        at = (k / n) ** np.arange(powers)
        A, G = step @ A, step @ G + np.outer(end, at)
    return A, G


def _apart(size: int) -> Array:
    """An orthonormal basis of all that is not common translation or velocity."""
    basis = np.eye(size)[:, [0, 1, 2, *range(5, size)]]
    basis[[0, 1], [0, 1]], basis[[3, 4], [0, 1]] = np.sqrt(0.5), -np.sqrt(0.5)
    return basis
