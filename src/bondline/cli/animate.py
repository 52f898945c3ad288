"""`bondline animate`: the mechanism moving."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.files import short, writing
from bondline.cli.options import Json, RunName
from bondline.cli.voice import voice
from bondline.errors import UsageError


def animate(
    ctx: typer.Context,
    name: RunName = "latest",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="x.gif, x.mp4, x.glb or x.html.")
    ] = Path("animation.gif"),
    fps: Annotated[float, typer.Option(help="Pictures a second.")] = 25.0,
    speed: Annotated[
        float | None,
        typer.Option(help="0.5 is slow motion; 1 if nothing is said of a mechanism."),
    ] = None,
    color: Annotated[
        str, typer.Option(help="Of surfaces: parts, displacement, stress, plastic.")
    ] = "",
    scale: Annotated[
        float | None,
        typer.Option(help="Of surfaces: enlarges displacements; else chosen.", min=0.0),
    ] = None,
    view: Annotated[
        str, typer.Option(help="Of surfaces: iso, front, left, top, -60,20, …")
    ] = "iso",
    json: Json = False,
) -> None:
    """Show a run moving, as GIF, MP4 or GLB; a mechanism as HTML, too.

    Of surfaces about sixty pictures show the whole run, unless a speed is given.
    Mechanisms beside them are drawn, too, and nothing is enlarged then.
    """
    from bondline.report.animate import animate as draw
    from bondline.report.animate import animate_surfaces
    from bondline.run import find

    mine = voice(ctx)
    run = find(mine.runs, name)
    skins = run.skins()
    with writing(output):
        if skins:
            from bondline.report.camera import camera
            from bondline.report.meshes import Look
            from bondline.report.strings import strings_of

            seen, pace = (skins, run.seen()), (fps, speed)
            model, found = run.facts["model"], run.results()
            beside = strings_of(found.t, found.shapes, skins)
            look = Look(color, scale, camera(view))
            path = animate_surfaces(model, seen, output, pace, look, beside)
        else:
            _refuse(color, scale)
            path = draw(run.results(), output, fps, 1.0 if speed is None else speed)
    document = {"run": run.id, "file": str(path.resolve())}
    mine.answer(document, lambda: mine.say(f"wrote {short(path)}"))


def _refuse(color: str, scale: float | None) -> None:
    if color or scale is not None:
        raise UsageError(
            "bondline animate",
            "--color and --scale are for surfaces, and no part of the run shows one.",
            "Leave them out.",
        )
