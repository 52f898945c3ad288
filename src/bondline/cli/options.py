"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[
    bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")
]
RunName = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="A run: its id, a piece of it, its path, or latest."
    ),
]
SweepName = Annotated[
    str,
    typer.Argument(
        metavar="SWEEP", help="A sweep: its id, a piece of it, its path, or latest."
    ),
]
Reference = Annotated[
    Path | None,
    typer.Option("--reference", metavar="CSV", help="A table to compare with."),
]
Variant = Annotated[
    str | None,
    typer.Option(
        "--variant",
        metavar="NAME",
        help="Another description of the folder or archive: Heavy for Heavy.ssd.",
    ),
]
Placement = Annotated[
    Path | None,
    typer.Option(
        "--placement", metavar="FILE", help="Which parts are at which partner's."
    ),
]
