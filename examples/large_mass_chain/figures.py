"""The figures of the guide to large masses: `python figures.py FILE.png`.

Diagonal dominance against the mass ratio, corrections, round-off, and what weights do.
It takes about a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from bondline.core import Window, uniform
from bondline.gluing import glue
from bondline.leaves import LargeMass, Oscillator, SpringChain
from bondline.leaves.large_mass import Masses, Weights, dynamic_compliance
from bondline.report.canvas import dress, save, sheet, style
from bondline.report.palette import MUTED, SERIES

G, H = 9.81, 1e-4
ALONE = Weights(fixed=(1.0, 0.0, 0.0))


def coupling(leaf: Any, ratio: float, h: float) -> float:
    """|C₁₂| / |C₁₁| of the dynamic compliance."""
    led = LargeMass(leaf, masses=Masses(ratio))
    start, pursuit = led.start(0.0).state, led.pursuit(Window(0.0, h))
    trial = led.loaded.predict(start.inside, Window(0.0, h))
    C = dynamic_compliance(pursuit, trial, start.f_e, pursuit.mass)
    return float(abs(C[0, 1] / C[0, 0]))


def model(ratio: float, weights: Weights, scheme: str, following: float) -> Any:
    """Two masses and the chain between them."""
    fe = SpringChain("fe", gravity=G)
    parts = [
        Oscillator("A", 20.0, 2e4, 100.0, 2000.0, 4.0, G),
        Oscillator("B", 15.0, 1.5e4, 80.0, gravity=G),
        LargeMass(fe, (), Masses(ratio), weights, following=following),
    ]
    joints = {"a": ("A.p", "fe.left"), "b": ("B.p", "fe.right")}
    return glue("example", parts, joints, scheme)


def history(made: Any, until: float) -> tuple[Any, Any, Any]:
    """Corrections, forces of the chain, and drift, window by window."""
    step, counts, forces, drifts = made.start(0.0), [], [], []
    for n in range(round(until / H)):
        step = made.advance(step.state, uniform(0.0, H, n), {})
        counts.append(step.stats["fe.corrections"])
        forces.append(step.state.parts["fe"].f_i)
        drifts.append(step.state.parts["fe"].drift)
    return np.array(counts), np.array(forces), np.array(drifts)


def dominance(axes: Any) -> None:
    """A soft chain is diagonal by itself; a stiff part needs the mass."""
    stiff = SpringChain("stiff", 1.0, 4.0, 4e7, stiffening=0.0)
    soft = SpringChain("soft")
    ratios = np.logspace(-2, 8, 41)
    cases = (
        (stiff, 1e-3, "one stiff element, 1 ms"),
        (stiff, 1e-4, "one stiff element, 0.1 ms"),
        (soft, 1e-2, "ten soft springs, 10 ms"),
        (soft, 1e-3, "ten soft springs, 1 ms"),
    )
    for colour, (leaf, h, label) in zip(SERIES, cases, strict=False):
        off = [coupling(leaf, r, h) for r in ratios]
        axes.loglog(ratios, off, color=colour, label=label)
    axes.set_ylim(1e-18, 3)


def against_ratio(corrections: Any, round_off: Any) -> None:
    """Corrections a step, and how far forces are from those of the usual mass."""
    ratios = np.logspace(0, 11, 12)
    runs = {r: history(model(r, ALONE, "linear", 1e-10), 0.03) for r in ratios}
    usual = runs[1e4][1]
    loose = [history(model(r, ALONE, "linear", 1e-6), 0.03)[0].mean() for r in ratios]
    tight = [runs[r][0].mean() for r in ratios]
    corrections.semilogx(ratios, tight, "o-", color=SERIES[0], label="φ to 1e-10")
    corrections.semilogx(ratios, loose, "s-", color=SERIES[1], label="φ to 1e-6 (ours)")
    corrections.set_ylim(0, 3.2)
    off = [np.abs(runs[r][1] - usual).max() or np.nan for r in ratios]
    floor = np.finfo(float).eps * 4.0 * ratios * 150.0
    round_off.loglog(ratios, off, "o-", color=SERIES[0], label="change of the force")
    round_off.loglog(ratios, floor, "--", color=MUTED, label="eps M_L 150 m/s²")
    round_off.set_ylim(1e-11, 10)


def drift(axes: Any) -> None:
    """How far the chain's ends are from the masses."""
    cases = (
        ("(1, 0, 0)", ALONE),
        ("T = 100 h", Weights(100.0)),
        ("T = 20 h", Weights(20.0)),
        ("T = 5 h (ours)", Weights(5.0)),
        ("T = h", Weights(1.0)),
    )
    t = H * np.arange(1, 1001)
    for colour, (label, weights) in zip(SERIES, cases, strict=False):
        found = history(model(1e4, weights, "hold", 1e-10), 0.1)[2]
        axes.semilogy(t, np.maximum(found, 1e-14), color=colour, label=label)
    axes.set_ylim(1e-13, 1e-3)


def plain(axes: Any) -> None:
    """1e-06, not a formula, at ticks that are powers of ten."""
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            axis.set_major_formatter(lambda x, _: f"1e{round(np.log10(x))}")
    axes.legend(fontsize=7.5, framealpha=0.8)


def draw(path: Path) -> None:
    """All four in one picture."""
    with style():
        figure = sheet(9.0, 6.6)
        axes = figure.subplots(2, 2)
        dominance(axes[0, 0])
        against_ratio(axes[0, 1], axes[1, 0])
        drift(axes[1, 1])
        ratio = "large mass over the mass of the part"
        dress(axes[0, 0], "|C12 / C11|", "", ratio)
        dress(axes[0, 1], "Corrections a step", "", ratio)
        dress(axes[1, 0], "Round-off in the force", "N", ratio)
        dress(axes[1, 1], "Drift of the chain (hold)", "m", "t, s")
        for each in axes.flat:
            plain(each)
        save(figure, path)


if __name__ == "__main__":
    draw(Path(sys.argv[1] if len(sys.argv) > 1 else "large_mass.png"))
