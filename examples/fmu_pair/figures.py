"""Draws the example's picture: python figures.py RUN OUTPUT, after a run."""

import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

from bondline.run import find


def alone(t: np.ndarray) -> np.ndarray:
    """Both masses as one: 100 kg on 20 kN/m and 200 N s/m, shaken at 2 Hz."""

    def rate(at: float, y: np.ndarray) -> list[float]:
        push = 500.0 * np.sin(4.0 * np.pi * at)
        return [y[1], (push - 20e3 * y[0] - 200.0 * y[1]) / 100.0]

    span = (float(t[0]), float(t[-1]))
    done = solve_ivp(rate, span, [0.0, 0.0], t_eval=t, rtol=1e-11, atol=1e-13)
    return done.y[0]


def draw(name: str, path: str) -> float:
    """The largest difference, in m."""
    results = find(Path("runs"), name).results()
    there = alone(results.t)
    figure, axes = plt.subplots(figsize=(7.0, 3.2), layout="constrained")
    axes.plot(results.t, 1e3 * there, color="0.7", lw=4, label="all at once")
    axes.plot(results.t, 1e3 * results.signals["wheel.x"], lw=1.2, label="two FMUs")
    axes.set(xlabel="t in s", ylabel="x in mm")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
    return float(np.abs(results.signals["wheel.x"] - there).max())


if __name__ == "__main__":
    print(f"largest difference: {draw(*sys.argv[1:3]):.3g} m")
