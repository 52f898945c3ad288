"""Options that the commands of the library share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Name = Annotated[
    str, typer.Argument(metavar="NAME[@VERSION]", help="A model: rail, rail@3.")
]
Url = Annotated[
    str | None,
    typer.Option(
        "--url", metavar="URL", help="The library: a folder, sqlite:/// or postgresql."
    ),
]
As = Annotated[
    str | None,
    typer.Option("--as", metavar="WHO", help="Who you are; else BONDLINE_USER, login."),
]
Signer = Annotated[
    list[Path] | None,
    typer.Option(
        "--signer", metavar="FILE.pub", help="Only what this key signed; repeatable."
    ),
]


def signers(given: list[Path] | None) -> tuple[str, ...] | None:
    """The keys in those files; None: as the environment says."""
    from bondline.library import read_signers

    return read_signers(given) if given else None
