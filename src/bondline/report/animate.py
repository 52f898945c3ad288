"""Animations of a run, written where the caller says."""

from __future__ import annotations

from pathlib import Path

from bondline.report.scene import scene
from bondline.report.suffix import suffix_of
from bondline.run.results import Results

SUFFIXES = (".gif", ".html")


def animate(
    results: Results, path: Path | str, fps: float = 25.0, speed: float = 1.0
) -> Path:
    """Write the mechanism moving as `.gif` or as a self-contained `.html`.

    `fps` pictures a second; `speed` 0.5 is slow motion.
    """
    path = Path(path)
    suffix = suffix_of(path, SUFFIXES, "animate")
    seen = scene(results)
    if suffix == ".gif":
        from bondline.report.gif import gif

        path.write_bytes(gif(seen, results.model, fps, speed))
        return path
    from bondline.report.player import player

    page = player(seen, results.model, fps, speed)
    path.write_text(page, encoding="utf-8", newline="\n")
    return path
