"""What is put on a picture of a model: supports, loads, axes, a ruler."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation

from bondline.core import Matrix
from bondline.report.camera import Camera
from bondline.report.facets import Indices
from bondline.report.paint import Body, Paint
from bondline.report.palette import BLUE, GREEN, INK, MUTED, VERMILION

Box = tuple[float, float, float, float]
_MOST = 48  # marks of a kind on one part


def glyphs(ax: Axes, paint: Paint, bodies: Sequence[Body]) -> None:
    """A triangle at every support, an arrow at every load."""
    for body in bodies:
        at = paint.place(body.points)[:, :2]
        _triangles(ax, at[_some(body.skin.held)])
        loaded = _some(np.arange(len(body.skin.loaded)))
        length = 0.09 * paint.size
        tips = body.points[body.skin.loaded[loaded]]
        tails = tips - length * body.skin.pushes[loaded]
        for tip, tail in zip(paint.place(tips), paint.place(tails), strict=True):
            _arrow(ax, tail[:2], tip[:2])


def _triangles(ax: Axes, at: Matrix) -> None:
    """Marks whose tips are at the nodes."""
    inches = ax.get_figure(root=True)
    assert inches is not None, "axes are in a figure"
    drop = ScaledTranslation(0.0, -3.6 / 72.0, inches.dpi_scale_trans)
    ax.plot(
        at[:, 0],
        at[:, 1],
        "^",
        ms=7,
        mfc=MUTED,
        mec=INK,
        mew=0.8,
        zorder=5,
        transform=ax.transData + drop,
    )


def _some(rows: Indices) -> Indices:
    """Not more than can be told apart."""
    if len(rows) <= _MOST:
        return rows
    return rows[np.linspace(0, len(rows) - 1, _MOST).astype(np.intp)]


def _arrow(ax: Axes, tail: Matrix, tip: Matrix) -> None:
    how = {
        "arrowstyle": "-|>",
        "color": INK,
        "linewidth": 1.5,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    ax.annotate("", (tip[0], tip[1]), (tail[0], tail[1]), arrowprops=how, zorder=6)


def triad(ax: Axes, camera: Camera, box: Box) -> None:
    """The three axes in a corner."""
    length = 0.055 * max(box[1] - box[0], box[3] - box[2])
    x0, y0 = box[0] + 1.4 * length, box[2] + 1.3 * length
    for k, (name, color) in enumerate(
        zip("xyz", (VERMILION, GREEN, BLUE), strict=True)
    ):
        dx, dy = length * camera.axes[:2, k]
        if math.hypot(dx, dy) > 0.05 * length:
            ax.plot([x0, x0 + dx], [y0, y0 + dy], color=color, linewidth=1.6, zorder=7)
            at = (x0 + 1.3 * dx, y0 + 1.3 * dy)
            ax.text(*at, name, color=color, ha="center", va="center", fontsize=8.5)


def ruler(ax: Axes, box: Box) -> None:
    """A round length, to tell how large things are."""
    width = box[1] - box[0]
    length = round_length(0.16 * width)
    right, y = box[1] - 0.03 * width, box[2] + 0.035 * (box[3] - box[2])
    ax.plot([right - length, right], [y, y], color=MUTED, linewidth=2.0, zorder=7)
    words = in_words(length)
    at = (right - 0.5 * length, y)
    ax.annotate(
        words,
        at,
        (0, 4),
        textcoords="offset points",
        ha="center",
        color=MUTED,
        fontsize=8.0,
    )


def round_length(wanted: float) -> float:
    """1, 2 or 5 times a power of ten, not above what is wanted.

    >>> round_length(0.37), round_length(7.0)
    (0.2, 5.0)
    """
    power = math.floor(math.log10(wanted))
    step = max(s for s in (1.0, 2.0, 5.0) if s * 10.0**power <= wanted)
    return float(f"{step * 10.0**power:.1g}")


def in_words(length: float) -> str:
    """A length with the unit that suits it.

    >>> in_words(0.2), in_words(0.02)
    ('0.2 m', '20 mm')
    """
    return f"{length:g} m" if length >= 0.1 else f"{1e3 * length:g} mm"
