"""`bondline check`: everything that is wrong with a model, with its place."""

from __future__ import annotations

import json as _json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline import __version__
from bondline.cli.options import Json, Placement, Variant
from bondline.cli.partners import Where, partners, slips
from bondline.cli.say import count
from bondline.cli.variant import chosen
from bondline.cli.voice import Voice, bold, columns, dim, fit, green, red, voice, yellow
from bondline.errors import DescriptionError, UsageError, did_you_mean, plain

if TYPE_CHECKING:
    from bondline.description import Problem
    from bondline.remote.client.placement import Place

FORMATS = ("text", "json", "sarif")


@dataclass(frozen=True)
class Examined:
    """What a check found, and the lines it may quote."""

    path: Path
    problems: Sequence[Problem]
    contents: Mapping[str, bytes]
    took: float
    notes: Sequence[str] = ()

    def number(self, severity: str) -> int:
        """How many problems of that severity."""
        return sum(p.severity == severity for p in self.problems)


def check(
    ctx: typer.Context,
    model: Annotated[
        Path | None,
        typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Warnings count as errors.")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", help="text, json or sarif.")
    ] = "text",
    explain: Annotated[
        str | None, typer.Option(metavar="CODE", help="What a code means: BND012.")
    ] = None,
    variant: Variant = None,
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Find all problems of a model file.

    The exit code is 1 if there are errors.
    """
    mine = voice(ctx)
    if explain:
        _explain(mine, explain)
        return
    if form not in FORMATS:
        raise UsageError(
            "--format", f"no format {form!r}.", did_you_mean(form, FORMATS)
        )
    found = _examine(mine, chosen(model, variant), placement)
    bad = found.number("error") > 0 or (strict and bool(found.problems))
    if form == "sarif":
        typer.echo(_json.dumps(sarif(found.problems), indent=2))
    elif form == "json" and not mine.json:
        typer.echo(_json.dumps(_document(found, bad), indent=2))
    else:
        mine.answer(_document(found, bad), lambda: _show(mine, found))
    if bad:
        raise typer.Exit(1)


def _examine(mine: Voice, model: Path | None, placement: Path | None) -> Examined:
    from bondline.build import catalogue, deck_notes, rehearse, require
    from bondline.description import Problem, load

    if model is None:
        raise UsageError("bondline check", "there is no model.", "Give a MODEL.")
    require(model)
    began = time.monotonic()
    places = _places(placement)
    wrong = slips([model], places)
    asked = None if wrong else placement  # first the file has to be right
    try:
        with partners(Where(asked, model=model), mine) as elsewhere:
            spec, problems = rehearse(model, elsewhere, places)
    except DescriptionError as told:  # of the placement: a partner has no such model
        wrong = [p for p in told.problems if isinstance(p, Problem)]
        if not wrong:
            raise
        spec, problems = rehearse(model, {}, places)
    problems = [*problems, *wrong]
    took = time.monotonic() - began
    read = load(model, catalogue().library).contents
    if wrong and placement is not None:
        read = {**read, str(placement): placement.read_bytes()}
    return Examined(model, problems, read, took, deck_notes(spec))


def _places(placement: Path | None) -> Mapping[str, Place]:
    """What the placement file says, also where it is wrong about parts."""
    if placement is None:
        return {}
    from bondline.remote.client.placement import read_placement

    return read_placement(placement)


def _document(found: Examined, bad: bool) -> dict[str, Any]:
    return {
        "model": str(found.path),
        "ok": not bad,
        "errors": found.number("error"),
        "warnings": found.number("warning"),
        "files": sorted(found.contents),
        "problems": [plain(p) for p in found.problems],
        "notes": list(found.notes),
    }


def _show(mine: Voice, found: Examined) -> None:
    for problem in found.problems:
        show_problem(mine, problem, found.contents)
    for note in found.notes:
        mine.say(f"{dim('note')}  {fit(note, 6)}")
    errors, warnings = found.number("error"), found.number("warning")
    words = f"{count(errors, 'error')}, {count(warnings, 'warning')}"
    paint = red if errors else yellow if warnings else green
    files = count(len(found.contents), "file")
    mine.print(f"{paint(words)} in {files} ({found.took:.2f} s)")


def show_problem(mine: Voice, p: Problem, contents: Mapping[str, bytes]) -> None:
    """One problem as a compiler would tell it."""
    word = red("error") if p.fatal else yellow(p.severity)
    lead = len(f"{p.where}  {p.severity} {p.code}  ")
    mine.print(f"{bold(str(p.where))}  {word} {p.code}  {fit(p.finding, 4, lead)}")
    line = _quoted(p, contents, (columns() or 110) - 9)
    if line:
        mine.print(dim(f"{p.where.line:6} | {line}"))
    more = f"(bondline check --explain {p.code})"
    mine.print(f"    {dim('help:')} {fit(f'{p.remedy}   {more}', 10)}")


def _quoted(p: Problem, contents: Mapping[str, bytes], width: int) -> str:
    """The line that a problem points at, shortened."""
    for name, data in contents.items():
        if p.where.line and f"/{p.where.file}".endswith(f"/{name}"):
            lines = data.decode("utf-8", "replace").splitlines()
            if p.where.line <= len(lines):
                text = lines[p.where.line - 1].rstrip()
                return text if len(text) <= width else f"{text[: width - 1]}…"
    return ""


def sarif(problems: Sequence[Problem]) -> dict[str, Any]:
    """The problems in the format that code hosts and editors read."""
    from bondline.description import CODES

    told = [CODES[code] for code in sorted({p.code for p in problems})]
    rules = [{"id": c.code, "shortDescription": {"text": c.title}} for c in told]
    driver = {"name": "bondline", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {"tool": {"driver": driver}, "results": [_result(p) for p in problems]}
        ],
    }


def _result(p: Problem) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": Path(p.where.file).as_posix()}}
    if p.where.line:
        place["region"] = {
            "startLine": p.where.line,
            "startColumn": max(p.where.column, 1),
        }
    return {
        "ruleId": p.code,
        "level": "error" if p.fatal else "warning",
        "message": {"text": f"{p.finding} {p.remedy}"},
        "locations": [{"physicalLocation": place}],
    }


def _explain(mine: Voice, code: str) -> None:
    from bondline.description import explain

    text = explain(code).rstrip()
    mine.answer({"code": code.upper(), "text": text}, lambda: mine.print(text))
