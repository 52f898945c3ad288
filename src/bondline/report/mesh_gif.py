"""Surfaces moving, as a GIF."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from PIL import Image, ImageColor

from bondline.core import Skin
from bondline.errors import UsageError
from bondline.report.canvas import style
from bondline.report.frames import frame_times
from bondline.report.gif import hundredths, looped
from bondline.report.marks import Box
from bondline.report.meshes import Look, largest, moved, nearest, size_of, values_of
from bondline.report.palette import INK, PAPER, SERIES
from bondline.report.render import (
    Picture,
    box_of,
    check_seen,
    draw,
    natural_scale,
    painter,
)
from bondline.report.strings import Strings
from bondline.report.words import printable
from bondline.run.skins import Seen

MOST = 60  # pictures, where nobody says how fast
_DPI = 80


@style()
def mesh_gif(
    title: str,
    skins: Mapping[str, Skin],
    seen: Sequence[Seen],
    look: Look,
    pace: tuple[float, float | None] = (25.0, None),
    strings: Strings | None = None,
) -> bytes:
    """The animation: one camera, one scale and one colour bar for all pictures.

    `pace` is pictures a second, and seconds of the run a second of the animation;
    without the latter about sixty pictures show the whole of it. `strings` are drawn
    beside the surfaces, which then move as far as they do.
    """
    check_seen(title, skins)
    if not seen:
        raise UsageError(
            title, "nothing was recorded.", "Run it for at least one window."
        )
    fps, speed = pace
    times = instants(seen, fps, speed)
    if strings is not None and look.scale is None:
        look = replace(look, scale=1.0, ghost=False)
    pictures = alike(title, skins, seen, look, times)
    if strings is not None:
        pictures = _with_room(pictures, strings, times)
    frames = _frames(pictures, strings, times)
    return looped(_reduced(list(frames)), hundredths(fps))


def _with_room(
    pictures: Sequence[Picture], strings: Strings, times: Sequence[float]
) -> list[Picture]:
    """For the lines, too."""
    paint, first = painter(pictures[0]), pictures[0].box
    assert first is not None, "pictures of an animation have one box"
    every = np.concatenate([p for t in times for p in strings.drawn(paint, t)])
    (left, bottom), (right, top) = every.min(axis=0), every.max(axis=0)
    box = _around([first, (left, right, bottom, top)])
    return [replace(picture, box=box) for picture in pictures]


def instants(seen: Sequence[Seen], fps: float, speed: float | None) -> list[float]:
    """What is shown: all that was kept, thinned out, or at the speed asked for."""
    times = np.array([s.t for s in seen])
    if speed is not None:
        return [float(t) for t in frame_times(times, fps, speed)]
    count = min(len(times), MOST)
    chosen = np.linspace(0, len(times) - 1, count).round().astype(int)
    return [float(t) for t in times[chosen]]


def alike(
    title: str,
    skins: Mapping[str, Skin],
    seen: Sequence[Seen],
    look: Look,
    times: Sequence[float],
) -> list[Picture]:
    """Pictures at those times that differ in nothing but what moves."""
    color = look.color or "displacement"
    if look.scale is None:
        look = replace(look, scale=natural_scale(skins, size_of(largest(seen).parts)))
    most = None
    if color != "parts":
        each = (values_of(title, s.parts, color).values() for s in seen)
        most = max(float(v.max(initial=0.0)) for values in each for v in values)
    found = [moved(title, skins, nearest(title, seen, t), look, most) for t in times]
    box = _around([box_of(picture) for picture in found])
    return [replace(picture, box=box) for picture in found]


def _around(boxes: Sequence[Box]) -> Box:
    left, right, bottom, top = np.array(boxes).T
    return float(left.min()), float(right.max()), float(bottom.min()), float(top.max())


def _frames(
    pictures: Sequence[Picture], strings: Strings | None, times: Sequence[float]
) -> Iterator[Image.Image]:
    """One figure, in which polygons and lines are put elsewhere."""
    first = pictures[0]
    figure = draw(replace(first, marks=False))
    figure.set_dpi(_DPI)
    ax = figure.axes[0]
    moving = next(c for c in ax.collections if isinstance(c, PolyCollection))
    paint = replace(painter(first), fine=False, lined=False, dot=0.0)
    bodies = first.bodies()
    lines = strings and strings.collection(paint, times[0])
    if lines:
        ax.add_collection(lines)
    for picture, t in zip(pictures, times, strict=True):
        if strings and lines:
            lines.set_segments(strings.drawn(paint, t))
        values = picture.shown.values if picture.shown else {}
        now = [b.moved(picture.moved(b.name), values.get(b.name)) for b in bodies]
        strokes = paint.strokes(now)
        moving.set_verts(list(strokes.outline))
        moving.set_facecolor([(r, g, b, a) for r, g, b, a in strokes.face.tolist()])
        moving.set_edgecolor([(r, g, b, a) for r, g, b, a in strokes.edge.tolist()])
        moving.set_linewidth(strokes.width.tolist())
        ax.set_title(printable(picture.note, 90), loc="right")
        yield _image(figure)
        if figure.get_layout_engine() is not None:
            figure.set_layout_engine("none")  # nothing wobbles after the first one


def _image(figure: Figure) -> Image.Image:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI, facecolor=PAPER)
    with Image.open(buffer) as image:
        return image.convert("RGB")


def _reduced(images: Sequence[Image.Image]) -> list[Image.Image]:
    """All with the colours of a few of them, so that what stands still is free."""
    some = [images[k] for k in np.linspace(0, len(images) - 1, 4).astype(int)]
    width, height = some[0].size
    tiled = Image.new("RGB", (width, 4 * height))
    for k, image in enumerate(some):
        tiled.paste(image, (0, k * height))
    ours = [ImageColor.getrgb(color)[:3] for color in (PAPER, INK, *SERIES)]
    found = tiled.quantize(256 - len(ours), method=Image.Quantize.MEDIANCUT)
    clear = (found.getpalette() or [])[: 3 * (256 - len(ours))]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(v for color in ours for v in color), *clear])
    return [i.quantize(palette=palette, dither=Image.Dither.NONE) for i in images]
