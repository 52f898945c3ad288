"""Animations of a run, written where the caller says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.core import Skin
from bondline.errors import UsageError
from bondline.report.scene import scene
from bondline.report.suffix import suffix_of
from bondline.run.results import Results
from bondline.run.skins import Seen

if TYPE_CHECKING:
    from bondline.report.meshes import Look
    from bondline.report.strings import Strings

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


def animate_surfaces(
    title: str,
    surfaces: tuple[Mapping[str, Skin], Sequence[Seen]],
    path: Path | str,
    pace: tuple[float, float | None] = (25.0, None),
    look: Look | None = None,
    strings: Strings | None = None,
) -> Path:
    """Write surfaces moving as `.gif`; see `mesh_gif` for `pace` and `strings`."""
    path = Path(path)
    if suffix_of(path, SUFFIXES, "animate") != ".gif":
        raise UsageError(
            str(path), "surfaces are animated as a GIF only.", "Write to a .gif."
        )
    from bondline.report.mesh_gif import mesh_gif
    from bondline.report.meshes import Look

    path.write_bytes(mesh_gif(title, *surfaces, look or Look(), pace, strings))
    return path
