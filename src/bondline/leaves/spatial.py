"""Turns and turning bodies in plain floats, for right-hand sides.

Three numbers are a vector, four a unit quaternion (w, x, y, z), nine a rotation matrix
row by row. One call on arrays would cost more than all of this.
"""

from __future__ import annotations

from typing import TypeAlias

Triple: TypeAlias = tuple[float, float, float]
Turn: TypeAlias = tuple[float, float, float, float]
Nine: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]


def rotation(w: float, x: float, y: float, z: float) -> Nine:
    """R of a quaternion of any length but zero: body axes to world axes."""
    n = 2.0 / (w * w + x * x + y * y + z * z)
    wx, wy, wz = n * w * x, n * w * y, n * w * z
    xx, xy, xz, yy, yz, zz = (
        *(n * x * x, n * x * y, n * x * z),
        *(n * y * y, n * y * z, n * z * z),
    )
    return (
        *(1.0 - yy - zz, xy - wz, xz + wy),
        *(xy + wz, 1.0 - xx - zz, yz - wx),
        *(xz - wy, yz + wx, 1.0 - xx - yy),
    )


def turned(R: Nine, v: Triple) -> Triple:
    """R v."""
    a, b, c, d, e, f, g, h, i = R
    x, y, z = v
    return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z


def turned_back(R: Nine, v: Triple) -> Triple:
    """Rᵀ v."""
    a, b, c, d, e, f, g, h, i = R
    x, y, z = v
    return a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z


def cross(a: Triple, b: Triple) -> Triple:
    """a × b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def product(p: Turn, q: Turn) -> Turn:
    """The quaternion that turns by `q`, then by `p`."""
    (a, b, c, d), (w, x, y, z) = p, q
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def conjugate(q: Turn) -> Turn:
    """The turn back."""
    return q[0], -q[1], -q[2], -q[3]


def spun(q: Turn, spin: Triple) -> Turn:
    """q' = q ⊗ (0, ω)/2, with the spin ω in body axes."""
    (w, x, y, z), (a, b, c) = q, spin
    return (
        -0.5 * (x * a + y * b + z * c),
        0.5 * (w * a + y * c - z * b),
        0.5 * (w * b + z * a - x * c),
        0.5 * (w * c + x * b - y * a),
    )


def plus(*vectors: Triple) -> Triple:
    """The sum, in the order given."""
    x, y, z = vectors[0]
    for v in vectors[1:]:
        x, y, z = x + v[0], y + v[1], z + v[2]
    return x, y, z


def minus(a: Triple, b: Triple) -> Triple:
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Triple, b: Triple) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
