"""Frames: where something is in a body, and how it is turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.body_data import triple, unit
from bondline.leaves.spatial import Triple, Turn, rotation


@dataclass(frozen=True, slots=True)
class Frame:
    """A point and a turn (unit quaternion w, x, y, z), in the axes of its body."""

    at: Triple = (0.0, 0.0, 0.0)
    turn: Turn = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", triple("frame.at", self.at))
        object.__setattr__(self, "turn", unit("frame.turn", self.turn))

    @property
    def p(self) -> Vector:
        """The point."""
        return np.array(self.at)

    @property
    def R(self) -> Matrix:
        """The matrix that takes vectors from this frame to its body."""
        return np.array(rotation(*self.turn)).reshape(3, 3)

    @staticmethod
    def along(z: Sequence[float], at: Sequence[float] = (0.0, 0.0, 0.0)) -> Frame:
        """A frame whose z axis, the axis of most joints, has the direction `z`.

        >>> Frame.along((0, 2, 0)).R @ (0, 0, 1)
        array([0., 1., 0.])
        """
        a = np.array(triple("frame.along", z))
        size = float(np.linalg.norm(a))
        if size == 0.0:
            raise SettingError(
                "frame.along", "the axis is 0 0 0.", "Give it a direction."
            )
        w, (x, y) = size + a[2], (-a[1], a[0])  # half-way turn from z to a
        if w <= 1e-8 * size:
            w, x, y = 0.0, 1.0, 0.0
        return Frame(triple("frame.at", at), (float(w), float(x), float(y), 0.0))
