"""Draws `docs/images/nordsieck.png` and `multirate.png` from steps that are taken.

Run from the root of the project: `./run python -m docs.figures.nordsieck`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from tests.steps.running import near, transition
from tests.steps.systems import one_and_one, oscillator

from bondline.numerics import Form, Multirate, Nordsieck
from bondline.report.canvas import dress, sheet, style
from bondline.report.palette import PAPER, SERIES

IMAGES = Path(__file__).resolve().parents[1] / "images"
MODES = {
    "PEC": {"corrections": 1, "evaluate": False},
    "PECE": {"corrections": 1, "evaluate": True},
    "P(EC)²": {"corrections": 2, "evaluate": False},
    "P(EC)²E": {"corrections": 2, "evaluate": True},
}


def kept(mode: str, angle: float) -> float:
    """ln of the largest factor by which a vibration grows in a step of `angle`."""
    step = transition(Nordsieck(angle, **MODES[mode]), oscillator(1.0), angle)
    return float(np.log(np.abs(np.linalg.eigvals(step)).max()))


def damping(form: Form, ratio: int, mu2: float, angle: float) -> float:
    """−σ/ω of the coupled vibration, ω H = `angle`."""
    system = one_and_one(np.sqrt(mu2), np.sqrt(1.0 - mu2))
    step = transition(Multirate(angle / ratio, ratio, form), system, angle)
    return -float(
        np.log(abs(near(np.linalg.eigvals(step), np.exp(1j * angle)))) / angle
    )


@style()
def growth() -> Figure:
    """Growth of an undamped vibration in a step."""
    figure, angles = sheet(7.0, 3.2), np.linspace(0.02, 1.3, 129)
    ax = figure.subplots()
    for mode, colour in zip(MODES, SERIES, strict=False):
        values = [kept(mode, angle) for angle in angles]
        ax.plot(angles, values, color=colour, label=mode, linewidth=1.6)
    ax.axhline(0.0, color="#1f2933", linewidth=0.8)
    ax.set_ylim(-0.06, 0.06)
    ax.set_xlim(0.0, 1.3)
    dress(ax, "An undamped vibration, one step", "ln of its growth", "ω h")
    ax.legend(frameon=False, loc="lower left")
    return figure


@style()
def two_rates() -> Figure:
    """Artificial damping of the two forms over the slow step."""
    figure, angles = sheet(7.0, 3.2), np.geomspace(0.05, 1.0, 40)
    ax = figure.subplots()
    cases = [("paper", 0.925), ("paper", 0.367), ("residual", 0.925)]
    for (form, mu2), colour in zip(cases, SERIES, strict=False):
        values = [abs(damping(form, 10, mu2, angle)) for angle in angles]
        name = f"{form}, μ² = {mu2}"
        ax.loglog(angles, values, color=colour, label=name, linewidth=1.6)
    formula = 0.163 * 0.925 * angles**3
    ax.loglog(
        angles, formula, "--", color=SERIES[0], linewidth=1.0, label="equation (10)"
    )
    ax.set_ylim(1e-14, 1.0)
    dress(ax, "Ratio 10: what is lost of a vibration", "|σ| / ω", "ω H")
    ax.legend(frameon=False, loc="lower right")
    return figure


def main() -> None:
    for name, figure in {"nordsieck": growth(), "multirate": two_rates()}.items():
        figure.savefig(IMAGES / f"{name}.png", dpi=130, facecolor=PAPER)


if __name__ == "__main__":
    main()
