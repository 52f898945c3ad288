"""What each window cost and how well it closed: iterations, refreshes, gap, energy."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from bondline.core import Vector
from bondline.report.canvas import dress, sheet, style
from bondline.report.ledger import defect
from bondline.report.palette import BLUE, GREEN, INK, MUTED, ORANGE, PURPLE, VERMILION
from bondline.report.select import per_window
from bondline.run.results import Results


def window_ends(results: Results, count: int) -> tuple[Vector, str]:
    """Where to draw one value a window, and the label of that axis."""
    if count == len(results.t) - 1:
        return results.t[1:], "time [s]"
    return np.arange(1.0, count + 1.0), "window"


@style()
def iterations(results: Results) -> Figure:
    """Corrections in each window, and how often each count occurred (Fig. 15)."""
    counts = per_window(results, "iterations")
    x, xlabel = window_ends(results, len(counts))
    figure = sheet(8.0, 2.7)
    left, right = figure.subplots(1, 2, width_ratios=(5, 1), sharey=True)
    dress(left, "Iterations per window", "iterations [-]", xlabel)
    left.fill_between(x, counts, step="pre", color=BLUE, alpha=0.18, linewidth=0)
    left.step(x, counts, where="pre", color=BLUE, linewidth=1.2)
    mean = float(np.nanmean(counts)) if len(counts) else 0.0
    left.axhline(mean, color=INK, linewidth=1.0, dashes=(4.0, 3.0))
    left.set_ylim(0.0, max(float(np.max(counts, initial=1.0)) * 1.1, 1.2))
    left.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    worst = float(np.max(counts, initial=0.0))
    words = f"mean {mean:.2f} (dashed), most {worst:.0f}"
    left.set_title(words, loc="right", color=INK, fontsize=8.5)
    _histogram(right, counts)
    return figure


def _histogram(ax: Axes, counts: Vector) -> None:
    dress(ax, "how often", xlabel="windows [-]")
    values, times = np.unique(counts, return_counts=True)
    ax.barh(values, times, height=0.62, color=BLUE, alpha=0.75)
    ax.tick_params(labelleft=False)
    ax.set_xlim(0.0, float(np.max(times, initial=1)) * 1.45)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=2))
    for value, n in zip(values, times, strict=True):
        ax.annotate(
            f"{n}",
            (n, value),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            color=INK,
            size=8,
        )


@style()
def refreshes(results: Results) -> Figure:
    """When the gluing matrix Λ was built anew, and how often in all (Fig. 16)."""
    builds = per_window(results, "builds")
    x, xlabel = window_ends(results, len(builds))
    again = np.flatnonzero(builds[1:] > 0) + 1
    figure = sheet(8.0, 2.7)
    marks, total = figure.subplots(2, 1, height_ratios=(1, 3), sharex=True)
    dress(marks, "Λ built anew in these windows")
    marks.grid(False)
    marks.set_yticks([])
    marks.spines["left"].set_visible(False)
    marks.vlines(x[again], 0.0, 1.0, color=VERMILION, linewidth=1.1)
    marks.set_ylim(-0.05, 1.05)
    marks.tick_params(labelbottom=False)
    dress(total, ylabel="builds so far [-]", xlabel=xlabel)
    total.step(x, np.cumsum(builds), where="post", color=VERMILION, linewidth=1.6)
    total.set_ylim(bottom=0.0)
    total.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    if len(x):
        total.set_xlim(0.0 if xlabel == "window" else results.t[0], x[-1])
    return figure


@style()
def gap(results: Results) -> Figure:
    """Largest gap left open in each window; the tolerance is not on the gap alone."""
    gaps = np.abs(per_window(results, "gap"))
    x, xlabel = window_ends(results, len(gaps))
    figure = sheet(8.0, 2.7)
    ax = figure.subplots()
    dress(ax, "Gap left open at the interfaces", "largest gap [m]", xlabel)
    shown = gaps > 0.0
    if shown.any():
        log_axis(ax, "y")
        ax.plot(x[shown], gaps[shown], color=GREEN, marker=".", ms=3.5, lw=0.7)
    if not shown.all():
        rug = np.full(int((~shown).sum()), 0.02)
        ax.plot(x[~shown], rug, "|", color=MUTED, transform=ax.get_xaxis_transform())
        ax.set_title("| exactly zero", loc="right", color=MUTED, fontsize=8.5)
    return figure


@style()
def energy(results: Results) -> Figure:
    """Energy that came from nowhere since the start, and the interfaces' share."""
    curves = {
        "Work of the joint forces": np.cumsum(per_window(results, "interface_work"))
    }
    balance = defect(results)
    if balance is not None:
        curves = {"Energy balance defect": balance, **curves}
    figure = sheet(8.0, 0.4 + 2.0 * len(curves))
    axes = figure.subplots(len(curves), 1, sharex=True, squeeze=False)[:, 0]
    for ax, (title, values), color in zip(axes, curves.items(), _PAIR, strict=False):
        x, xlabel = window_ends(results, len(values))
        dress(ax, f"{title} since the start", "energy [J]")
        ax.axhline(0.0, color=INK, linewidth=0.6)
        ax.plot(x, values, color=color, linewidth=1.4)
        ax.tick_params(labelbottom=ax is axes[-1])
    axes[-1].set_xlabel(xlabel, color=INK)
    return figure


_PAIR = (PURPLE, ORANGE)


def log_axis(ax: Axes, which: str) -> None:
    """A logarithmic axis that writes 10⁻⁶ in plain characters."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    (ax.set_xscale if which == "x" else ax.set_yscale)("log")
    axis.set_major_locator(LogLocator(numticks=8))
    axis.set_major_formatter(FuncFormatter(lambda value, _: power_of_ten(value)))
    axis.set_minor_formatter(FuncFormatter(lambda value, _: ""))


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(value: float) -> str:
    """A power of ten as it is written by hand, anything else in short.

    >>> power_of_ten(1e-6), power_of_ten(2.5)
    ('10⁻⁶', '2.5')
    """
    exponent = round(math.log10(value)) if value > 0 else 0
    if value > 0 and math.isclose(value, 10.0**exponent, rel_tol=1e-9):
        return f"10{str(exponent).translate(_RAISED)}"
    return f"{value:g}"
