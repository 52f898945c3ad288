"""`bondline certify`: how far off a run is, from runs with shorter windows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bondline.cli.duration import show
from bondline.cli.kept import kept_files
from bondline.cli.options import Json, Placement, RunName
from bondline.cli.partners import written_down
from bondline.cli.progress import watching
from bondline.cli.reach import reached
from bondline.cli.say import certificate_line
from bondline.cli.stopping import listening
from bondline.cli.voice import Voice, bold, dim, voice

if TYPE_CHECKING:
    from bondline.run import Certificate, Run


def certify(
    ctx: typer.Context,
    name: RunName = "latest",
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Repeat a run with h/2 and h/4; order and error of each signal.

    Two grids give an error only if the order is known; the third gives the order. Takes
    six times as long as the run. The result becomes part of its certificate.
    """
    from bondline.run import find

    mine = voice(ctx)
    run = find(mine.runs, name)
    told = certified(mine, run, placement=placement)
    mine.answer(
        {"run": run.id, "certificate": run.certificate}, lambda: _show(mine, run, told)
    )


def certified(
    mine: Voice, run: Run, progress: bool = True, placement: Path | None = None
) -> Certificate:
    """The certificate of a run, with what shorter windows say."""
    from bondline.run import Grid
    from bondline.run.refine import GRIDS, refine_run

    facts = run.facts
    start, steps = facts["start"], [facts["step"] / pieces for pieces in GRIDS]
    halves = ", ".join(show(step) for step in steps)
    mine.note(dim(f"certifying: the same run with windows of {halves}"))
    total = sum(Grid(start, h, run.summary.until).count(start) for h in steps)
    with (
        reached(mine, *kept_files(run), placement) as found,
        listening(mine, "leaving the run as it is") as stop,
        watching(mine, total, wanted=progress) as bar,
    ):
        written_down(found.elsewhere, run.path)
        return refine_run(run, found.opened.model, stop, bar)


def _show(mine: Voice, run: Run, told: Certificate) -> None:
    mine.say(f"{bold('certificate')} of {run.id}")
    for line in told.lines():
        mine.say(f"  {certificate_line(line, 2)}")
