"""`bondline leaf test`: the conformance kit."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli import serve
from bondline.cli.duration import seconds, show
from bondline.cli.given import pairs
from bondline.cli.options import Json, Placement
from bondline.cli.partners import partners, where_of
from bondline.cli.say import count
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, dim, green, red, voice, yellow
from bondline.errors import document

if TYPE_CHECKING:
    from bondline.core import Model
    from bondline.testing import Finding, Report

app = typer.Typer(
    help="Try a leaf before it is glued; serve it to partners.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_PAINT = {"passed": green, "failed": red, "hint": yellow, "skipped": dim}


@app.callback()
def leaf() -> None:
    """Try a leaf before it is glued; serve it to partners."""


app.command("serve")(serve.serve)
app.command("pipe", hidden=True)(serve.pipe)


@app.command("test")
def try_out(
    ctx: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="LEAF",
            help="A kind (chain), MODEL:part, MODEL, or module:maker of your own.",
        ),
    ],
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter, with its unit."),
    ] = None,
    window: Annotated[
        str, typer.Option("--window", metavar="TIME", help="Length of a window.")
    ] = "10ms",
    windows: Annotated[
        int, typer.Option("--windows", min=3, help="How many of them.")
    ] = 5,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the loads.")] = 0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Hints count as failures.")
    ] = False,
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Find out whether a leaf does what it declares.

    Ports, repeatability, rollback, determinism, restart, units of its rates, energy,
    linearise against differences, and what else it can do. The exit code is 33 if it
    does not.
    """
    from bondline.build.single import single
    from bondline.testing import check_leaf

    mine, h = voice(ctx), seconds("--window", window)
    given = pairs(set_ or ())
    where = where_of(target, placement, mine, given)
    with ExitStack() as lines:

        def elsewhere() -> Mapping[str, Model]:
            return lines.enter_context(partners(where, mine))

        found = single(target, given, elsewhere)
        report = check_leaf(found.leaf, h, windows, seed, found.make, strict)
    error = report.error
    told = document(error) if error else {}
    mine.answer(
        {**_document(report, target, h), **told}, lambda: _show(mine, report, h)
    )
    if error is not None and mine.json:
        raise typer.Exit(error.exit_code)
    report.raise_if_failed()


def _document(report: Report, target: str, h: float) -> dict[str, Any]:
    return {
        "leaf": report.leaf,
        "target": target,
        "window": h,
        "ok": not report.failed,
        "findings": [f.plain() for f in report.findings],
    }


def _show(mine: Voice, report: Report, h: float) -> None:
    mine.say(f"{bold(report.leaf)}   windows of {show(h)}")
    rows = [_row(f) for f in report.findings]
    table(mine, ("check", "verdict", "measured", "allowed", "what"), rows)
    numbers = {
        verdict: sum(f.verdict == verdict for f in report.findings)
        for verdict in _PAINT
    }
    words = [f"{n} {verdict}" for verdict, n in numbers.items() if verdict != "hint"]
    mine.say(f"{', '.join(words)}, {count(numbers['hint'], 'hint')}")


def _row(f: Finding) -> tuple[str, ...]:
    what = f"{f.quantity}: {f.words}" if f.quantity else f.words
    return (f.check, _PAINT[f.verdict](f.verdict), *_numbers(f), what)


def _numbers(f: Finding) -> tuple[str, str]:
    measured, allowed = (
        "" if x is None else f"{x:.2g}" for x in (f.measured, f.allowed)
    )
    return measured, allowed
