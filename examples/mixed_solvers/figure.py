"""The figure of this example: `python figure.py FILE.png`, with the controller made.

It opens a model that has code of its own, and says that it may.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from bondline.build import open_model
from bondline.build.solvers.grant import code_allowed
from bondline.report.canvas import dress, save, sheet, style
from bondline.report.palette import MUTED, SERIES
from bondline.run import Keep, simulate

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def outline() -> np.ndarray:
    """The bracket from the side: x and z of its wall, seat and lip."""
    return np.array([(0.0, 0.94), (0.0, 1.0), (0.3, 1.0), (0.3, 0.94), (0.0, 0.94)])


def draw(path: Path) -> None:
    """Where it is at some instants, and what tip and bob do."""
    from controller import wanted

    with code_allowed():
        opened = open_model(HERE)
    keep = Keep()
    simulate(opened.model, opened.spec.stop, opened.spec.step, record=keep)
    found, frames = keep.results(), keep.frames
    with style():
        figure = sheet(9.0, 3.4)
        axes = figure.subplots(1, 3, width_ratios=(1.6, 1.0, 1.0))
        axes[0].fill(*outline().T, color=MUTED)
        for n, fade in ((0, 0.25), (200, 0.5), (len(frames) - 1, 1.0)):
            line = frames[n].shapes["arm"]
            bob = frames[n].shapes["load.bob"]
            axes[0].plot(*line[:, [0, 2]].T, color=SERIES[0], lw=4, alpha=fade)
            axes[0].plot(*bob[:, [0, 2]].T, "o-", color=SERIES[1], alpha=fade)
        axes[0].set_aspect("equal")
        goal = 1e3 * np.array([wanted(t) for t in found.t])
        tip = 1e3 * (found.signals["arm.tip.2"] - 1.0)
        axes[1].plot(1e3 * found.t, goal, "--", color=MUTED, label="wanted")
        axes[1].plot(1e3 * found.t, tip, color=SERIES[0], label="tip")
        axes[1].legend(fontsize=7.5)
        swing = np.degrees(found.signals["load.swing"])
        axes[2].plot(1e3 * found.t, swing, color=SERIES[1])
        dress(axes[0], "Kratos, Exudyn, MuJoCo: 0, 0.2, 0.4 s", "z, m", "x, m")
        dress(axes[1], "Height of the tip", "mm", "t, ms")
        dress(axes[2], "Bob against the hook", "degrees", "t, ms")
        save(figure, path)


if __name__ == "__main__":
    draw(Path(sys.argv[1] if len(sys.argv) > 1 else "mixed_solvers.png"))
