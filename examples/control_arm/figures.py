"""The figures of the control arm: `python figures.py FILE.png`.

Ball joint, forces and plastic strain glued and all at once, and errors against the step
of the schemes that the vehicle bears. It takes about half a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from bondline.build import Given, open_model
from bondline.report.canvas import dress, save, sheet, style
from bondline.report.palette import MUTED, SERIES
from bondline.run import Keep, simulate

HERE = Path(__file__).parent
STEPS = (2e-4, 1e-4)


def reference() -> Any:
    """Columns of reference.csv by name."""
    path = HERE / "reference.csv"
    return np.genfromtxt(path, delimiter=",", names=True, deletechars="")


def run(until: float, **settings: str) -> Any:
    """Instants and signals of a run."""
    opened = open_model(HERE, Given(set=settings))
    keep = Keep()
    simulate(opened.model, until, opened.spec.step or 1e-4, record=keep)
    return keep.results()


def course(axes: Any, known: Any) -> None:
    """Lines are glued, dots all at once."""
    found = run(0.06)
    t = 1e3 * found.t
    for where, names, scale in (
        (axes[0], ("balljoint.Fx", "balljoint.Fy"), 1e-3),
        (axes[1], ("balljoint.dx", "permanent_set"), 1e3),
        (axes[2], ("plastic_strain.max",), 100.0),
    ):
        for colour, name in zip(SERIES, names, strict=False):
            where.plot(t, scale * found.signals[name], color=colour, label=name)
            dots = 1e3 * known["t"][::4], scale * known[name][::4]
            where.plot(*dots, ".", color=MUTED, markersize=3)
        where.legend(fontsize=7.5, framealpha=0.8)


def orders(axes: Any, known: Any) -> None:
    """Largest error of the ball joint within 10 ms."""
    part = known[known["t"] <= 0.01]
    for colour, scheme in zip(SERIES, ("hold", "linear"), strict=False):
        off = []
        for h in STEPS:
            found = run(0.01, scheme=scheme, step=f"{h}s")
            at = np.rint(part["t"] / h).astype(int)
            whole = np.abs(part["t"] - at * h) < 1e-9
            gap = found.signals["balljoint.dx"][at] - part["balljoint.dx"]
            off.append(1e3 * np.abs(gap[whole]).max())
        axes.loglog(STEPS, off, "o-", color=colour, label=scheme)
    for axis in (axes.xaxis, axes.yaxis):  # numbers, not formulas
        axis.set_major_formatter(lambda x, _: f"{x:g}")
        axis.set_minor_formatter(lambda x, _: "")
    axes.legend(fontsize=7.5, framealpha=0.8)


def draw(path: Path) -> None:
    """All four in one picture."""
    known = reference()
    with style():
        figure = sheet(9.0, 6.6)
        axes = figure.subplots(2, 2)
        course(axes.flat[:3], known)
        orders(axes[1, 1], known)
        dress(axes[0, 0], "Force on the wheel", "kN", "t, ms")
        dress(axes[0, 1], "Ball joint", "mm", "t, ms")
        dress(axes[1, 0], "Largest plastic strain", "%", "t, ms")
        dress(axes[1, 1], "Error of the ball joint, 10 ms", "mm", "step, s")
        save(figure, path)


if __name__ == "__main__":
    draw(Path(sys.argv[1] if len(sys.argv) > 1 else "control_arm.png"))
