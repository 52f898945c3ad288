"""`bondline compare`: how far a run is from another one, or from a table."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.options import Json, Reference
from bondline.cli.tables import table
from bondline.cli.voice import Voice, dim, green, red, voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.run import Comparison, Difference, Results, Table


def compare(
    ctx: typer.Context,
    a: Annotated[str, typer.Argument(metavar="A", help="A run.")],
    b: Annotated[
        str | None,
        typer.Argument(metavar="B", help="The run to compare with, or FILE.csv."),
    ] = None,
    reference: Reference = None,
    rtol: Annotated[
        float, typer.Option(help="Allowed part of the largest reference value.", min=0)
    ] = 1e-3,
    atol: Annotated[float, typer.Option(help="Allowed in any case.", min=0)] = 1e-6,
    signals: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Which signals; repeatable. All if none."),
    ] = None,
    maps: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="OURS=THEIRS", help="Other names; repeatable."),
    ] = None,
    json: Json = False,
) -> None:
    """Compare a run with another, or with a CSV file.

    The exit code is 1 if a signal is out of tolerance.
    """
    from bondline.run import Tolerance, find
    from bondline.run import compare as measure

    mine = voice(ctx)
    results = find(mine.runs, a).results()
    other, name = _other(mine, b, reference)
    found = measure(
        results,
        other,
        Tolerance(rtol, atol),
        signals=signals or (),
        names=_names(maps or []),
    )
    if found.instants == 1 and found.skipped:
        raise UsageError(
            f"run {results.run}",
            f"of the {1 + found.skipped} instants of {name} it has one, its start.",
            "Run it to its end first; `bondline runs` says how it ended.",
        )
    document = _document(results.run, name, found)
    mine.answer(document, lambda: _show(mine, found, results.units))
    if not found.ok:
        raise typer.Exit(1)


def _other(
    mine: Voice, b: str | None, reference: Path | None
) -> tuple[Results | Table, str]:
    from bondline.run import find, read_csv

    if (b is None) == (reference is None):
        raise UsageError(
            "bondline compare",
            "there must be one thing to compare with.",
            "Give a second run, or --reference FILE.csv.",
        )
    if b is not None and b.lower().endswith(".csv"):
        reference = Path(b)
    if reference is not None:
        return read_csv(reference), str(reference)
    results = find(mine.runs, b or "").results()
    return results, results.run


def _names(maps: list[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in maps]
    for text, (ours, _, theirs) in zip(maps, pairs, strict=True):
        if not (ours and theirs):
            raise UsageError(
                f"--map {text}",
                "this is not a pair of names.",
                "Write OURS=THEIRS, for example --map joint.A.Fx=fx.",
            )
    return {ours: theirs for ours, _, theirs in pairs}


def _document(run: str, name: str, found: Comparison) -> dict[str, Any]:
    rows = [{**asdict(d), "ok": d.ok} for d in found.differences]
    return {
        "run": run,
        "reference": name,
        "ok": found.ok,
        "instants": found.instants,
        "skipped": found.skipped,
        "signals": rows,
        "alone": list(found.alone),
    }


def _show(mine: Voice, found: Comparison, units: dict[str, str] | Any) -> None:
    rows = [_row(d, units.get(d.signal, "")) for d in found.differences]
    head = ("signal", "max |d|", "at t", "rms", "allowed", "verdict")
    table(mine, head, rows)
    out = sum(not d.ok for d in found.differences)
    count = len(found.differences)
    words = f"{out} of {count} out of tolerance" if out else f"all {count} agree"
    mine.print(f"{red(words) if out else green(words)}, {found.instants} instants")
    if found.skipped:
        mine.print(dim(f"{found.skipped} instants lie outside the run"))
    if found.alone:
        mine.print(dim(f"not compared: {', '.join(found.alone)}"))


def _row(d: Difference, unit: str) -> tuple[str, ...]:
    verdict = green(d.verdict) if d.ok else red(d.verdict)
    sizes = [f"{x:.3g} {unit}".strip() for x in (d.largest, d.rms, d.allowed)]
    return d.signal, sizes[0], f"{d.at:.4g} s", sizes[1], sizes[2], verdict
