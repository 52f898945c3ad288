"""The mechanism moving, as one HTML page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib import resources

import numpy as np

from bondline.core import Matrix
from bondline.report.frames import frame_times
from bondline.report.palette import DARK, GRID, INK, MUTED, PAPER
from bondline.report.scene import Scene
from bondline.report.words import clean

_NOTHING = "default-src 'none'; style-src 'unsafe-inline'"


def player(seen: Scene, title: str, fps: float, speed: float) -> str:
    """A page with play, slider and speed; space and arrows work, and so does offline.

    `speed` is where the speed starts; it can be changed on the page.
    """
    moving = seen.at(frame_times(seen.t, fps, speed))
    script = _part("player.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    filled = {
        "CSP": f"{_NOTHING}; script-src 'sha256-{digest}'",
        "TITLE": html.escape(clean(title)),
        "STYLE": _colors() + _part("player.css"),
        "DATA": _data(moving, fps, speed),
        "SCRIPT": script,
    }
    # Filled in one pass, so that a title that looks like a slot stays a title.
    pieces = _part("player.html").split("%%")
    return "".join(
        filled.get(piece, piece) if k % 2 else piece for k, piece in enumerate(pieces)
    )


def _part(name: str) -> str:
    return (resources.files("bondline.report") / "page" / name).read_text("utf-8")


def _colors() -> str:
    inks = {"ink": INK, "muted": MUTED, "grid": GRID, "paper": PAPER}
    light = "".join(f"--{name}:{color};" for name, color in inks.items())
    dark = "".join(f"--{name}:{DARK[color]};" for name, color in inks.items())
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def _data(moving: Scene, fps: float, speed: float) -> str:
    """The scene as JSON that cannot end the element it stands in."""
    data = {
        "fps": fps,
        "speed": speed,
        "box": moving.box,
        "t": _short(moving.t),
        "parts": [
            {"name": n, "light": c, "dark": DARK[c], "points": _short(moving.parts[n])}
            for n, c in moving.colors.items()
        ],
        "joints": _short(moving.joints),
        "tips": _short(moving.tips),
        "supports": _short(moving.supports),
    }
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _short(values: Matrix) -> object:
    """Six digits of the largest are more than a screen can show."""
    finite = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    largest = float(np.max(np.abs(finite), initial=1e-9))
    decimals = max(0, 6 - int(np.floor(np.log10(largest))))
    return np.round(finite, decimals).tolist()
