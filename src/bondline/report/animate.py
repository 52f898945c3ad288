"""Animations of a run, written where the caller says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bondline.core import Skin
from bondline.errors import UsageError
from bondline.report.scene import scene
from bondline.report.suffix import suffix_of
from bondline.run.results import Results
from bondline.run.skins import Seen

if TYPE_CHECKING:
    from bondline.report.meshes import Look
    from bondline.report.strings import Strings

SUFFIXES = (".gif", ".html", ".glb", ".mp4")
_PICTURES = (".gif", ".mp4")


def animate(
    results: Results, path: Path | str, fps: float = 25.0, speed: float = 1.0
) -> Path:
    """Write the mechanism moving: `.gif`, `.mp4`, `.glb` or a self-contained `.html`.

    `fps` pictures a second; `speed` 0.5 is slow motion.
    """
    path = Path(path)
    suffix = suffix_of(path, SUFFIXES, "animate")
    seen = scene(results)
    if suffix == ".glb":
        from bondline.report.glb import glb

        path.write_bytes(glb(results.model, (results.t, results.shapes), ({}, ())))
        return path
    if suffix in _PICTURES:
        from bondline.report.gif import gif

        return _written(path, gif(seen, results.model, fps, speed))
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
    """Write surfaces moving as `.gif`, `.mp4` or `.glb`.

    See `mesh_gif` for `pace` and `strings`; a GLB has neither pace nor colours.
    """
    path = Path(path)
    suffix = suffix_of(path, SUFFIXES, "animate")
    if suffix == ".html":
        raise UsageError(
            str(path),
            "surfaces are not animated as HTML.",
            "Write to .gif, .mp4 or .glb; `bondline ui` shows them, too.",
        )
    from bondline.report.meshes import Look

    if suffix == ".glb":
        path.write_bytes(_solid(title, surfaces, look or Look(), strings))
        return path
    from bondline.report.mesh_gif import mesh_gif

    moving = mesh_gif(title, *surfaces, look or Look(), pace, strings)
    return _written(path, moving)


def _solid(
    title: str,
    surfaces: tuple[Mapping[str, Skin], Sequence[Seen]],
    look: Look,
    strings: Strings | None,
) -> bytes:
    from bondline.report.glb import glb
    from bondline.report.meshes import largest, size_of
    from bondline.report.render import check_seen, natural_scale

    skins, seen = surfaces
    check_seen(title, skins)
    scale = look.scale
    if scale is None:
        still = strings is not None or not seen
        scale = 1.0 if still else natural_scale(skins, size_of(largest(seen).parts))
    lines = (strings.t, strings.lines) if strings is not None else (np.zeros(0), {})
    return glb(title, lines, surfaces, scale)


def _written(path: Path, moving: bytes) -> Path:
    if path.suffix.lower() == ".mp4":
        from bondline.report.video import as_mp4

        return as_mp4(moving, path)
    path.write_bytes(moving)
    return path
