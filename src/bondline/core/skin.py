"""Surfaces that an owner shows: where they rest, and where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bondline.core.arrays import Matrix, Vector


def _none() -> NDArray[np.intp]:
    return np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Skin:
    """The surface of a part at rest; numbers of points are rows of `points` (n × 3).

    `triangles`, `quads` and `bars` list three, four and two points each, which may be
    none. `ids` are the owner's numbers of the points, where they are shown. `ports` and
    `sets` are points with a name, `held` those that a support holds, `loaded` those
    that a load pushes along the rows of `pushes`. `stressed` says that stress is shown,
    too, `strained` that plastic strain is.
    """

    points: Matrix
    triangles: NDArray[np.intp]
    quads: NDArray[np.intp]
    bars: NDArray[np.intp]
    ids: NDArray[np.intp]
    ports: Mapping[str, NDArray[np.intp]] = field(default_factory=dict)
    sets: Mapping[str, NDArray[np.intp]] = field(default_factory=dict)
    held: NDArray[np.intp] = field(default_factory=_none)
    loaded: NDArray[np.intp] = field(default_factory=_none)
    pushes: Matrix = field(default_factory=lambda: np.zeros((0, 3)))
    stressed: bool = False
    strained: bool = False

    @property
    def facets(self) -> int:
        """How many faces there are."""
        return len(self.triangles) + len(self.quads)


@dataclass(frozen=True, slots=True, eq=False)
class Deformed:
    """How the points of a skin have moved (n × 3), and what is felt there.

    `mises` is von Mises stress in Pa, `plastic` the equivalent plastic strain; of
    shells the largest over the thickness. None where it is not shown.
    """

    displacement: Matrix
    mises: Vector | None = None
    plastic: Vector | None = None
