"""`bondline sweep`: many variants of a model, on as many workers as there are."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.duration import seconds
from bondline.cli.given import pairs
from bondline.cli.options import Json, Variant
from bondline.cli.stopping import listening
from bondline.cli.sweep_words import outcome, plain, watching
from bondline.cli.variant import chosen
from bondline.cli.voice import Voice, voice
from bondline.errors import Interrupted, UsageError

if TYPE_CHECKING:
    from bondline.sweep import Dask, Standing, Sweep

FAILED = 1  # some variants failed


def sweep(
    ctx: typer.Context,
    model: Annotated[
        Path | None,
        typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp."),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="LEAF.PARAM=VALUES",
            help="upper.mass=8..12kg:5, lower.length=1,2,3m, k=1..100N/m:3:log.",
        ),
    ] = None,
    sampler: Annotated[str, typer.Option(help="grid, lhs or sobol.")] = "grid",
    samples: Annotated[
        int | None, typer.Option(help="Variants of lhs and sobol.", min=1)
    ] = None,
    seed: Annotated[
        int, typer.Option(help="The same seed, the same variants.", min=0)
    ] = 0,
    results: Annotated[
        list[str] | None,
        typer.Option(
            "--result",
            metavar="SIGNAL[:KIND]",
            help="lower.com.x:max; final, min, max, absmax, mean, rms; repeatable.",
        ),
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="End of the runs: 3s. As in the model if none.")
    ] = None,
    step: Annotated[str | None, typer.Option(help="Length of a window: 10ms.")] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Worker processes here; one a core.", min=1)
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler: tls://host:8786."),
    ] = None,
    retries: Annotated[
        int, typer.Option(help="Of a variant whose worker was lost.", min=0)
    ] = 2,
    name: Annotated[str | None, typer.Option(help="Name of the sweep.")] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="SWEEP", help="Go on with a sweep.")
    ] = None,
    failed: Annotated[
        bool, typer.Option("--failed", help="Resume: what failed runs again, too.")
    ] = False,
    variant: Variant = None,
    placement: Annotated[
        Path | None, typer.Option("--placement", metavar="FILE", hidden=True)
    ] = None,
    no_progress: Annotated[
        bool, typer.Option("--no-progress", help="No progress bar.")
    ] = False,
    json: Json = False,
) -> None:
    """Run many variants of a model, or go on with a sweep.

    Every variant is a run like any other. Ctrl-C keeps what is done; --resume goes on
    with the rest. The exit code is 1 if some variants failed.
    """
    from bondline.sweep import Wanted, axis, begin_sweep, find_sweep, take_up

    mine = voice(ctx)
    if placement is not None:
        raise _no_partners(placement)
    if resume is not None:
        _refuse(model, sets)
        found = find_sweep(mine.sweeps, resume)
        take_up(found)  # before workers start: a cancel from here on counts
    else:
        wanted = Wanted(
            model=chosen(_required(model), variant),
            axes=[axis(n, text) for n, text in pairs(sets or []).items()],
            sampler=sampler,
            samples=samples,
            seed=seed,
            until=seconds("--until", until) if until else None,
            step=seconds("--step", step) if step else None,
            asked=results or [],
            retries=retries,
        )
        found = begin_sweep(mine.sweeps, mine.runs, wanted, name)
    pool = _pool(found, jobs, scheduler)
    standing = _carry(mine, found, pool, failed, not no_progress)
    _conclude(mine, found, standing)


def _no_partners(placement: Path) -> UsageError:
    """Why not: whoever expects it learns what to do instead."""
    return UsageError(
        f"--placement {placement}",
        "the workers of a sweep do not go to partners: every variant would have a "
        "session and budgets of theirs, and values of their parts are not ours to set.",
        "Make the variants one by one: for m in 8kg 10kg; do bondline run MODEL "
        f"--placement {placement} --set upper.mass=$m; done",
    )


def _required(model: Path | None) -> Path:
    if model is None:
        raise UsageError(
            "bondline sweep", "there is no model.", "Give a MODEL, or --resume SWEEP."
        )
    return model


def _refuse(model: Path | None, sets: list[str] | None) -> None:
    if model is not None or sets:
        raise UsageError(
            "--resume",
            "a resumed sweep keeps its model and its variants.",
            "Leave MODEL and --set away, or make a new sweep.",
        )


def _pool(
    found: Sweep, jobs: int | None, address: str | None
) -> AbstractContextManager[Dask]:
    import os

    from bondline.sweep import local, scheduler
    from bondline.sweep.record import PACKAGE

    if address is not None and jobs is not None:
        raise UsageError(
            "--jobs", "a scheduler has its own workers.", "Leave one of both away."
        )
    if address is not None:
        return scheduler(address, found.path / PACKAGE)
    return local(jobs or min(os.cpu_count() or 1, found.standing.total))


def _carry(
    mine: Voice,
    found: Sweep,
    pool: AbstractContextManager[Dask],
    failed: bool,
    progress: bool,
) -> Standing:
    from bondline.sweep import Watching, carry

    again = ("failed",) if failed else ()
    with (
        listening(mine) as stop,
        pool as workers,
        watching(mine, found, progress) as show,
    ):
        watch = Watching(show, stop)
        return carry(found, workers, mine.runs, watch, again, taken_up=True)


def _conclude(mine: Voice, found: Sweep, standing: Standing) -> None:
    """The table and the page, and what there is to say."""
    from bondline.sweep.page import write_page
    from bondline.sweep.table import write_table

    files = [
        write_table(found, found.path / "table.csv"),
        write_page(found, found.path / "report.html"),
    ]
    document = {**plain(standing), "files": [str(f.resolve()) for f in files]}
    mine.answer(document, lambda: outcome(mine, found, standing, files))
    if standing.status != "done":
        mine.note(f"go on with: bondline sweep --resume {found.id}")
        raise typer.Exit(Interrupted.exit_code)
    if standing.counts.get("failed"):
        raise typer.Exit(FAILED)
