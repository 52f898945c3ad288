"""Figures before anything is drawn in them, and figures on their way out."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from bondline.report.palette import GRID, INK, MUTED, PAPER, dark_rules
from bondline.report.suffix import suffix_of
from bondline.report.words import printable

SUFFIXES = (".svg", ".png", ".pdf")
_NO_METADATA: dict[str, dict[str, None]] = {
    ".svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


@contextmanager
def style() -> Iterator[None]:
    """Our look, for what is drawn or written inside; also a decorator."""
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rc("font", family=["DejaVu Sans"], size=9.0)
        mpl.rc("text", color=INK, parse_math=False)  # a signal may be called `$x`
        mpl.rc("axes", linewidth=0.8)
        mpl.rc("lines", solid_capstyle="round", solid_joinstyle="round")
        mpl.rc("path", simplify_threshold=0.2)
        # Real text in SVG: small, searchable, read aloud. The salt repeats the ids.
        mpl.rc("svg", fonttype="none", hashsalt="bondline")
        # A browser or a PDF viewer brings the glyphs that our font does not have.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def sheet(width: float, height: float) -> Figure:
    """An empty figure, in inches, that makes room for its labels by itself."""
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.05)
    return Figure(figsize=(width, height), layout=layout, facecolor="none")


def dress(ax: Axes, title: str = "", ylabel: str = "", xlabel: str = "") -> None:
    """Quiet axes: two spines, a light grid behind, the title on the left."""
    ax.set_facecolor("none")
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.grid(True, color=GRID, linewidth=0.7)
    ax.set_axisbelow(True)
    ax.tick_params(which="both", color=MUTED, labelcolor=INK, labelsize=8.5, length=3)
    ax.set_title(printable(title), loc="left", color=INK, fontsize=9.5, weight="bold")
    ax.set_ylabel(printable(ylabel), color=INK)
    ax.set_xlabel(printable(xlabel), color=INK)
    ax.margins(x=0.01)


def svg(figure: Figure, key: str) -> str:
    """The figure as an `<svg>` element to put into a page; `key` keeps its ids apart.

    Same figure, same bytes. Colours follow the page's `dark_rules`.
    """
    buffer = io.StringIO()
    with style():
        figure.savefig(
            buffer, format="svg", transparent=True, metadata=_NO_METADATA[".svg"]
        )
    whole = buffer.getvalue()
    element = whole[whole.index("<svg") :].rstrip()
    return _TAG.sub(lambda tag: _keyed(tag.group(), key), element)


_TAG = re.compile(r"<[^!>][^>]*>")
_ID = re.compile(r'(?<= id=")|(?<=href="#)|(?<=url\(#)')


def _keyed(tag: str, key: str) -> str:
    return _ID.sub(f"{key}-", tag)


def save(figure: Figure, path: Path | str) -> Path:
    """Write the figure as `.svg` (light and dark in one), `.png` or `.pdf`."""
    path = Path(path)
    suffix = suffix_of(path, SUFFIXES, "draw a figure")
    if suffix == ".svg":
        path.write_text(standalone(svg(figure, "b")), encoding="utf-8", newline="\n")
        return path
    with style():
        figure.savefig(
            path,
            format=suffix[1:],
            dpi=160,
            facecolor=PAPER,
            metadata=_NO_METADATA[suffix],
        )
    return path


def standalone(element: str) -> str:
    """An SVG file that turns dark by itself where a browser shows it."""
    head, mark, rest = element.partition(">")
    header = '<?xml version="1.0" encoding="utf-8"?>\n'
    return f"{header}{head}{mark}\n<style>{dark_rules()}</style>{rest}\n"
