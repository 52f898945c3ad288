"""Surfaces in space as a figure: no display, no graphics card, only Matplotlib."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from bondline.core import Matrix, Skin, Vector
from bondline.errors import UsageError
from bondline.report.camera import Camera
from bondline.report.canvas import sheet, style
from bondline.report.marks import Box, glyphs, round_length, ruler, triad
from bondline.report.paint import FINE, LINED, Array, Body, Paint, Strokes
from bondline.report.palette import INK, MUTED, PAPER, SERIES
from bondline.report.words import printable

DPI = 200
_WIDTH = 9.0  # inches


@dataclass(frozen=True, eq=False)
class Field:
    """Values at the points of every part, what they are, and their colours."""

    name: str
    unit: str
    values: Mapping[str, Vector]
    colors: str = "viridis"
    largest: float | None = None  # of the colour bar; else that of the values

    @property
    def top(self) -> float:
        """Where the colour bar ends."""
        most = max((float(v.max(initial=0.0)) for v in self.values.values()), default=0)
        return (most if self.largest is None else self.largest) or 1.0


@dataclass(frozen=True, eq=False)
class Picture:
    """What is to be seen: surfaces by part, how they moved, and how to look at them.

    Displacements are drawn `scale` times as large as they are. Without `shown` values
    every part has its colour. `ghost` shows the edges where nothing has moved, `marks`
    nodes of ports, supports and loads.
    """

    title: str
    skins: Mapping[str, Skin]
    displacement: Mapping[str, Matrix] = field(default_factory=dict)
    scale: float = 1.0
    shown: Field | None = None
    camera: Camera = field(default_factory=Camera)
    ghost: bool = False
    marks: bool = True
    note: str = ""
    box: Box | None = None  # on paper; else all that is seen

    def bodies(self) -> list[Body]:
        """The parts where they are drawn."""
        values = self.shown.values if self.shown else {}
        return [
            Body(n, s, self.moved(n), color_of(k), values.get(n))
            for k, (n, s) in enumerate(self.skins.items())
        ]

    def moved(self, part: str) -> Matrix:
        """Where the points of a part are drawn."""
        u = self.displacement.get(part)
        rest = self.skins[part].points
        return rest if u is None else rest + self.scale * u


def color_of(k: int) -> str:
    """One colour a part, as long as there are any."""
    return SERIES[k % len(SERIES)]


def natural_scale(skins: Mapping[str, Skin], largest: float) -> float:
    """A round number that makes the largest displacement a sixteenth of the model.

    >>> natural_scale({}, 0.0)
    1.0
    """
    size = diameter(skins)
    if not (largest > 0.0 and size > 0.0):
        return 1.0
    return round_length(size / 16.0 / largest * (1.0 + 1e-12))


def diameter(skins: Mapping[str, Skin]) -> float:
    """The diagonal of the box around all parts."""
    points = [s.points for s in skins.values() if len(s.points)]
    return (
        float(np.linalg.norm(np.ptp(np.concatenate(points), axis=0))) if points else 0
    )


def check_seen(place: str, skins: Mapping[str, Skin]) -> None:
    """`UsageError` where there is nothing to look at."""
    if not any(s.facets or len(s.bars) for s in skins.values()):
        raise UsageError(
            place,
            "no part shows its surface.",
            'An owner shows a deck by draw="mesh" in the <g:fe> annotation of its '
            'component (draw="stress" with stress), in Python by '
            'fe_leaf(..., skin="mesh"). A run keeps what was shown while it ran.',
        )


def painter(picture: Picture) -> Paint:
    """How the parts of a picture become polygons."""
    facets = sum(s.facets for s in picture.skins.values())
    every = np.concatenate([s.points for s in picture.skins.values()])
    size = float(np.linalg.norm(np.ptp(every, axis=0))) or 1.0
    centre = 0.5 * (every.min(axis=0) + every.max(axis=0))
    colors, fine = _colors(picture.shown), facets <= FINE
    dot = 0.0028 * size if picture.marks else 0.0
    return Paint(picture.camera, centre, size, colors, fine, facets <= LINED, dot)


@style()
def draw(picture: Picture) -> Figure:
    """The figure; what is coloured inside it is pixels, its words are text."""
    check_seen(picture.title, picture.skins)
    paint, bodies = painter(picture), picture.bodies()
    box = picture.box or box_of(picture)
    width, height = box[1] - box[0], box[3] - box[2]
    room = _WIDTH - (0.9 if picture.shown else 0.0)
    tall = min(max(room * height / width, 3.0), 8.0)
    figure = sheet(_WIDTH, tall + 0.75)
    figure.set_dpi(DPI)
    ax = figure.subplots()
    stage(ax, picture, box)
    if picture.ghost:
        ax.add_collection(_ghost(paint, bodies))
    ax.add_collection(polygons(paint.strokes(bodies)))
    if picture.marks:
        glyphs(ax, paint, bodies)
    triad(ax, paint.camera, box)
    if math.isinf(paint.camera.distance):
        ruler(ax, box)
    _legend(figure, ax, picture)
    return figure


def stage(ax: Axes, picture: Picture, box: Box) -> None:
    """Empty axes with a title, as large as the box."""
    ax.set_axis_off()
    ax.set_facecolor("none")
    ax.set(xlim=box[:2], ylim=box[2:])
    ax.set_aspect("equal", adjustable="box")
    title = printable(picture.title)
    ax.set_title(title, loc="left", color=INK, fontsize=10.5, weight="bold")
    ax.set_title(printable(picture.note, 90), loc="right", color=MUTED, fontsize=8.5)


def polygons(strokes: Strokes) -> PolyCollection:
    """The strokes as one collection, in their order."""
    made = PolyCollection(
        list(strokes.outline),
        facecolors=strokes.face,
        edgecolors=strokes.edge,
        linewidths=strokes.width.tolist(),
        joinstyle="round",
        capstyle="round",
        zorder=2.0,
    )
    made.set_rasterized(True)
    return made


def _colors(shown: Field | None) -> Callable[[Vector], Array]:
    table = mpl.colormaps[shown.colors if shown else "viridis"]
    top = shown.top if shown else 1.0

    def rgb(values: Vector) -> Array:
        return np.asarray(table(np.clip(values / top, 0.0, 1.0)), dtype=np.float64)[
            :, :3
        ]

    return rgb


def box_of(picture: Picture) -> Box:
    """All that is seen, with some air: left, right, bottom, top."""
    paint, bodies = painter(picture), picture.bodies()
    seen = [paint.place(b.points)[:, :2] for b in bodies]
    if picture.ghost:
        seen += [paint.place(b.skin.points)[:, :2] for b in bodies]
    every = np.concatenate(seen)
    (left, bottom), (right, top) = every.min(axis=0), every.max(axis=0)
    air = 0.07 * max(right - left, top - bottom, 1e-9)
    return left - air, right + air, bottom - 1.2 * air, top + air


def _ghost(paint: Paint, bodies: Sequence[Body]) -> LineCollection:
    ends = [paint.place(b.skin.points)[b.edges.ends][:, :, :2] for b in bodies]
    bars = [paint.place(b.skin.points)[b.skin.bars][:, :, :2] for b in bodies]
    lines = np.concatenate([*ends, *bars])
    made = LineCollection(
        list(lines), colors=MUTED, linewidths=0.5, alpha=0.55, zorder=1
    )
    made.set_rasterized(True)
    return made


def _legend(figure: Figure, ax: Axes, picture: Picture) -> None:
    handles, labels = list[Patch | Line2D](), list[str]()
    if picture.shown is None and len(picture.skins) <= len(SERIES):
        handles += [Patch(color=color_of(k)) for k in range(len(picture.skins))]
        labels += [printable(name, 28) for name in picture.skins]
    for label, mark in _marked(picture):
        handles.append(mark)
        labels.append(label)
    if handles:
        figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=min(len(handles), 6),
            frameon=False,
            fontsize=8.0,
            handlelength=1.2,
            columnspacing=1.4,
        )
    if picture.shown is not None:
        _bar(figure, ax, picture.shown)


def _marked(picture: Picture) -> list[tuple[str, Line2D]]:
    if not picture.marks:
        return []
    skins = picture.skins.values()
    dots = Line2D([], [], ls="", marker="o", ms=4, mfc=PAPER, mec=INK, mew=0.8)
    held = Line2D([], [], ls="", marker="^", ms=7, mfc=MUTED, mec=INK, mew=0.8)
    push = Line2D([], [], color=INK, lw=1.5, marker=">", ms=6, markevery=[1])
    found = []
    if any(len(p) for s in skins for p in s.ports.values()):
        found.append(("interface nodes", dots))
    if any(len(s.held) for s in skins):
        found.append(("supports", held))
    if any(len(s.loaded) for s in skins):
        found.append(("loads", push))
    return found


def _bar(figure: Figure, ax: Axes, shown: Field) -> None:
    scale = Normalize(0.0, shown.top)
    bar = figure.colorbar(
        ScalarMappable(scale, shown.colors),
        ax=ax,
        shrink=0.72,
        aspect=26,
        pad=0.015,
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(color=MUTED, labelcolor=INK, labelsize=8, length=3)
    words = f"{shown.name} [{shown.unit}]" if shown.unit else shown.name
    bar.set_label(printable(words), color=INK, fontsize=8.5)
