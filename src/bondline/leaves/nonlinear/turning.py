"""Finite rotations of many nodes at once: quaternions (w, x, y, z), rotation vectors.

The same as `numerics.rotations`, over the leading axes of arrays.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
_SMALL = 1e-3  # below it, series; what is left out is of the order θ⁶


def skew(a: Array) -> Array:
    """Matrices with skew(a) b = a × b."""
    made = np.zeros((*a.shape, 3))
    x, y, z = np.moveaxis(a, -1, 0)
    made[..., 0, 1], made[..., 0, 2], made[..., 1, 2] = -z, y, -x
    made[..., 1, 0], made[..., 2, 0], made[..., 2, 1] = z, -y, x
    return made


def exp(r: Array) -> Array:
    """Quaternions that turn about the directions of `r` by their lengths."""
    half = 0.5 * np.linalg.norm(r, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * r], axis=-1)


def product(p: Array, q: Array) -> Array:
    """First turn by `q`, then by `p`; of unit length."""
    a, u = p[..., :1], p[..., 1:]
    b, v = q[..., :1], q[..., 1:]
    w = a * b - (u * v).sum(axis=-1, keepdims=True)
    made = np.concatenate([w, a * v + b * u + np.cross(u, v)], axis=-1)
    return np.asarray(made / np.linalg.norm(made, axis=-1, keepdims=True))


def matrices(q: Array) -> Array:
    """Rotation matrices of unit quaternions."""
    w, v = q[..., 0], q[..., 1:]
    V = skew(v)
    return np.asarray(np.eye(3) + 2.0 * (w[..., None, None] * V + V @ V))


def logarithms(R: Array) -> Array:
    """Rotation vectors, shorter than π, of rotation matrices."""
    axis = 0.5 * np.stack(
        [
            R[..., 2, 1] - R[..., 1, 2],
            R[..., 0, 2] - R[..., 2, 0],
            R[..., 1, 0] - R[..., 0, 1],
        ],
        axis=-1,
    )  # sin θ times the unit axis
    sine = np.linalg.norm(axis, axis=-1)
    cosine = 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sine, cosine)
    ratio = np.where(sine > _SMALL, angle / np.where(sine > 0.0, sine, 1.0), 1.0)
    near = 1.0 + angle**2 / 6.0 * (1.0 + 7.0 * angle**2 / 60.0)
    return np.asarray(np.where(sine > _SMALL, ratio, near)[..., None] * axis)


def left_jacobians(r: Array) -> Array:
    """J with spin = J r' for the frames exp(r)."""
    square = (r * r).sum(axis=-1)
    angle = np.sqrt(square)
    safe = np.where(angle > _SMALL, angle, 1.0)
    B = np.where(angle > _SMALL, (1.0 - np.cos(safe)) / safe**2, 0.5 - square / 24.0)
    far = (safe - np.sin(safe)) / safe**3
    C = np.where(angle > _SMALL, far, 1.0 / 6.0 - square / 120.0)
    V = skew(r)
    return np.asarray(np.eye(3) + B[..., None, None] * V + C[..., None, None] * V @ V)


def inverse_jacobians(r: Array) -> Array:
    """J⁻¹ with r' = J⁻¹ spin, |r| < 2π."""
    V, D = skew(r), inverse_term(r)[0]
    return np.asarray(np.eye(3) - 0.5 * V + D[..., None, None] * V @ V)


def inverse_term(r: Array) -> tuple[Array, Array]:
    """D = (1 − (θ/2) cot(θ/2))/θ² and (1/θ) dD/dθ."""
    square = (r * r).sum(axis=-1)
    near = square < 0.01
    safe = np.sqrt(np.where(near, 1.0, square))
    half = 0.5 * safe
    cot = half / np.tan(half)
    far = (1.0 - cot) / safe**2
    slope = (half**2 / np.sin(half) ** 2 + cot - 2.0) / safe**4
    D = 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square / 1209600))
    D1 = 1 / 360 + square * (1 / 7560 + square / 201600)
    return np.where(near, D, far), np.where(near, D1, slope)
