"""`bondline certify`: how far off a run is, from runs with shorter windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from bondline.cli.duration import show
from bondline.cli.options import Json, RunName
from bondline.cli.progress import watching
from bondline.cli.say import certificate_line
from bondline.cli.stopping import listening
from bondline.cli.voice import Voice, bold, dim, voice

if TYPE_CHECKING:
    from bondline.run import Certificate, Run


def certify(ctx: typer.Context, name: RunName = "latest", json: Json = False) -> None:
    """Repeat a run with h/2 and h/4; order and error of each signal.

    Two grids give an error only if the order is known; the third gives the order. Takes
    six times as long as the run. The result becomes part of its certificate.
    """
    from bondline.run import find

    mine = voice(ctx)
    run = find(mine.runs, name)
    told = certified(mine, run)
    mine.answer(
        {"run": run.id, "certificate": run.certificate}, lambda: _show(mine, run, told)
    )


def certified(mine: Voice, run: Run, progress: bool = True) -> Certificate:
    """The certificate of a run, with what shorter windows say."""
    from bondline.build import Given, open_model
    from bondline.run import Grid
    from bondline.run.refine import GRIDS, refine_run
    from bondline.run.store import PACKAGE

    facts = run.facts
    given = Given.load(facts["settings"].get("given", {}))
    opened = open_model(run.path / PACKAGE, given)
    start, steps = facts["start"], [facts["step"] / pieces for pieces in GRIDS]
    halves = ", ".join(show(step) for step in steps)
    mine.note(dim(f"certifying: the same run with windows of {halves}"))
    total = sum(Grid(start, h, run.summary.until).count(start) for h in steps)
    with (
        listening(mine, "leaving the run as it is") as stop,
        watching(mine, total, wanted=progress) as bar,
    ):
        return refine_run(run, opened.model, stop, bar)


def _show(mine: Voice, run: Run, told: Certificate) -> None:
    mine.say(f"{bold('certificate')} of {run.id}")
    for line in told.lines():
        mine.say(f"  {certificate_line(line, 2)}")
