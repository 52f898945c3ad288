"""Studies: one number of many runs against one setting (wang2003 Fig. 17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from bondline.errors import UsageError
from bondline.report.canvas import dress, sheet, style
from bondline.report.counts import log_axis
from bondline.report.palette import BLUE
from bondline.report.select import per_window
from bondline.run.results import Results


@dataclass(frozen=True)
class Study:
    """A curve over a setting, with the sentence that says what to see in it."""

    title: str
    x_label: str
    x: ArrayLike
    y_label: str
    y: ArrayLike
    log_x: bool = False
    log_y: bool = False
    caption: str = ""


@style()
def study(what: Study) -> Figure:
    """The study as a figure: every run a dot; runs without an answer leave a hole."""
    x, y = np.asarray(what.x, np.float64), np.asarray(what.y, np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise UsageError(
            f"study {what.title!r}",
            f"x has shape {x.shape}, y has {y.shape}.",
            "Give one y for each x.",
        )
    figure = sheet(8.0, 3.0)
    ax = figure.subplots()
    dress(ax, what.title, what.y_label, what.x_label)
    for which, wanted in (("x", what.log_x), ("y", what.log_y)):
        if wanted:
            log_axis(ax, which)
    ax.plot(x, y, color=BLUE, marker="o", ms=6, lw=1.4)
    if not what.log_y:
        ax.set_ylim(0.0, max(1.0, 1.2 * float(np.nanmax(y, initial=0.0))))
    ax.margins(x=0.04)
    return figure


def epsilon_study(epsilons: Sequence[float], runs: Sequence[Results]) -> Study:
    """Mean iterations of runs that differ in the probe ε of wang2003 (50)."""
    means = [float(np.mean(per_window(run, "iterations"))) for run in runs]
    spread = f"{min(means):.2f} to {max(means):.2f}" if means else "nothing"
    return Study(
        "Effect of the probe ε on the iterations",
        "ε = Δf / f [-]",
        list(epsilons),
        "mean iterations [-]",
        means,
        log_x=True,
        caption=(
            "Each dot is a run of its own, its gluing matrix probed with ε times the "
            "force. "
            f"The mean goes from {spread}: where the curve is flat, the choice of ε "
            "does not matter."
        ),
    )
