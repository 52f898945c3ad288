"""A frequency response as a figure and as a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bondline.core import Vector
from bondline.report.canvas import dress, sheet, style
from bondline.report.counts import log_axis
from bondline.report.palette import BLUE


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Displacement of `at` per newton on `load`, over frequencies in Hz."""

    model: str
    load: str
    at: str
    f: Vector
    H: NDArray[np.complex128]

    @property
    def peak(self) -> tuple[float, float]:
        """Where it is largest, and how large."""
        k = int(np.argmax(np.abs(self.H)))
        return float(self.f[k]), float(np.abs(self.H[k]))


@style()
def spectrum(what: Spectrum) -> Figure:
    """Magnitude above, phase below."""
    figure = sheet(8.0, 4.6)
    top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    title = f"{what.model}: {what.at} per newton on {what.load}"
    dress(top, title, "|H| [m/N]")
    log_axis(top, "y")
    top.plot(what.f, np.abs(what.H), color=BLUE, lw=1.4)
    dress(bottom, "", "phase [deg]", "frequency [Hz]")
    bottom.plot(what.f, np.degrees(np.angle(what.H)), color=BLUE, lw=1.4)
    bottom.set_ylim(-190.0, 190.0)
    bottom.set_yticks([-180, -90, 0, 90, 180])
    return figure


def csv(what: Spectrum) -> str:
    """Frequency in Hz, real and imaginary part, magnitude and phase, a row each."""
    lines = ["f [Hz],real [m/N],imag [m/N],magnitude [m/N],phase [deg]"]
    for f, H in zip(what.f.tolist(), what.H.tolist(), strict=True):
        phase = float(np.degrees(np.angle(H)))
        row = (f, H.real, H.imag, abs(H), phase)
        lines.append(",".join(repr(x) for x in row))
    return "\n".join(lines) + "\n"
