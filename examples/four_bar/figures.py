"""Figures of the four-bar: `python figures.py FOLDER`, in about half a minute.

four_bar_c.png is like the paper's Figures 19 to 22: joint C, glued at the paper's step,
over the model all at once. four_bar_ringing.png explains the oscillation that the paper
leaves open, see docs/theory/four_bar.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from bondline.build import Given, open_model
from bondline.report.canvas import dress, save, sheet, style
from bondline.report.palette import MUTED, SERIES
from bondline.run import Keep, Results, simulate

HERE = Path(__file__).resolve().parent
PASS = 0.1407  # s: all bars on one line
# Inertia of crank, coupler and third bar against turning apart, det M / sum M, (3)
M = np.array([[10 / 3 + 20 / 3, 20 / 6], [20 / 6, 20 / 3 + 5 / 3]])
INERTIA = float(np.linalg.det(M) / M.sum())  # kg m²
EA = 210e9 * np.pi * 0.015**2  # N, of a bar of 1 m
STIFF = {"assumed": EA * np.pi**2 / 8, "reduced": EA}  # N/m, at C along the bar


def run(until: float, step: float, **given: str) -> Results:
    """All signals; `third_beam="reduced"` sets third.beam."""
    told = {name.replace("_", "."): text for name, text in given.items()}
    keep = Keep()
    simulate(open_model(HERE, Given(told)).model, until, step, record=keep)
    return keep.results()


def apart(found: Results) -> tuple[Any, Any, Any]:
    """Time, how far crank and third bar have turned apart, and their mean angle."""
    a, b = (np.asarray(found.signals[n]) for n in ("crank.A.angle", "third.D.angle"))
    return np.asarray(found.t), a - b, 0.5 * (a + b)


def half_waves(found: Results, beam: str, count: int) -> Any:
    """Angles of the theory between turning points after the pass: π each, (4)."""
    t, delta, mean = apart(found)
    rate = np.gradient(delta, t)
    omega = np.abs(mean) * np.sqrt(STIFF[beam] / INERTIA)
    phase = np.append(0.0, np.cumsum(0.5 * (omega[1:] + omega[:-1]) * np.diff(t)))
    turns = np.flatnonzero((rate[:-1] * rate[1:] < 0.0) & (t[:-1] > PASS))[: count + 1]
    share = rate[turns] / (rate[turns] - rate[turns + 1])
    at = t[turns] + share * (t[turns + 1] - t[turns])
    return at, np.diff(np.interp(at, t, phase))


def joint_c(path: Path) -> None:
    """Places and velocities of C."""
    exact = np.genfromtxt(
        HERE / "reference.csv", delimiter=",", names=True, deletechars=""
    )
    found = run(1.5, 1e-3)
    with style():
        figure = sheet(9.0, 6.0)
        axes = figure.subplots(2, 2).ravel()
        names = {"x": "m", "y": "m", "vx": "m/s", "vy": "m/s"}
        for each, (name, unit) in zip(axes, names.items(), strict=True):
            signal = f"joint.C.{name}"
            glued = {"color": SERIES[0], "label": "glued, 1 ms"}
            each.plot(found.t, found.signals[signal], **glued)
            whole = {"color": SERIES[1], "ms": 3.0, "label": "all at once"}
            each.plot(exact["t"][::6], exact[signal][::6], "o", **whole)
            dress(each, signal, unit, "t, s")
        axes[0].legend()
        save(figure, path)


def ringing(path: Path) -> None:
    """C after the first pass, for several bars; and the half waves of the theory."""
    cases = {
        "damping 0.1": {},
        "damping 0.02": {"damping": "0.02"},
        "ten elements": {"third_beam": "reduced"},
        "rigid": {"third_rigid": "true"},
    }
    runs = {name: run(0.26, 2.5e-4, **given) for name, given in cases.items()}
    with style():
        figure = sheet(9.0, 6.6)
        axes = figure.subplots(3, 1)
        for colour, (name, found) in zip(SERIES, runs.items(), strict=False):
            t, delta, _ = apart(found)
            if name != "rigid":
                axes[0].plot(t, found.signals["joint.C.vy"], color=colour, label=name)
            axes[1].plot(t, 1e3 * delta, color=colour, label=name)
        for colour, beam, name in zip(SERIES[::2], STIFF, [*cases][::2], strict=False):
            at, angles = half_waves(runs[name], beam, 24)
            axes[2].plot(at[1:], angles / np.pi, "o", color=colour, label=name)
        axes[2].axhline(1.0, color=MUTED)
        axes[2].set_ylim(0.0, 1.5)
        dress(axes[0], "Velocity of C across the bars", "m/s", "t, s")
        dress(axes[1], "Crank and third bar turn apart", "mrad", "t, s")
        dress(axes[2], "Half waves of the theory between turning points", "π", "t, s")
        for each in axes:
            each.set_xlim(0.1, 0.26)
            each.legend(fontsize=7.5)
        save(figure, path)


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    joint_c(folder / "four_bar_c.png")
    ringing(folder / "four_bar_ringing.png")
