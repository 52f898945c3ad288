"""`bondline db pull` and `push`: models from library to library, and to folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.db_options import As, Name, Signer, Url, signers
from bondline.cli.files import short, writing
from bondline.cli.options import Json
from bondline.cli.voice import voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.library import Entry


def pull(
    ctx: typer.Context,
    name: Name,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="URL", help="Another library, to this one."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Its files, new folder."),
    ] = None,
    url: Url = None,
    who: As = None,
    signer: Signer = None,
    json: Json = False,
) -> None:
    """Take a model from another library, with its history and what it uses; or its
    files into a folder."""
    from bondline.library import Library, transfer
    from bondline.library.unpack import unpack

    mine, moved = voice(ctx), list["Entry"]()
    if source is None and output is None:
        raise UsageError(
            "bondline db pull", "nothing to do.", "Give --from URL, or -o FOLDER."
        )
    with Library(url, who, source is not None, signers(signer)) as library:
        if source is not None:
            with Library(source, who, signers=signers(signer)) as there:
                moved = transfer(there, library, name)
        if output is not None:
            with writing(output):
                unpack(library, name, output)
    told = [str(entry.reference) for entry in moved]
    lines = [f"pulled {', '.join(told) or 'nothing new'}"] if source else []
    lines += [f"files  {short(output)}"] if output else []
    mine.answer(
        {"pulled": told, "files": str(output) if output else None},
        lambda: mine.say("\n".join(lines)),
    )


def push(
    ctx: typer.Context,
    names: Annotated[
        list[str], typer.Argument(metavar="NAME[@VERSION]...", help="Which models.")
    ],
    to: Annotated[str, typer.Option("--to", metavar="URL", help="Another library.")],
    url: Url = None,
    who: As = None,
    json: Json = False,
) -> None:
    """Give models to another library, with their history and what they use."""
    from bondline.library import Library, transfer

    mine = voice(ctx)
    with Library(url, who) as library, Library(to, who, create=True) as there:
        moved = [e for name in names for e in transfer(library, there, name)]
    told = [str(entry.reference) for entry in moved]
    mine.answer(
        {"pushed": told},
        lambda: mine.say(f"pushed {', '.join(told) or 'nothing new'}"),
    )
