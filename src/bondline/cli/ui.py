"""`bondline ui`: the page that shows models and runs."""

from __future__ import annotations

from typing import Annotated

import typer

from bondline.cli.files import short
from bondline.cli.options import Json
from bondline.cli.voice import bold, dim, voice


def ui(
    ctx: typer.Context,
    port: Annotated[
        int, typer.Option(help="Where to listen; 0 takes any.", min=0, max=65535)
    ] = 8765,
    show: Annotated[
        bool, typer.Option("--open", help="Open it in the browser.")
    ] = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Look, but start and change nothing.")
    ] = False,
    json: Json = False,
) -> None:
    """Serve a page with the models and runs of the project.

    Only this machine can reach it, and only with the link that is printed. Runs that
    are started there are processes of their own: they go on when the page is closed.
    """
    from bondline.web.guard import Door
    from bondline.web.serve import serve

    mine = voice(ctx)

    def ready(url: str) -> None:
        def tell() -> None:
            mine.say(f"{bold('bondline ui')}  {short(mine.project)}")
            mine.print(url)
            mine.say(dim("works once, for 15 minutes; Ctrl-C ends the page, not runs"))

        mine.answer({"url": url}, tell)
        if show:
            typer.launch(url)

    serve(mine.project, Door(port=port, read_only=read_only), ready)
