"""`bondline sweeps`: what has been swept here."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.files import short
from bondline.cli.options import Json, SweepName
from bondline.cli.sweep_words import counts, failures, plain
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, voice

app = typer.Typer(
    help="List, show, tabulate and cancel sweeps.",
    invoke_without_command=True,
    rich_markup_mode=None,
)


@app.callback()
def sweeps(ctx: typer.Context, json: Json = False) -> None:
    """List the sweeps of the project, or do something with one of them."""
    if ctx.invoked_subcommand is None:
        _list(voice(ctx))


@app.command("list")
def list_sweeps(ctx: typer.Context, json: Json = False) -> None:
    """All sweeps, by name."""
    _list(voice(ctx))


def _list(mine: Voice) -> None:
    from bondline.sweep import all_sweeps

    found = [sweep.standing for sweep in all_sweeps(mine.sweeps)]

    def show() -> None:
        if not found:
            mine.say(f"no sweeps in {short(mine.sweeps)}; make one: bondline sweep")
            return
        rows = [(s.id, s.model, s.status, counts(s), s.created[:16]) for s in found]
        table(mine, ("sweep", "model", "status", "variants", "made (UTC)"), rows)

    mine.answer({"sweeps": [plain(s) for s in found]}, show)


@app.command("show")
def show(ctx: typer.Context, name: SweepName = "latest", json: Json = False) -> None:
    """Where a sweep stands, variant by variant; also while it runs."""
    from bondline.sweep import find_sweep

    mine = voice(ctx)
    sweep = find_sweep(mine.sweeps, name)
    standing, found = sweep.standing, sweep.variants()

    def say() -> None:
        mine.print(f"{bold(sweep.id)}  {standing.model}  {standing.status}")
        mine.print(f"  path     {short(sweep.path)}")
        mine.print(f"  variants {counts(standing)}")
        told = [" ".join(f"{k}={v}" for k, v in f.parameters.items()) for f in found]
        rows = [
            (str(f.k), f.status, text, f.run)
            for f, text in zip(found, told, strict=True)
        ]
        table(mine, ("variant", "status", "parameters", "run"), rows, 2)
        failures(mine, sweep)

    document = {
        **plain(standing),
        "facts": sweep.facts,
        "units": sweep.units,
        "variants": [asdict(f) for f in found],
    }
    mine.answer(document, say)


@app.command("table")
def write(
    ctx: typer.Context,
    name: SweepName = "latest",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="A .csv or a .parquet.")
    ] = Path("sweep.csv"),
    json: Json = False,
) -> None:
    """Write parameters, results and reasons of all variants as one table."""
    from bondline.sweep import find_sweep
    from bondline.sweep.table import write_table

    mine = voice(ctx)
    path = write_table(find_sweep(mine.sweeps, name), output)
    _wrote(mine, path)


@app.command("report")
def report(
    ctx: typer.Context,
    name: SweepName = "latest",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The page to write.")
    ] = Path("sweep.html"),
    json: Json = False,
) -> None:
    """Write an HTML page about a sweep: figures, failures, variants."""
    from bondline.sweep import find_sweep
    from bondline.sweep.page import write_page

    mine = voice(ctx)
    path = write_page(find_sweep(mine.sweeps, name), output)
    _wrote(mine, path)


def _wrote(mine: Voice, path: Path) -> None:
    mine.answer({"file": str(path.resolve())}, lambda: mine.say(f"wrote {short(path)}"))


@app.command("cancel")
def cancel(ctx: typer.Context, name: SweepName = "latest", json: Json = False) -> None:
    """Stop a sweep, whoever runs it; what is done is kept."""
    from bondline.sweep import cancel as ask
    from bondline.sweep import find_sweep

    mine = voice(ctx)
    sweep = find_sweep(mine.sweeps, name)
    ask(sweep)
    mine.answer(
        {"sweep": sweep.id, "cancelled": True},
        lambda: mine.say(f"asked {sweep.id} to stop"),
    )
