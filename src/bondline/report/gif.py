"""The mechanism moving, as a GIF."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import matplotlib as mpl
from PIL import Image, ImageColor, ImageDraw, ImageFont

from bondline.core import Matrix
from bondline.report.frames import frame_times
from bondline.report.palette import GRID, INK, MUTED, PAPER
from bondline.report.scene import Scene
from bondline.report.words import printable

FINE = 2  # drawn twice as large, then reduced: smooth edges
LONGEST = 560  # pixels
TAIL = 30  # pictures for which a tip's trail stays


@dataclass(frozen=True)
class Screen:
    """Metres to pixels of the fine drawing, axes equal."""

    width: int
    height: int
    scale: float
    left: float
    top: float

    def __call__(self, points: Matrix) -> list[tuple[float, float]]:
        """Pixel positions of points in metres."""
        x = (points[:, 0] - self.left) * self.scale
        y = (self.top - points[:, 1]) * self.scale + HEADER * FINE
        return [(float(a), float(b)) for a, b in zip(x, y, strict=True)]


HEADER = 30


def screen(box: tuple[float, float, float, float]) -> Screen:
    """Fits the box into the picture; slender mechanisms get air at their sides."""
    left, right, bottom, top = box
    scale = FINE * LONGEST / max(right - left, top - bottom)
    room = max(right - left, 0.6 * (top - bottom))
    middle = 0.5 * (left + right)
    width = round(room * scale / FINE) * FINE
    height = round((top - bottom) * scale / FINE) * FINE + HEADER * FINE
    return Screen(width, max(height, 120 * FINE), scale, middle - 0.5 * room, top)


def gif(seen: Scene, title: str, fps: float, speed: float) -> bytes:
    """The animation; a GIF counts hundredths of a second, so fps is rounded to that."""
    delay = hundredths(fps)
    fps = 100.0 / delay if fps > 0 else fps
    moving = seen.at(frame_times(seen.t, fps, speed))
    view = screen(seen.box)
    pictures = [_picture(moving, k, view, title) for k in range(len(moving.t))]
    palette = _palette(dict.fromkeys([INK, MUTED, GRID, *seen.colors.values()]))
    reduced = [p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures]
    return looped(reduced, delay)


def hundredths(fps: float) -> int:
    """How long a picture stays, in hundredths of a second; players want two or more."""
    return max(2, round(100.0 / fps)) if fps > 0 else 4


def looped(pictures: Sequence[Image.Image], delay: int) -> bytes:
    """The file that shows them again and again, `delay` hundredths of a second each."""
    buffer = io.BytesIO()
    pictures[0].save(
        buffer,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=10 * delay,
        loop=0,
        optimize=False,
    )
    return buffer.getvalue()


def _palette(colors: Iterable[str]) -> Image.Image:
    """Every colour in steps to the paper: one palette, so what stands still is free."""
    paper = _mixed(0.0)
    steps = [_mixed(k / 12, color) for color in colors for k in range(1, 13)]
    # Pillow looks up colours coarsely: a near-white would take the place of white.
    clear = [
        c for c in steps if max(abs(a - b) for a, b in zip(c, paper, strict=True)) > 12
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for color in [paper, *clear] for value in color])
    return palette


def _picture(moving: Scene, k: int, view: Screen, title: str) -> Image.Image:
    fine = Image.new("RGB", (view.width, view.height), PAPER)
    pen = ImageDraw.Draw(fine)
    _trails(pen, moving, k, view)
    for name, color in moving.colors.items():
        _bar(pen, view(moving.parts[name][k]), color)
    for point in view(moving.supports[k]):
        _circle(pen, point, 8 * FINE, GRID)
    for point in view(moving.supports[k]) + view(moving.joints[k]):
        _circle(pen, point, 5 * FINE, PAPER)
    _words(pen, view, title, f"t = {moving.t[k]:.2f} s")
    return fine.reduce(FINE)


def _bar(
    pen: ImageDraw.ImageDraw, points: list[tuple[float, float]], color: str
) -> None:
    pen.line(points, fill=color, width=6 * FINE, joint="curve")
    for x, y in (points[0], points[-1]):
        r = 3 * FINE
        pen.ellipse((x - r, y - r, x + r, y + r), fill=color)


def _circle(
    pen: ImageDraw.ImageDraw, at: tuple[float, float], r: int, fill: str
) -> None:
    x, y = at
    box = (x - r, y - r, x + r, y + r)
    pen.ellipse(box, fill=fill, outline=INK, width=2 * FINE)


def _trails(pen: ImageDraw.ImageDraw, moving: Scene, k: int, view: Screen) -> None:
    first = max(0, k - TAIL)
    for tip in range(moving.tips.shape[1]):
        path = view(moving.tips[first : k + 1, tip])
        for age, piece in enumerate(pairwise(path)):
            weight = (age + 1) / max(1, len(path) - 1)
            pen.line(piece, fill=_mixed(weight), width=2 * FINE)


def _mixed(weight: float, color: str = MUTED) -> tuple[int, int, int]:
    """Between the paper and a colour."""
    paper, ink = ImageColor.getrgb(PAPER), ImageColor.getrgb(color)
    red, green, blue = (
        round(p + weight * (i - p)) for p, i in zip(paper[:3], ink[:3], strict=True)
    )
    return red, green, blue


def _words(pen: ImageDraw.ImageDraw, view: Screen, title: str, clock: str) -> None:
    fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
    font = ImageFont.truetype(str(fonts / "DejaVuSans.ttf"), 13 * FINE)
    edge, base = 10 * FINE, 8 * FINE
    room = view.width - 3 * edge - pen.textlength(clock, font)
    most = max(1, int(room / pen.textlength("n", font)))
    pen.text((edge, base), printable(title, most), fill=INK, font=font)
    pen.text((view.width - edge, base), clock, fill=INK, font=font, anchor="ra")
