"""Thinning: as many points as a screen can show, and no peak lost."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bondline.core import Vector


def thin(
    t: Vector, columns: Mapping[str, Vector], most: int
) -> tuple[Vector, dict[str, Vector]]:
    """The smallest and the largest value of every bucket, where they really are.

    At most `most` points a column; all columns are given at the points of each, so that
    every pair of an instant and a value is one of the run. Few points stay as they are.

    >>> t = np.arange(8.0)
    >>> at, found = thin(t, {"y": np.array([0, 9, 1, 1, 1, 1, -5, 2.0])}, 4)
    >>> at.tolist(), found["y"].tolist()
    ([0.0, 1.0, 6.0, 7.0], [0.0, 9.0, -5.0, 2.0])
    """
    if len(t) <= max(most, 4):
        return t, dict(columns)
    edges = np.linspace(0, len(t), max(most // 2 - 1, 1) + 1).astype(np.intp)
    ends = np.array([0, len(t) - 1])
    kept = np.unique(
        np.concatenate([ends, *(_kept(y, edges) for y in columns.values())])
    )
    return t[kept], {name: y[kept] for name, y in columns.items()}


def _kept(y: Vector, edges: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where the least and the greatest of every bucket are; nan stays a gap."""
    starts, sizes = edges[:-1], np.diff(edges)
    found = []
    for reduce in (np.fmin.reduceat, np.fmax.reduceat):
        hits = np.flatnonzero(y == np.repeat(reduce(y, starts), sizes))
        first = np.append(hits, len(y))[np.searchsorted(hits, starts)]
        found.append(np.where(first < edges[1:], first, starts))
    return np.concatenate(found)


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
