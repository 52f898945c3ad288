"""Springs with laws of their own: along world axes, or along the line of two nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from bondline.core import Vector
from bondline.leaves.nonlinear.elements.block import Answer, Array, Indices, Moved


class Pull(NamedTuple):
    """Force, its slopes in stretch and rate, and the energy that comes back."""

    force: Array
    stiffness: Array
    viscosity: Array
    stored: Array


class SpringLaw(Protocol):
    """Force from stretch d and its rate."""

    def pull(self, d: Array, rate: Array) -> Pull:
        """Force and slopes at stretches and their rates."""
        ...


@dataclass(frozen=True)
class Progressive:
    """k d (1 + (d/d₀)²) + c ḋ; without d₀ it is linear."""

    k: float
    d0: float = np.inf
    c: float = 0.0

    def pull(self, d: Array, rate: Array) -> Pull:
        """Force and slopes."""
        square = (d / self.d0) ** 2
        force = self.k * d * (1.0 + square) + self.c * rate
        stored = 0.5 * self.k * d**2 * (1.0 + 0.5 * square)
        c = np.full_like(d, self.c)
        return Pull(force, self.k * (1.0 + 3.0 * square), c, stored)


@dataclass(frozen=True)
class Stop:
    """One-sided: beyond `gap` k e (1 + (e/e₀)²), e = d − gap, and c ė where it pushes.

    `sign` = −1 makes it act in compression: beyond −gap.
    """

    gap: float
    k: float
    e0: float = np.inf
    c: float = 0.0
    sign: float = 1.0

    def pull(self, d: Array, rate: Array) -> Pull:
        """Force and slopes; never pulls."""
        e = self.sign * d - self.gap
        inner = Progressive(self.k, self.e0, self.c).pull(e, self.sign * rate)
        on = (e > 0.0) & (inner.force > 0.0)
        force, k, c, stored = (np.where(on, each, 0.0) for each in inner)
        stored = np.where(e > 0.0, inner.stored, 0.0)
        return Pull(self.sign * force, k, c, stored)


@dataclass(frozen=True)
class Tabled:
    """Straight lines through points (d, force), level outside; and c ḋ."""

    d: Sequence[float]
    force: Sequence[float]
    c: float = 0.0

    def pull(self, d: Array, rate: Array) -> Pull:
        """Force and slopes."""
        x, y = np.asarray(self.d, dtype=float), np.asarray(self.force, dtype=float)
        slopes = np.concatenate([[0.0], np.diff(y) / np.diff(x), [0.0]])
        k = slopes[np.searchsorted(x, d, side="right")]
        area = np.append(0.0, np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(x)))
        j = np.clip(np.searchsorted(x, d, side="right") - 1, 0, len(x) - 1)
        f = np.interp(d, x, y)
        stored = area[j] + 0.5 * (y[j] + f) * (d - x[j]) - _up_to_zero(x, y, area)
        c = np.full_like(d, self.c)
        return Pull(f + self.c * rate, k, c, stored)


def _up_to_zero(x: Array, y: Array, area: Array) -> float:
    j = int(np.clip(np.searchsorted(x, 0.0, side="right") - 1, 0, len(x) - 1))
    return float(area[j] + 0.5 * (y[j] + np.interp(0.0, x, y)) * (0.0 - x[j]))


@dataclass(frozen=True, eq=False)
class Bushes:
    """Springs along world axes between two nodes, one law for each component."""

    widths: ClassVar[tuple[int, ...]] = (2,)

    nodes: Indices
    components: tuple[int, ...]
    laws: tuple[SpringLaw, ...]
    numbers: int = 0

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """The second end pulls back by its law."""
        d, v = moved.d[:, 1] - moved.d[:, 0], moved.v[:, 1] - moved.v[:, 0]
        each = [law.pull(d[:, j], v[:, j]) for j, law in enumerate(self.laws)]
        f, k, c, stored = (np.stack(part, axis=1) for part in zip(*each, strict=True))
        force = np.concatenate([-f, f], axis=1)
        return Answer(force, _ends(k), _ends(c), past, float(stored.sum()))

    def mass(self, points: Array) -> Array:
        """None."""
        m = 2 * len(self.components)
        return np.zeros((len(self.nodes), m, m))

    def drag(self) -> float:
        """None."""
        return 0.0

    def strains(self, past: Array) -> Array | None:
        """None."""
        return None


def _ends(k: Array) -> Array:
    """Diagonal slopes between two ends, elements × 2 c × 2 c."""
    return _both(k[:, :, None] * np.eye(k.shape[1]))


@dataclass(frozen=True, eq=False)
class Ties:
    """Springs along the line between two nodes, which turns with them.

    A law of the stretch: the length now, less the one in `free` without force, which
    is by default that at rest.
    """

    widths: ClassVar[tuple[int, ...]] = (2,)

    nodes: Indices
    law: SpringLaw
    free: Vector | None = None
    components: tuple[int, ...] = (0, 1, 2)
    numbers: int = 0

    def respond(self, points: Array, moved: Moved, past: Array) -> Answer:
        """Force along the line, and how it turns."""
        X, c = points[self.nodes][:, :, : len(self.components)], len(self.components)
        x21, v21 = (X + moved.d)[:, 1] - (X + moved.d)[:, 0], moved.v[:, 1]
        v21 = v21 - moved.v[:, 0]
        now = np.linalg.norm(x21, axis=1)
        e = x21 / now[:, None]
        rest = np.linalg.norm(X[:, 1] - X[:, 0], axis=1)
        f, k, visc, stored = self.law.pull(
            now - (rest if self.free is None else self.free), (e * v21).sum(axis=1)
        )
        P = np.eye(c) - e[:, :, None] * e[:, None, :]
        ee = e[:, :, None] * e[:, None, :]
        K = k[:, None, None] * ee + (f / now)[:, None, None] * P
        turn = e[:, :, None] * (P @ v21[:, :, None])[:, None, :, 0] / now[:, None, None]
        K = K + visc[:, None, None] * turn  # the rate sees the line turn
        C = visc[:, None, None] * ee
        force = np.concatenate([-f[:, None] * e, f[:, None] * e], axis=1)
        return Answer(force, _both(K), _both(C), past, float(stored.sum()))

    def mass(self, points: Array) -> Array:
        """None."""
        m = 2 * len(self.components)
        return np.zeros((len(self.nodes), m, m))

    def drag(self) -> float:
        """None."""
        return 0.0

    def strains(self, past: Array) -> Array | None:
        """None."""
        return None


_ENDS = np.array([[1.0, -1.0], [-1.0, 1.0]])


def _both(K: Array) -> Array:
    """Slopes between two ends, elements × 2 c × 2 c, from those of the stretch."""
    e, c, _ = K.shape
    wide = _ENDS[:, None, :, None] * K[:, None, :, None, :]
    return np.asarray(wide.reshape(e, 2 * c, 2 * c))
