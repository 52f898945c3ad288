"""Thinning: as many points as a screen can show, and no peak lost."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.core import Vector


def thin(
    t: Vector, columns: Mapping[str, Vector], most: int
) -> tuple[Vector, dict[str, Vector]]:
    """Smallest and largest value of every bucket, the largest first where it falls.

    All columns share the instants: two a bucket. Few points stay as they are.

    >>> t = np.arange(8.0)
    >>> thin(t, {"y": np.array([0, 9, 1, 1, 1, 1, -5, 2.0])}, 4)[1]["y"].tolist()
    [0.0, 9.0, -5.0, 2.0]
    """
    if len(t) <= max(most, 4):
        return t, dict(columns)
    edges = np.linspace(0, len(t), max(most // 2, 2) + 1).astype(np.intp)
    starts, ends = edges[:-1], edges[1:]
    middle = np.minimum((starts + ends) // 2, len(t) - 1)
    at = np.stack([t[starts], t[middle]], axis=1).ravel()
    at[-1] = t[-1]
    return at, {name: _extremes(y, starts) for name, y in columns.items()}


def _extremes(y: Vector, starts: np.ndarray) -> Vector:
    low, high = np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)
    # a bucket that falls ends lower than it began: its largest value comes first
    falls = np.append(y[starts[1:] - 1], y[-1]) < y[starts]
    first, second = np.where(falls, high, low), np.where(falls, low, high)
    return np.asarray(np.stack([first, second], axis=1).ravel(), dtype=np.float64)


def spectrum(t: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Amplitudes over frequency in Hz, of y without its mean, through a Hann window.

    >>> t = np.linspace(0.0, 2.0, 401)
    >>> f, a = spectrum(t, 3.0 * np.sin(2 * np.pi * 10 * t))
    >>> round(float(f[np.argmax(a)]), 1), round(float(a.max()), 1)
    (10.0, 3.0)
    """
    good = np.isfinite(y)
    t, y = t[good], y[good]
    if len(t) < 8:
        return np.zeros(0), np.zeros(0)
    even = np.linspace(t[0], t[-1], len(t))
    level = np.interp(even, t, y)
    window = np.hanning(len(t))
    size = np.abs(np.fft.rfft((level - level.mean()) * window)) * 2.0 / window.sum()
    f = np.fft.rfftfreq(len(t), (t[-1] - t[0]) / (len(t) - 1))
    return np.asarray(f, dtype=np.float64), np.asarray(size, dtype=np.float64)
