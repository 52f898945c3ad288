"""Finite rotations of single frames: unit quaternions (w, x, y, z), rotation vectors.

Rotations are never added. Spins and rotation vectors are in world axes; a matrix or
quaternion takes a vector from the frame to the world. These run in every sweep, so
three or four numbers are worked on as plain floats, which is faster than an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, factorial, hypot, pi, sin, tan
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]
Triple: TypeAlias = tuple[float, float, float]

_NEAR = 1.0  # below this angle the series have ten good terms, above it nothing cancels
_TINY = 1e-150
_BERNOULLI = (
    *(1 / 6, 1 / 30, 1 / 42, 1 / 30, 5 / 66, 691 / 2730, 7 / 6),
    *(3617 / 510, 43867 / 798, 174611 / 330, 854513 / 138),
)

# In powers of θ²; the second of each pair is (1/θ) d/dθ of the first.
_B = tuple((-1) ** k / factorial(2 * k + 2) for k in range(10))
_C = tuple((-1) ** k / factorial(2 * k + 3) for k in range(10))
_D = tuple(b / factorial(2 * k + 2) for k, b in enumerate(_BERNOULLI))
_B1, _C1, _D1 = (
    tuple(2 * k * c for k, c in enumerate(each))[1:] for each in (_B, _C, _D)
)


def product(p: Vector, q: Vector) -> Vector:
    """First turn by `q`, then by `p`."""
    a, b, c, d = p.tolist()
    w, x, y, z = q.tolist()
    return np.array(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ]
    )


def conjugate(q: Vector) -> Vector:
    """The turn back."""
    w, x, y, z = q.tolist()
    return np.array([w, -x, -y, -z])


def normalise(q: Vector) -> Vector:
    """The unit quaternion in the direction of `q`."""
    unit: Vector = q / hypot(*q.tolist())
    return unit


def matrix(q: Vector) -> Matrix:
    """The rotation matrix of a unit quaternion.

    >>> matrix(np.array([0.5, 0.5, 0.5, 0.5]))
    array([[0., 0., 1.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    w, x, y, z = q.tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(R: Matrix) -> Vector:
    """The unit quaternion, w ≥ 0, of a rotation matrix.

    From the largest of its four components, so that none is lost to cancellation.
    """
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    rows = (
        (1 + a + e + i, h - f, c - g, d - b),
        (h - f, 1 + a - e - i, b + d, c + g),
        (c - g, b + d, 1 - a + e - i, f + h),
        (d - b, c + g, f + h, 1 - a - e + i),
    )
    best = max(range(4), key=lambda k: rows[k][k])
    q = normalise(np.array(rows[best]))
    return -q if q[0] < 0.0 else q


def exp(r: Vector) -> Vector:
    """The quaternion that turns about the direction of `r` by its length."""
    x, y, z = r.tolist()
    angle = hypot(x, y, z)
    s = sin(0.5 * angle) / angle if angle > _TINY else 0.5
    return np.array([cos(0.5 * angle), s * x, s * y, s * z])


def log(q: Vector) -> Vector:
    """The rotation vector, at most π long, of a unit quaternion."""
    w, x, y, z = q.tolist()
    length = hypot(x, y, z)
    s = 2.0 * atan2(length, abs(w)) / length if length > _TINY else 2.0
    s = -s if w < 0.0 else s  # −q is the same turn as q
    return np.array([s * x, s * y, s * z])


def skew(a: Vector) -> Matrix:
    """The matrix with skew(a) b = a × b."""
    x, y, z = a.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def cross(a: Vector, b: Vector) -> Vector:
    """a × b of two single vectors."""
    return np.array(_cross(a.tolist(), b.tolist()))


def left_jacobian(r: Vector) -> Matrix:
    """J with spin = J r' for the frame exp(r)."""
    p = r.tolist()
    angle = hypot(*p)
    B, C = _jacobian_terms(angle)
    return _mixed(p, 1.0 - C * angle**2, B, C)


def left_jacobian_inverse(r: Vector) -> Matrix:
    """J⁻¹ with r' = J⁻¹ spin for the frame exp(r), |r| < 2π."""
    p = r.tolist()
    angle = hypot(*p)
    D = _inverse_term(angle)
    return _mixed(p, 1.0 - D * angle**2, -0.5, D)


def spins(r: Vector, r_rate: Vector, r_rate2: Vector) -> tuple[Vector, Vector]:
    """Spin of the frame exp(r) and its rate, from the rates of r."""
    J, p, u = left_jacobian(r), r.tolist(), r_rate.tolist()
    angle, growth = hypot(*p), _dot(p, u)  # θ and θ θ'
    B1, C1 = _jacobian_slopes(angle)
    C = _jacobian_terms(angle)[1]
    pu = _cross(p, u)
    turns = zip(pu, _cross(p, pu), _cross(u, pu), strict=True)
    bend = [growth * (B1 * a + C1 * b) + C * c for a, b, c in turns]
    return J @ r_rate, J @ r_rate2 + bend


def log_rates(r: Vector, spin: Vector, spin_rate: Vector) -> tuple[Vector, Vector]:
    """r' and r'' of the rotation vector of a frame exp(r) that spins."""
    J, p, w = left_jacobian_inverse(r), r.tolist(), spin.tolist()
    rate: Vector = J @ spin
    u, angle = rate.tolist(), hypot(*p)
    D, slope = _inverse_term(angle), _inverse_slope(angle) * _dot(p, u)
    pw, uw = _cross(p, w), _cross(u, w)
    turns = zip(uw, _cross(p, pw), _cross(u, pw), _cross(p, uw), strict=True)
    bend = [-0.5 * a + slope * b + D * (c + d) for a, b, c, d in turns]
    return rate, J @ spin_rate + bend


def _mixed(r: Sequence[float], a: float, b: float, c: float) -> Matrix:
    """a I + b skew(r) + c r rᵀ."""
    x, y, z = r
    xy, yz, zx = c * x * y, c * y * z, c * z * x
    return np.array(
        [
            [a + c * x * x, xy - b * z, zx + b * y],
            [xy + b * z, a + c * y * y, yz - b * x],
            [zx - b * y, yz + b * x, a + c * z * z],
        ]
    )


def _cross(a: Sequence[float], b: Sequence[float]) -> Triple:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _series(coefficients: Sequence[float], square: float) -> float:
    value = 0.0
    for c in reversed(coefficients):
        value = value * square + c
    return value


def _jacobian_terms(angle: float) -> tuple[float, float]:
    """B = (1 − cos θ)/θ² and C = (θ − sin θ)/θ³."""
    if angle < _NEAR:
        return _series(_B, angle**2), _series(_C, angle**2)
    return (1.0 - cos(angle)) / angle**2, (angle - sin(angle)) / angle**3


def _jacobian_slopes(angle: float) -> tuple[float, float]:
    """(1/θ) dB/dθ and (1/θ) dC/dθ."""
    if angle < _NEAR:
        return _series(_B1, angle**2), _series(_C1, angle**2)
    B, C = _jacobian_terms(angle)
    return (sin(angle) / angle - 2.0 * B) / angle**2, (B - 3.0 * C) / angle**2


def _inverse_term(angle: float) -> float:
    """D = (1 − (θ/2) cot(θ/2))/θ²."""
    if angle < _NEAR:
        return _series(_D, angle**2)
    return (1.0 - _cotangent(angle)) / angle**2


def _inverse_slope(angle: float) -> float:
    """(1/θ) dD/dθ."""
    if angle < _NEAR:
        return _series(_D1, angle**2)
    g, D = _cotangent(angle), _inverse_term(angle)
    slope = g / angle**2 - 0.25 / sin(0.5 * angle) ** 2
    return (-slope - 2.0 * D) / angle**2


def _cotangent(angle: float) -> float:
    """(θ/2) cot(θ/2), without a pole at π."""
    return 0.5 * angle * tan(0.5 * (pi - angle))
