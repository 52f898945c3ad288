"""Figures of many runs at once: parallel coordinates, and results over parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from bondline.core import Vector
from bondline.report.canvas import dress, sheet, style
from bondline.report.palette import BLUE, MUTED, ORANGE, VERMILION
from bondline.report.words import number, printable

_SHADES = LinearSegmentedColormap.from_list("low to high", [BLUE, ORANGE, VERMILION])
_LONGEST = 26  # letters of a label


@dataclass(frozen=True)
class Scale:
    """One quantity of every variant: numbers, or words by their place in `words`."""

    label: str
    values: Vector
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, label: str, column: Sequence[Any]) -> Scale:
        """A column of a table; what is missing is not a number."""
        texts = [v for v in column if isinstance(v, str)]
        if texts:
            words = tuple(dict.fromkeys(texts))
            places = [words.index(v) if v in words else np.nan for v in column]
            return cls(label, np.array(places, np.float64), words)
        numbers = [np.nan if v is None else float(v) for v in column]
        return cls(label, np.array(numbers, np.float64))

    @property
    def shares(self) -> Vector:
        """From 0, the least, to 1, the largest; a half where all are the same."""
        low, high = self.ends
        if not high > low:
            return np.where(np.isnan(self.values), np.nan, 0.5)
        shares: Vector = (self.values - low) / (high - low)
        return shares

    @property
    def ends(self) -> tuple[float, float]:
        """Least and largest."""
        known = self.values[np.isfinite(self.values)]
        return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)

    @property
    def told(self) -> tuple[str, str]:
        """Both ends in words."""
        if self.words:
            return self.words[0], self.words[-1]
        low, high = self.ends
        return number(low), number(high)


@style()
def parallel(scales: Sequence[Scale]) -> Figure:
    """A line a variant through all its quantities, coloured by the last one."""
    figure = sheet(max(6.0, 1.45 * len(scales)), 3.6)
    ax = figure.subplots()
    ax.set_facecolor("none")
    shares = np.array([scale.shares for scale in scales])
    for line in shares.T:
        shade = _SHADES(line[-1]) if np.isfinite(line[-1]) else MUTED
        ax.plot(range(len(scales)), line, color=shade, lw=1.1, alpha=0.65)
    for k, scale in enumerate(scales):
        _upright(ax, k, scale)
    ax.set_xlim(-0.45, len(scales) - 0.55)
    ax.set_ylim(-0.14, 1.24)
    ax.axis("off")
    return figure


def _upright(ax: Axes, k: int, scale: Scale) -> None:
    ax.plot([k, k], [0.0, 1.0], color=MUTED, lw=0.9, zorder=0.5)
    low, high = scale.told
    same = low == high
    ax.text(k, -0.04, "" if same else low, ha="center", va="top", fontsize=8)
    ax.text(k, 1.03, high, ha="center", va="bottom", fontsize=8)
    name, _, unit = scale.label.partition(" [")
    label = printable(name, _LONGEST) + (f"\n[{unit}" if unit else "")
    ax.text(k, 1.13, label, ha="center", va="bottom", fontsize=7.5, weight="bold")


@style()
def responses(across: Sequence[Scale], up: Sequence[Scale]) -> Figure:
    """Results over parameters, a dot a variant: a row a result."""
    figure = sheet(2.7 * len(across) + 0.6, 2.1 * len(up) + 0.3)
    axes = figure.subplots(len(up), len(across), squeeze=False, sharey="row")
    for i, y in enumerate(up):
        for j, x in enumerate(across):
            _dots(axes[i, j], x, y, first=j == 0, last=i == len(up) - 1)
    return figure


def _dots(ax: Axes, x: Scale, y: Scale, first: bool, last: bool) -> None:
    ylabel = printable(y.label, _LONGEST) if first else ""
    dress(ax, "", ylabel, printable(x.label, 34) if last else "")
    ax.plot(x.values, y.values, "o", color=BLUE, ms=4.5, alpha=0.75, mew=0)
    if x.words:
        ax.set_xticks(range(len(x.words)), [printable(w, 14) for w in x.words])
    ax.margins(0.07)
