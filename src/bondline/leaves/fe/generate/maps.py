"""Maps from parameters in [0, 1] into space, for `line`, `grid` and `brick`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from bondline.core import Matrix


def linear(start: ArrayLike, end: ArrayLike) -> Callable[[Matrix], Matrix]:
    """The straight line between two points."""
    return _blend(np.array([start, end], dtype=np.float64), 1)


def bilinear(corners: ArrayLike) -> Callable[[Matrix], Matrix]:
    """The surface through four corners, counter-clockwise from u = v = 0."""
    return _blend(np.asarray(corners, dtype=np.float64)[[0, 1, 3, 2]], 2)


def trilinear(corners: ArrayLike) -> Callable[[Matrix], Matrix]:
    """The solid through eight corners, numbered as the nodes of a brick."""
    return _blend(np.asarray(corners, dtype=np.float64)[[0, 1, 3, 2, 4, 5, 7, 6]], 3)


def _blend(corners: Matrix, axes: int) -> Callable[[Matrix], Matrix]:
    """Linear in every parameter; corners in the order of counting, u fastest."""

    def position(u: Matrix) -> Matrix:
        x = np.broadcast_to(corners, (len(u), *corners.shape))
        for axis in reversed(range(axes)):
            half, s = x.shape[1] // 2, u[:, axis, None, None]
            x = (1.0 - s) * x[:, :half] + s * x[:, half:]
        return np.ascontiguousarray(x[:, 0])

    return position
