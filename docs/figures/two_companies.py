"""Draws `docs/images/two_companies.png`.

Run from the root of the project: `./run python -m docs.figures.two_companies`.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from bondline.report.palette import PAPER, SERIES

IMAGES = Path(__file__).resolve().parents[1] / "images"
GREY = "#5c6370"
LEVELS = (0.9, 1.5, 2.1, 2.7)  # of the four joints


def company(ax: Axes, x: float, color: str, title: str, files: str) -> None:
    box = FancyBboxPatch(
        (x, 0.1), 3.6, 3.7, "round,pad=0.05", fc=PAPER, ec=color, lw=1.6
    )
    ax.add_patch(box)
    ax.text(x + 0.15, 3.5, title, color=color, weight="bold", size=11)
    ax.text(x + 0.15, 0.22, files, color=GREY, size=8, family="monospace")


def crossing(ax: Axes, y: float, way: str, color: str, text: str) -> None:
    arrow = FancyArrowPatch(
        (4.1, y), (6.9, y), arrowstyle=way, mutation_scale=14, color=color, lw=1.6
    )
    ax.add_patch(arrow)
    ax.text(5.5, y + 0.1, text, ha="center", color=color, size=9)


def frame(ax: Axes) -> None:
    """The left rail and four connectors; the right rail elsewhere."""
    ax.plot([0.9, 0.9], [0.6, 3.0], color=SERIES[0], lw=6, solid_capstyle="round")
    ax.plot([9.6, 9.6], [0.6, 3.0], color=SERIES[1], lw=6, solid_capstyle="round")
    for k, y in enumerate(LEVELS, start=1):
        ax.plot([0.9, 3.0], [y, y], color=SERIES[0], lw=4, solid_capstyle="round")
        ax.plot([3.0, 9.6], [y, y], "o", color=PAPER, mec=GREY, ms=8, mew=1.5)
        ax.text(3.2, y, f"C{k}", color=GREY, size=9, va="center")
        ax.text(9.2, y, f"C{k}", color=GREY, size=9, va="center", ha="right")


def draw() -> Figure:
    figure = Figure((9.0, 3.4), facecolor=PAPER)
    ax = figure.add_axes((0.01, 0.02, 0.98, 0.96))
    ax.set(xlim=(-0.1, 11.1), ylim=(0.0, 4.0))
    ax.axis("off")
    company(ax, 0.1, SERIES[0], "OEM", "truck/  partners.toml  oem.key")
    company(ax, 7.2, SERIES[1], "Rails", "rail/  policy.toml  rails.key")
    frame(ax)
    crossing(ax, 2.3, "-|>", SERIES[0], "forces at C1 ... C4")
    crossing(ax, 1.5, "<|-", SERIES[1], "motions of C1 ... C4")
    ax.text(5.5, 3.0, "mutual TLS", ha="center", color=GREY, size=9)
    words = "one round trip a window\nno mesh, no inner matrix, no state"
    ax.text(5.5, 0.7, words, ha="center", color=GREY, size=8)
    return figure


if __name__ == "__main__":
    draw().savefig(IMAGES / "two_companies.png", dpi=150)
