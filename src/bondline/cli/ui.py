"""`bondline ui`: the page that shows models and runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.files import short
from bondline.cli.options import Json
from bondline.cli.voice import Voice, bold, dim, voice
from bondline.errors import UsageError


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
    folder = voice(ctx).project
    if not folder.is_dir():
        raise UsageError(
            f"--project {folder}", "there is no such folder.", "Give one that is there."
        )
    _serve(voice(ctx), folder, (port, read_only), "" if show else None)


def show_page(mine: Voice, folder: Path, run: str) -> None:
    """Serve the page over `folder`, with a run that plays, until Ctrl-C."""
    _serve(mine, folder, (0, False), f"#/results/{run}?play")


def _serve(
    mine: Voice, folder: Path, door: tuple[int, bool], opened: str | None
) -> None:
    """`opened` is the place on the page that the browser shows; None: no browser."""
    from bondline.web.guard import Door
    from bondline.web.serve import serve

    def ready(url: str) -> None:
        def tell() -> None:
            mine.say(f"{bold('bondline ui')}  {short(folder)}")
            mine.print(f"{url}{opened or ''}")
            mine.say(dim("works once, for 15 minutes; Ctrl-C ends the page, not runs"))

        mine.answer({"url": url}, tell)
        sys.stdout.flush()  # somebody may read it from a pipe
        if opened is not None:
            typer.launch(f"{url}{opened}")

    port, read_only = door
    serve(folder, Door(port=port, read_only=read_only), ready)
