"""A state that is one vector, as bytes."""

from __future__ import annotations

import numpy as np

from bondline.core import Vector


def to_bytes(state: Vector) -> bytes:
    """Little-endian doubles."""
    return state.astype("<f8").tobytes()


def from_bytes(data: bytes) -> Vector:
    """The vector that `to_bytes` wrote, to the same bits."""
    return np.frombuffer(data, "<f8").astype(np.float64)
