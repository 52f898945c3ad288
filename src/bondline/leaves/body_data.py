"""What a rigid body is given, checked: one refusal for every kind of nonsense."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import isfinite, sqrt

import numpy as np
from numpy.typing import ArrayLike

from bondline.core import Matrix
from bondline.errors import SettingError
from bondline.leaves.spatial import Nine, Triple, Turn

_ROUND = 1e-9


def weighed(body: str, mass: float) -> None:
    """Refuse a mass that is not positive."""
    if not (isfinite(mass) and mass > 0.0):
        raise SettingError(
            f"{body}.mass", f"it is {mass!r}.", "The mass must be greater than zero."
        )


def triple(place: str, values: Sequence[float]) -> Triple:
    """Three finite numbers."""
    found = _numbers(place, values, 3)
    return found[0], found[1], found[2]


def unit(place: str, values: Sequence[float]) -> Turn:
    """A quaternion of any length but zero, made a unit one."""
    w, x, y, z = _numbers(place, values, 4)
    size = sqrt(w * w + x * x + y * y + z * z)
    if not size > 0.0:
        raise SettingError(
            place,
            "a quaternion of length zero turns nothing.",
            "Give (1, 0, 0, 0) for no turn.",
        )
    return w / size, x / size, y / size, z / size


def marker(
    body: str,
    name: str,
    given: Sequence[float | Sequence[float]],
    taken: Collection[str] = (),
) -> tuple[Triple, Turn]:
    """Where a port is in the body, and its turn: (x, y, z) or (x, y, z, turn)."""
    place = f"{body}.{name}"
    if name in taken:
        raise SettingError(
            place,
            "a marker and a point have the same name.",
            "Give every port a name of its own.",
        )
    *where, last = given
    if isinstance(last, Sequence | np.ndarray):
        return triple(place, _flat(where)), unit(place, last)
    return triple(place, _flat(given)), (1.0, 0.0, 0.0, 0.0)


def inertia_tensor(
    body: str, given: Sequence[float] | Sequence[Sequence[float]] | Matrix
) -> tuple[Nine, Nine]:
    """I and its inverse row by row; refused unless some body could have it."""
    found = tensor(body, given)
    inverse: Matrix = np.linalg.inv(found).astype(np.float64)
    return _nine(found), _nine(inverse)


def tensor(body: str, given: ArrayLike, thin: bool = False) -> Matrix:
    """A 3 × 3 inertia that some body could have; if `thin`, a rod or a point, too."""
    place, values = f"{body}.inertia", np.asarray(given, dtype=np.float64)
    found = np.diag(values) if values.shape == (3,) else values
    if found.shape != (3, 3) or not np.isfinite(found).all():
        raise SettingError(
            place,
            f"it has the shape {values.shape}, or numbers that are not finite.",
            "Give three principal moments, or a 3 x 3 tensor, in kg m².",
        )
    slack = _ROUND * float(np.abs(found).max())
    if np.abs(found - found.T).max() > slack:
        raise SettingError(
            place,
            "the tensor is not symmetric.",
            "Give each product of inertia twice, with the same sign.",
        )
    small, middle, large = np.linalg.eigvalsh(found).tolist()
    enough = small >= -slack if thin else small > 0.0
    if not enough or small + middle < large - slack:
        sign = "None is negative, and each is" if thin else "Each must be positive and"
        raise SettingError(
            place,
            f"no body has the principal moments {small:g}, {middle:g}, {large:g}.",
            f"{sign} at most the sum of the other two.",
        )
    return found


def _nine(A: Matrix) -> Nine:
    a, b, c, d, e, f, g, h, i = A.ravel().tolist()
    return a, b, c, d, e, f, g, h, i


def _flat(values: Sequence[float | Sequence[float]]) -> list[float]:
    return [v for v in values if isinstance(v, int | float)]


def _numbers(place: str, values: Sequence[float], count: int) -> list[float]:
    found = [float(v) for v in values]
    if len(found) != count or not all(map(isfinite, found)):
        raise SettingError(
            place,
            f"found {', '.join(f'{v:g}' for v in found) or 'nothing'}.",
            f"Give {count} finite numbers.",
        )
    return found
