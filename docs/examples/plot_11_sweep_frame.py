"""
Sweep of a frame
================

A portal frame in two glued halves, shaken at its corner. A sweep runs it with other
sections and other frequencies, and keeps every variant as a run of its own;
:doc:`/guide/sweeps` has the command line and the cluster.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from bondline.build import template
from bondline.report.canvas import dress, sheet, style
from bondline.sweep import Here, Wanted, axis, begin_sweep, carry
from bondline.sweep.table import table

axes = [axis("height", "80,120mm"), axis("frequency", "10..25Hz:6")]
wanted = Wanted(
    template("sweep_frame"), axes, until=0.1, asked=["right.corner.x:absmax"]
)
with TemporaryDirectory() as folder:
    sweep = begin_sweep(Path(folder, "sweeps"), Path(folder, "runs"), wanted, "heights")
    carry(sweep, Here(), Path(folder, "runs"))
    columns = table(sweep).columns
print(*columns)

# %%
# Twelve runs, one table: how far the corner sways.

with style():
    swayed = sheet(7.0, 3.6)
    ax = swayed.subplots()
    for height in dict.fromkeys(columns["height"]):
        rows = [k for k, h in enumerate(columns["height"]) if h == height]
        frequency, sway = (
            [columns[name][k] for k in rows]
            for name in ("frequency", "right.corner.x:absmax")
        )
        ax.plot(frequency, [1e3 * x for x in sway], "o-", label=f"{height:g} mm")
    dress(ax, "Sway of the corner", "mm", "frequency, Hz")
    ax.legend()
