"""The picture of the sweep: `python figures.py FILE.png [JOBS]`.

Heights of the sections against frequencies of the load, 99 runs on as many worker
processes as there are JOBS: where the frame resonates, its corner swings most.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from bondline.report.canvas import dress, save, sheet, style
from bondline.report.palette import SERIES
from bondline.sweep import Sweep, Wanted, axis, begin_sweep, carry, local
from bondline.sweep.table import table

HERE = Path(__file__).parent
WANTED = Wanted(
    HERE,
    [axis("height", "80,100,120mm"), axis("frequency", "6..38Hz:33")],
    asked=["right.corner.x:absmax"],
)


def draw(sweep: Sweep, path: Path) -> Path:
    """Swing of the corner over the frequency, a line a height."""
    columns = table(sweep).columns
    swing = 1e3 * np.array(columns["right.corner.x:absmax"])
    with style():
        figure = sheet(8.0, 3.2)
        ax = figure.subplots()
        dress(ax, "Swing of the corner", "mm", "frequency of the load [Hz]")
        for colour, height in zip(SERIES, (80.0, 100.0, 120.0), strict=False):
            mine = np.array(columns["height"]) == height
            x = np.array(columns["frequency"])[mine]
            ax.plot(x, swing[mine], "o-", color=colour, ms=4, label=f"{height:g} mm")
        ax.legend(frameon=False, title="height of the sections")
        return save(figure, path)


def main() -> None:
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        sweep = begin_sweep(home / "sweeps", home / "runs", WANTED)
        with local(jobs) as pool:
            carry(sweep, pool, home / "runs")
        draw(sweep, Path(sys.argv[1]))


if __name__ == "__main__":
    main()
