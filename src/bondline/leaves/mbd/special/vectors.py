"""Vectors (3), tensors (xx, yy, zz, xy, yz, zx) and frames of traced numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from bondline.kernels.traced import Traced, Value
from bondline.leaves.mbd.special.reading import Array

ZERO = np.array([0.0] * 3, dtype=object)
UNIT = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], dtype=object)


def vector(*parts: Value) -> Array:
    """These numbers in a row."""
    row = np.empty(len(parts), dtype=object)
    row[:] = parts
    return row


def cross(a: Array, b: Array) -> Array:
    """a × b."""
    return vector(
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def skew(a: Array) -> Array:
    """ã, with ã b = a × b."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]], dtype=object)


def mirrored(A: Array) -> Array:
    """A symmetric matrix whose lower half is its upper one, number by number."""
    return np.triu(A) + np.triu(A, 1).T


def total(parts: Iterable[Any], start: Any) -> Any:
    """The sum, `start` if there is nothing."""
    for part in parts:
        start = start + part
    return start


def summed(x: Array, rows: Iterable[Array], start: Array) -> Array:
    """start + Σ xₗ rowsₗ."""
    found: Array = total((c * row for c, row in zip(x, rows, strict=True)), start)
    return found


def full(J: Array) -> Array:
    """A symmetric tensor as a matrix."""
    xx, yy, zz, xy, yz, zx = J
    return np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]], dtype=object)


def turned(R: Array, J: Array) -> Array:
    """R J Rᵀ of a symmetric tensor."""
    half = R @ full(J)
    return vector(
        *(half[i] @ R[j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)))
    )


def spread(p: Array, q: Array) -> Array:
    """(p·q + q·p) 1 − p qᵀ − q pᵀ."""
    x, y, z = p * q
    return vector(
        *(2.0 * (y + z), 2.0 * (z + x), 2.0 * (x + y)),
        *(-(p[i] * q[j] + p[j] * q[i]) for i, j in ((0, 1), (1, 2), (2, 0))),
    )


def products(w: Array) -> Array:
    """xx, yy, zz, xy, yz, zx of w wᵀ."""
    x, y, z = w
    return vector(x * x, y * y, z * z, x * y, y * z, z * x)


def swing(w: Array, alpha: Array) -> Array:
    """α̃ + ω̃ ω̃: what takes a place on a body to its acceleration."""
    xx, yy, zz, xy, yz, zx = products(w)
    a, b, c = alpha
    return np.array(
        [
            [-(yy + zz), xy - c, zx + b],
            [xy + c, -(zz + xx), yz - a],
            [zx - b, yz + a, -(xx + yy)],
        ],
        dtype=object,
    )


def gyration(J: Array, w: Array) -> Array:
    """ω × J ω, by products of ω that others use as well."""
    Jx, Jy, Jz, Jxy, Jyz, Jzx = J
    xx, yy, zz, xy, yz, zx = products(w)
    return vector(
        (Jz - Jy) * yz + Jyz * (yy - zz) + Jzx * xy - Jxy * zx,
        (Jx - Jz) * zx + Jzx * (zz - xx) + Jxy * yz - Jyz * xy,
        (Jy - Jx) * xy + Jxy * (xx - yy) + Jyz * zx - Jzx * yz,
    )


def function(name: str, x: Value) -> Value:
    """A function of C's library, of one number."""
    if isinstance(x, Traced):
        return x.tape.made(name, x)
    return float(getattr(np, name)(x))


def about(k: int, angle: Value) -> Array:
    """The matrix of a turn about axis k."""
    c, s = function("cos", angle), function("sin", angle)
    R, i, j = UNIT.copy(), (k + 1) % 3, (k + 2) % 3
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R
