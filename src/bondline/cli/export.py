"""`bondline export`: the signals of a run for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.files import short
from bondline.cli.options import Json, RunName
from bondline.cli.voice import Voice, voice
from bondline.errors import UsageError, did_you_mean

FORMATS = ("csv", "vtkhdf")


def export(
    ctx: typer.Context,
    name: RunName = "latest",
    to: Annotated[str, typer.Option("--to", help="Format: csv or vtkhdf.")] = "csv",
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="A file, or - for stdout; of vtkhdf a folder."
        ),
    ] = "-",
    json: Json = False,
) -> None:
    """Write a run for other programs.

    As CSV its signals: one row an instant, t first; numbers read back to the same
    bits. As VTKHDF the surfaces that parts show, over time: one file a part.
    """
    from bondline.run import csv_lines, find, write_csv

    mine = voice(ctx)
    if to not in FORMATS:
        raise UsageError("--to", f"no format {to!r}.", did_you_mean(to, FORMATS))
    if to == "vtkhdf":
        _surfaces(mine, name, output)
        return
    if output == "-":
        _refuse_json(mine)
    results = find(mine.runs, name).results()
    if output == "-":
        for line in csv_lines(results):
            typer.echo(line)
        return
    path = write_csv(results, Path(output))
    document = {
        "run": results.run,
        "file": str(path.resolve()),
        "format": to,
        "signals": list(results.signals),
        "rows": len(results.t),
    }
    mine.answer(
        document, lambda: mine.say(f"wrote {short(path)} ({len(results.t)} rows)")
    )


def _surfaces(mine: Voice, name: str, output: str) -> None:
    from bondline.export import write_vtkhdf
    from bondline.run import find

    run = find(mine.runs, name)
    folder = Path(f"{run.id}-vtkhdf" if output == "-" else output)
    skins, seen = run.skins(), run.seen()
    paths = write_vtkhdf(f"run {run.id}", skins, seen, folder)
    document = {
        "run": run.id,
        "folder": str(folder.resolve()),
        "format": "vtkhdf",
        "files": [path.name for path in paths],
        "instants": len(seen),
    }
    words = f"wrote {len(paths)} files to {short(folder)} ({len(seen)} instants)"
    mine.answer(document, lambda: mine.say(words))


def _refuse_json(mine: Voice) -> None:
    if mine.json:
        raise UsageError(
            "--json",
            "stdout cannot hold the table and a JSON document.",
            "Give a file: -o signals.csv.",
        )
