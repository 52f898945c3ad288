"""The overview of a run in one picture: the mechanism moving, and a joint's force."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D

from bondline.core import Matrix
from bondline.report.canvas import dress, sheet, style
from bondline.report.curves import dashed, label
from bondline.report.palette import GRID, INK, MUTED, PAPER, SERIES
from bondline.report.scene import Scene, scene
from bondline.report.select import axis_label, joints
from bondline.report.words import printable
from bondline.run.results import Results

GHOSTS = 40


@style()
def picture(results: Results, reference: Results | None = None) -> Figure:
    """Left the mechanism as a stroboscope saw it, right the force in its first joint.

    A run without shapes, or without joints, gives the half that it has.
    """
    names = next(iter(joints(results).values()), ())[:2]
    figure = sheet(10.0, 4.9)
    widths = [_width(scene(results).box)] if results.shapes else []
    widths += [1.0] if names else []
    if not widths:
        _nothing(figure.subplots())
        return figure
    parts = figure.subfigures(1, len(widths), squeeze=False, width_ratios=widths)
    if results.shapes:
        _mechanism(parts[0, 0], scene(results), results.model)
    if names:
        axes = parts[0, -1].subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        _forces(list(axes), names, results, reference)
    return figure


def _width(box: tuple[float, float, float, float]) -> float:
    """The mechanism's share of the sheet beside 1 for the forces."""
    left, right, bottom, top = box
    return min(max(0.85 * (right - left) / (top - bottom), 0.5), 1.2)


def _mechanism(half: SubFigure, seen: Scene, title: str) -> None:
    stroboscope(half.subplots(), seen, title)
    if len(seen.parts) <= len(SERIES):
        colors = seen.colors
        handles = [Line2D([], [], color=c, linewidth=5.0) for c in colors.values()]
        half.legend(
            handles,
            [label(name) for name in colors],
            loc="outside lower center",
            ncols=3,
            frameon=False,
        )


def _nothing(ax: Axes) -> None:
    ax.axis("off")
    words = "this run recorded neither shapes nor joint forces"
    ax.text(0.5, 0.5, words, ha="center", color=MUTED, transform=ax.transAxes)


_PLANE = ("y [m]", "x [m]")


def stroboscope(ax: Axes, seen: Scene, title: str) -> None:
    """The parts at equal intervals, the past fading, the end in full colour."""
    labels = ("seen upwards [m]", "seen sideways [m]") if seen.oblique else _PLANE
    dress(ax, title, *labels)
    flashes = seen.at(np.linspace(seen.t[0], seen.t[-1], GHOSTS))
    fade = 0.04 + 0.30 * np.linspace(0.0, 1.0, GHOSTS - 1) ** 1.6
    for name, color in seen.colors.items():
        past = list(flashes.parts[name][:-1])
        ghosts = LineCollection(past, colors=[(color, a) for a in fade], linewidths=2.2)
        ghosts.set_capstyle("round")
        ax.add_collection(ghosts)
    for k in range(seen.tips.shape[1]):
        _trail(ax, seen.tips[:, k])
    for name, color in seen.colors.items():
        x, y = seen.parts[name][-1].T
        ax.plot(x, y, color=color, linewidth=6.0, zorder=4)
    _points(ax, seen)
    left, right, bottom, top = seen.box
    ax.set(xlim=(left, right), ylim=(bottom, top))
    ax.set_aspect("equal", adjustable="box")
    ax.grid(True, color=GRID, linewidth=0.5)


def _trail(ax: Axes, path: Matrix) -> None:
    """Where a tip went, darker towards now."""
    cuts = np.linspace(0, len(path) - 1, 41).astype(int)
    pieces = [path[a : b + 1] for a, b in pairwise(cuts)]
    ink = [(MUTED, a) for a in np.linspace(0.10, 0.9, len(pieces))]
    ax.add_collection(LineCollection(pieces, colors=ink, linewidths=1.1, zorder=3))


def _points(ax: Axes, seen: Scene) -> None:
    for x, y in seen.joints[-1]:
        ax.plot(x, y, "o", ms=8, mfc=PAPER, mec=INK, mew=1.6, zorder=6)
    for x, y in seen.supports[-1]:
        ax.plot(x, y, "^", ms=12, mfc=GRID, mec=INK, mew=1.4, zorder=5)
        ax.plot(x, y, "o", ms=6, mfc=PAPER, mec=INK, mew=1.4, zorder=6)


def _forces(
    axes: list[Axes], names: tuple[str, ...], results: Results, other: Results | None
) -> None:
    known = other.signals if other is not None else {}
    for ax, name, color in zip(axes, names, SERIES[:2], strict=False):
        dress(ax, name, axis_label(results.units.get(name, "")))
        ax.plot(results.t, results.signals[name], color=color, linewidth=3.2)
        if other is not None and name in known:
            ax.add_line(dashed(other.t, other.signals[name]))
        ax.tick_params(labelbottom=ax is axes[-1])
    axes[-1].set_xlabel("time [s]", color=INK)
    if other is not None and any(name in known for name in names):
        handles = [Line2D([], [], color=SERIES[0], linewidth=3.2), dashed()]
        labels = ["glued", printable(other.run, 24)]
        axes[0].legend(
            handles,
            labels,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=2,
            frameon=False,
        )
