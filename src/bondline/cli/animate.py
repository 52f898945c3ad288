"""`bondline animate`: the mechanism moving."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.files import short, writing
from bondline.cli.options import Json, RunName
from bondline.cli.voice import voice


def animate(
    ctx: typer.Context,
    name: RunName = "latest",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="x.gif or x.html.")
    ] = Path("animation.gif"),
    fps: Annotated[float, typer.Option(help="Pictures a second.")] = 25.0,
    speed: Annotated[float, typer.Option(help="0.5 is slow motion.")] = 1.0,
    json: Json = False,
) -> None:
    """Show the mechanism moving, as GIF or HTML."""
    from bondline.report.animate import animate as draw
    from bondline.run import find

    mine = voice(ctx)
    results = find(mine.runs, name).results()
    with writing(output):
        path = draw(results, output, fps, speed)
    document = {"run": results.run, "file": str(path.resolve())}
    mine.answer(document, lambda: mine.say(f"wrote {short(path)}"))
