"""The figure of the guide: `python figures.py FILE.png`. It takes about a minute.

The suspension at three instants, the ball joint against the chassis in two schemes
and all at once, its forces, and where the energy goes.
"""

from __future__ import annotations

import sys
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from bondline.build import Given, build, catalogue
from bondline.build.given import apply
from bondline.core import uniform
from bondline.description import read
from bondline.report.canvas import dress, save, sheet, style
from bondline.report.palette import INK, MUTED, SERIES

HERE = Path(__file__).parent
H, UNTIL = 1e-4, 0.15
SHOWN = (0.03, 0.053, 0.15)  # s


class Run(NamedTuple):
    """Signals over time, the flow of energy, and pictures of some instants."""

    t: Any
    signals: dict[str, Any]
    lost: Any
    defect: Any
    pictures: list[tuple[float, dict[str, Any], Any, Any]]


def run(scheme: str) -> Run:
    """The strike, window by window."""
    spec = read(HERE, catalogue())
    made: Any = build(apply(spec, catalogue(), Given(scheme=scheme)))
    step = made.start(0.0)
    first, lost, rows, flows, pictures = step.energy.stored, 0.0, [], [], []
    for n in range(round(UNTIL / H)):
        step = made.advance(step.state, uniform(0.0, H, n), {})
        lost += step.energy.dissipated - step.energy.supplied
        flows.append((lost, step.energy.stored + lost - first))
        rows.append({k: x.value for k, x in made.observe(step.state).items()})
        t = (n + 1) * H
        if any(abs(t - at) < 0.5 * H for at in SHOWN):
            skin = made.skins()["arm"]
            now = made.deformed(step.state, t)["arm"]
            lines = {k: v for k, v in made.shapes(step.state).items() if "car" in k}
            ends = (skin.points + now.displacement)[skin.bars]
            pictures.append((t, lines, ends, now.plastic[skin.bars].mean(axis=1)))
    signals = {k: np.array([row[k] for row in rows]) for k in rows[0]}
    t, (gone, defect) = H * np.arange(1, len(rows) + 1), np.array(flows).T
    return Run(t, signals, gone, defect, pictures)


def flat(points: Any) -> Any:
    """Seen from inside the car and from above; the wheel is behind."""
    x, y, z = np.moveaxis(points, -1, 0)
    return np.stack([x + 0.25 * (y - 0.6), z + 0.45 * (y - 0.8)], -1)


def suspension(figure: Any, axes: Any, pictures: Any) -> None:
    """All instants side by side; colours are plastic strain."""
    top = max(float(p[3].max()) for p in pictures)
    for k, (t, lines, ends, strain) in enumerate(pictures):
        shift = np.array([0.95 * k, 0.0])
        for name, points in lines.items():
            color = MUTED if name.endswith("ground") else INK
            at = flat(points - [lines["car.upper"][0][0], 0.0, 0.0]) + shift
            if name.endswith("ground"):
                at = at[(at[:, 0] > shift[0] - 2.0)]
                at[:, 0] = np.clip(at[:, 0], shift[0] - 0.5, shift[0] + 0.4)
            axes.plot(*at.T, color=color, lw=0.9)
        at = flat(ends - [lines["car.upper"][0][0], 0.0, 0.0]) + shift
        bars = LineCollection(list(at), cmap="YlOrRd", linewidths=4.0, zorder=5)
        bars.set_array(100.0 * strain)
        bars.set_clim(0.0, 100.0 * top)
        axes.add_collection(bars)
        axes.text(shift[0] - 0.42, 0.36, f"{1e3 * t:.0f} ms", fontsize=9, color=INK)
    axes.set_aspect("equal")
    axes.set_axis_off()
    bar = figure.colorbar(bars, ax=axes, shrink=0.7, pad=0.01)
    bar.set_label("plastic strain, %", fontsize=8.5)


def draw(path: Path) -> None:
    """All in one picture."""
    schemes = ("linear", "hold")
    with Pool(len(schemes)) as pool:
        runs = dict(zip(schemes, pool.map(run, schemes), strict=True))
    table: Any = np.genfromtxt(
        HERE / "reference.csv", delimiter=",", names=True, deletechars=""
    )
    linear, ms = runs["linear"], 1e3 * table["t"]
    exact = 1e3 * (table["ball.x"] - table["chassis.x"])
    with style():
        figure = sheet(9.5, 7.4)
        above, below = figure.subfigures(2, 1, height_ratios=(1.0, 1.15))
        suspension(above, above.subplots(), linear.pictures)
        one, two, three = below.subplots(1, 3)
        for color, (name, each) in zip(SERIES, runs.items(), strict=False):
            s = each.signals
            dx = 1e3 * (s["ball.x"] - s["chassis.x"])
            at = np.rint(table["t"] / H).astype(int) - 1
            off = np.abs(dx[at] - exact)
            two.semilogy(ms, np.maximum(off, 1e-6), color=color, lw=1.0, label=name)
        dx = 1e3 * (linear.signals["ball.x"] - linear.signals["chassis.x"])
        one.plot(ms, exact, color=MUTED, lw=3.0, alpha=0.5, label="all at once")
        one.plot(1e3 * linear.t, dx, color=SERIES[0], lw=1.0, label="glued, linear")
        three.plot(1e3 * linear.t, linear.lost, color=SERIES[1], label="lost")
        three.plot(
            1e3 * linear.t, 100.0 * linear.defect, color=SERIES[0], label="100 × defect"
        )
        dress(one, "Ball joint against the chassis", "mm", "t, ms")
        dress(two, "Difference from all at once", "mm", "t, ms")
        dress(three, "Energy", "J", "t, ms")
        two.yaxis.set_major_formatter(lambda x, _: f"1e{round(np.log10(x))}")
        for axes in (one, two, three):
            axes.legend(fontsize=7.5, framealpha=0.8)
        save(figure, path)


if __name__ == "__main__":
    draw(Path(sys.argv[1] if len(sys.argv) > 1 else "quarter_car.png"))
