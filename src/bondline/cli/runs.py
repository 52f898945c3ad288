"""`bondline runs`: what has been run here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.called import called
from bondline.cli.files import human_size, short, size_of, writing
from bondline.cli.options import Json, RunName
from bondline.cli.say import certificate, certificate_line
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, dim, green, red, voice, yellow
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.run import Run, Summary

app = typer.Typer(
    help="List, show and remove runs.",
    invoke_without_command=True,
    rich_markup_mode=None,
)


@app.callback()
def runs(ctx: typer.Context, json: Json = False) -> None:
    """List the runs of the project, or do something with one of them."""
    if ctx.invoked_subcommand is None:
        _list(voice(ctx), None)


@app.command("list")
def list_runs(
    ctx: typer.Context,
    last: Annotated[
        int | None, typer.Option(help="Only so many, the newest.", min=1)
    ] = None,
    json: Json = False,
) -> None:
    """All runs, the newest last."""
    _list(voice(ctx), last)


def _list(mine: Voice, last: int | None) -> None:
    from bondline.run import summaries

    good, bad = summaries(mine.runs)
    good = good[-last:] if last else good
    document = {
        "runs": [_plain(s) for s in good],
        "unreadable": [{"place": e.place, "finding": e.finding} for e in bad],
    }
    mine.answer(document, lambda: _show_list(mine, good))
    for error in bad:
        mine.note(f"{yellow('warning')}  {error.place}: {error.finding}")


def _show_list(mine: Voice, good: list[Summary]) -> None:
    if not good:
        mine.say(f"no runs in {short(mine.runs)}; make one: {called()} run MODEL")
        return
    rows = [(s.id, s.model, _status(s), _reach(s), s.created[:16]) for s in good]
    table(mine, ("run", "model", "status", "reached", "made (UTC)"), rows)


def _status(s: Summary) -> str:
    paint = {"done": green, "failed": red}.get(s.status, yellow)
    return paint(s.status)


def _reach(s: Summary) -> str:
    return f"{0.0 if s.t is None else s.t:.6g} of {s.until:.6g} s"


def _plain(s: Summary) -> dict[str, Any]:
    return {**asdict(s), "path": str(s.path)}


@app.command("show")
def show(ctx: typer.Context, name: RunName = "latest", json: Json = False) -> None:
    """Status, settings, certificate and events of one run."""
    from bondline.run import find

    mine = voice(ctx)
    found = find(mine.runs, name)
    facts, size = found.facts, size_of(found.path)
    document = {
        **_plain(found.summary),
        "size": size,
        "facts": facts,
        "certificate": found.certificate,
        "events": [asdict(e) for e in found.events],
    }
    mine.answer(document, lambda: describe(mine, found))


def describe(mine: Voice, found: Run) -> None:
    """The run on one page."""
    s, facts = found.summary, found.facts
    mine.print(f"{bold(s.id)}  {s.model}  {_status(s)}  {s.message}".rstrip())
    mine.print(f"  path     {short(s.path)} ({human_size(size_of(s.path))})")
    mine.print(f"  made     {s.created[:19]} UTC")
    mine.print(f"  reached  {_reach(s)}, {s.windows or 0} windows")
    mine.print(f"  sha-256  {s.sha256 or 'none yet'}")
    for key, value in _flat(facts["settings"], facts["step"]):
        mine.print(f"  {key:22} {value}")
    if found.certificate:
        for line in certificate(found).lines():
            mine.print(f"  {certificate_line(line, 2)}")
    for event in found.events:
        mine.print(dim(f"  {event.at[:19]}  {event.kind}: {event.text}"))


def _flat(settings: dict[str, Any], step: float) -> Iterator[tuple[str, Any]]:
    """Every setting with its full name, then the parameters."""
    parameters = settings.get("parameters", {})
    others = {k: v for k, v in settings.items() if k != "parameters"}
    yield "step", f"{step:g} s"
    yield from _rows(others, "")
    yield from parameters.items()


def _rows(tree: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _rows(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


@app.command("path")
def path(ctx: typer.Context, name: RunName = "latest", json: Json = False) -> None:
    """Where a run is, for use in scripts."""
    from bondline.run import find

    mine = voice(ctx)
    found = find(mine.runs, name).path.resolve()
    mine.answer({"path": str(found)}, lambda: mine.print(str(found)))


@app.command("rm")
def rm(
    ctx: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="RUN...", help="Which runs.")],
    json: Json = False,
) -> None:
    """Remove runs for good."""
    from bondline.run import find

    mine = voice(ctx)
    found = list(dict.fromkeys(find(mine.runs, name) for name in names))
    for run in found:
        _refuse_if_written(run)
    for run in found:
        with writing(run.path):
            shutil.rmtree(run.path)
    gone = [run.id for run in found]
    mine.answer({"removed": gone}, lambda: mine.say(f"removed {', '.join(gone)}"))


def _refuse_if_written(run: Run) -> None:
    from bondline.run.lock import is_held

    if is_held(run.path):
        raise UsageError(
            run.id, "a process is writing this run.", "Stop it first, with Ctrl-C."
        )
