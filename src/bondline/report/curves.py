"""Signals over time, alone or on top of a reference with the difference below."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D

from bondline.core import Vector
from bondline.errors import UsageError, did_you_mean
from bondline.report.canvas import dress, sheet, style
from bondline.report.palette import INK, SERIES
from bondline.report.reference import difference
from bondline.report.select import (
    axis_label,
    bodies,
    by_unit,
    called,
    joints,
    select,
)
from bondline.report.words import printable
from bondline.run.results import Results

MOST_PANELS = 24


@dataclass(frozen=True)
class Panel:
    """Signals of one unit that share a pair of axes."""

    title: str
    names: tuple[str, ...]
    unit: str


@style()
def plot(
    results: Results, names: str | Sequence[str], reference: Results | None = None
) -> Figure:
    """The named signals (or patterns such as `joint.*`), one panel a unit."""
    chosen = select(results, names)
    panels = [
        Panel(axis_label(unit).partition(" [")[0], tuple(group[k : k + 6]), unit)
        for unit, group in by_unit(results, chosen).items()
        for k in range(0, len(group), len(SERIES))
    ]
    if len(panels) > MOST_PANELS:
        raise UsageError(
            f"run {results.run}",
            f"{len(chosen)} signals do not fit into one figure.",
            f"Ask for fewer, for example {chosen[0]!r}.",
        )
    return draw(panels, 1, results, reference)


@style()
def forces(results: Results, joint: str, reference: Results | None = None) -> Figure:
    """Interface force of one joint, component by component (wang2003 Figs. 11, 12)."""
    known = joints(results)
    if joint not in known:
        raise _unknown(results, "joint", joint, known)
    return draw(_singles(results, known[joint]), 2, results, reference)


@style()
def motion(results: Results, body: str, reference: Results | None = None) -> Figure:
    """Position and velocity of a body's centre (wang2003 Figs. 13, 14)."""
    if body not in bodies(results):
        raise _unknown(results, "body with a published centre", body, bodies(results))
    pairs = [(f"{body}.com.{axis}", f"{body}.com.v{axis}") for axis in "xyz"]
    names = [n for pair in pairs for n in pair if n in results.signals]
    return draw(_singles(results, names), 2, results, reference)


def _unknown(
    results: Results, what: str, found: str, known: Collection[str]
) -> UsageError:
    return UsageError(
        f"run {results.run}",
        f"there is no {what} {found!r}.",
        did_you_mean(found, known),
    )


def _singles(results: Results, names: Sequence[str]) -> list[Panel]:
    return [Panel(name, (name,), results.units.get(name, "")) for name in names]


def draw(
    panels: Sequence[Panel], columns: int, results: Results, reference: Results | None
) -> Figure:
    """Panels in rows; each has its difference below it if there is a reference."""
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    compared = any(_common(panel, reference) for panel in panels)
    heights = (2.2, 0.85) if compared else (2.4,)
    figure = sheet(8.0, rows * sum(heights) + 0.35)
    grid = figure.add_gridspec(
        rows * len(heights), columns, height_ratios=heights * rows
    )
    for k, panel in enumerate(panels):
        column = _column(grid, k, columns, len(heights), figure)
        _fill(column, panel, results, reference)
        last = k + columns >= len(panels)
        column[-1].set_xlabel("time [s]" if last else "", color=INK)
    _legend(figure, panels, called(results), reference if compared else None)
    figure.align_ylabels()
    return figure


def _column(
    grid: GridSpec, k: int, columns: int, height: int, figure: Figure
) -> list[Axes]:
    row, column = height * (k // columns), k % columns
    top = figure.add_subplot(grid[row, column])
    if height == 1:
        return [top]
    below = figure.add_subplot(grid[row + 1, column], sharex=top)
    top.tick_params(labelbottom=False)
    return [top, below]


def _fill(
    axes: Sequence[Axes], panel: Panel, results: Results, reference: Results | None
) -> None:
    top, common = axes[0], _common(panel, reference)
    dress(top, panel.title, axis_label(panel.unit))
    for name, color in zip(panel.names, SERIES, strict=False):
        wide = 3.0 if name in common else 1.5
        top.plot(results.t, results.signals[name], color=color, linewidth=wide)
    if reference is not None:
        for name in common:
            top.add_line(dashed(reference.t, reference.signals[name]))
    if len(axes) > 1:
        _differences(axes[1], panel, results, reference)


def dashed(
    x: Sequence[float] | Vector = (), y: Sequence[float] | Vector = ()
) -> Line2D:
    """The line of a reference: thin, dark, dashed, on top of the glued one."""
    return Line2D(x, y, color=INK, linewidth=1.1, dashes=(3.0, 4.0), zorder=3)


def _differences(
    ax: Axes, panel: Panel, results: Results, reference: Results | None
) -> None:
    dress(ax, ylabel=f"diff. [{panel.unit or '-'}]")
    ax.locator_params(axis="y", nbins=3)
    ax.axhline(0.0, color=INK, linewidth=0.6)
    if reference is None or not _common(panel, reference):
        ax.set_yticks([])
        _note(ax, "not in the reference")
        return
    for name, color in zip(panel.names, SERIES, strict=False):
        known = name in reference.signals
        apart = difference(results, reference, name) if known else None
        if apart is not None:
            ax.plot(apart.t, apart.values, color=color, linewidth=1.1)


def _note(ax: Axes, text: str) -> None:
    ax.text(0.5, 0.6, text, transform=ax.transAxes, ha="center", color=INK, size=8.5)


def _common(panel: Panel, reference: Results | None) -> tuple[str, ...]:
    known = {} if reference is None else reference.signals
    return tuple(name for name in panel.names if name in known)


def _legend(
    figure: Figure, panels: Sequence[Panel], own: str, reference: Results | None
) -> None:
    """Names beside each panel that has several; what is dashed, once, on top."""
    for ax, panel in zip(_tops(figure), panels, strict=False):
        if panel.names != (panel.title,):
            _names_beside(ax, panel.names)
    if reference is not None:
        pair = [Line2D([], [], color=SERIES[0], linewidth=3.0), dashed()]
        labels = [label(own), label(reference.run)]
        figure.legend(pair, labels, loc="outside upper right", ncols=2, frameon=False)


def _names_beside(ax: Axes, names: Sequence[str]) -> None:
    handles = [Line2D([], [], color=c, linewidth=2.0) for c in SERIES[: len(names)]]
    labels = [label(name) for name in names]
    ax.legend(
        handles, labels, loc="upper left", bbox_to_anchor=(1.0, 1.02), frameon=False
    )


def _tops(figure: Figure) -> list[Axes]:
    return [ax for ax in figure.axes if ax.get_title(loc="left")]


def label(name: str) -> str:
    """A legend entry; matplotlib drops those that start with an underscore."""
    short = printable(name, 28)
    return f"\u2009{short}" if short.startswith("_") else short
