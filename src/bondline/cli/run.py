"""`bondline run`: from a model file to a stored run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.certify import certified
from bondline.cli.drive import Order, begin, go_on
from bondline.cli.duration import seconds
from bondline.cli.given import pairs
from bondline.cli.options import Json, Placement, Variant
from bondline.cli.say import outcome, summary
from bondline.cli.variant import chosen
from bondline.cli.voice import voice
from bondline.errors import UsageError

SCHEMES = "constant/e, linear-discontinuous/e,v, quadratic-discontinuous/e,v,a, ..."
SOLVERS = "newton, broyden, bfgs, iqn-ils, anderson, aitken, relaxation, ..."


def run(
    ctx: typer.Context,
    model: Annotated[
        Path | None,
        typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="End of the run: 3s. As in the model if none.")
    ] = None,
    step: Annotated[str | None, typer.Option(help="Length of a window: 10ms.")] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="LEAF.PARAM=VALUE", help="upper.mass=12kg; repeatable."
        ),
    ] = None,
    coupling: Annotated[str | None, typer.Option(help="auto, T-T, X-X or X-T.")] = None,
    scheme: Annotated[str | None, typer.Option(help=SCHEMES)] = None,
    solver: Annotated[str | None, typer.Option(help=SOLVERS)] = None,
    tol: Annotated[
        float | None, typer.Option(help="Largest residual of the scheme, m.")
    ] = None,
    max_iter: Annotated[
        int | None, typer.Option(help="Corrections a window.", min=1)
    ] = None,
    refresh: Annotated[
        str | None, typer.Option(help="window, lagged, paper, contraction or never.")
    ] = None,
    update: Annotated[str | None, typer.Option(help="broyden, bfgs or none.")] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="Size of a probe, relative to the force.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Parts that advance side by side.", min=1)
    ] = None,
    adaptive: Annotated[
        float | None,
        typer.Option(help="Error allowed a window, m: windows choose their length."),
    ] = None,
    block: Annotated[
        int | None,
        typer.Option(help="Windows an exchange, where all parts are linear.", min=1),
    ] = None,
    waveform: Annotated[
        bool,
        typer.Option("--waveform", help="Iterate on blocks, where they are not."),
    ] = False,
    start_from: Annotated[
        str | None, typer.Option(help="given, projected or static.")
    ] = None,
    rate: Annotated[
        int | None,
        typer.Option(help="Short windows of the fast part in a window.", min=1),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to put the run in, not runs/.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run.")] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="RUN", help="Go on with a run.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Resume where bits may differ.")
    ] = False,
    variant: Variant = None,
    placement: Placement = None,
    processes: Annotated[
        bool, typer.Option("--processes", help="Every part in a process of its own.")
    ] = False,
    takeover: Annotated[
        bool,
        typer.Option("--takeover", help="End sessions that others have with partners."),
    ] = False,
    certify: Annotated[
        bool,
        typer.Option(
            "--certify", help="Repeat with h/2 and h/4: order and error of each signal."
        ),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Note times and residuals, for bondline ui."),
    ] = False,
    no_progress: Annotated[
        bool, typer.Option("--no-progress", help="No progress bar.")
    ] = False,
    json: Json = False,
) -> None:
    """Simulate a model, or go on with a run.

    Ctrl-C finishes the window and leaves a run that --resume continues to the same
    bits.
    """
    from bondline.build import Given

    mine = voice(ctx)
    given = Given(
        set=pairs(sets or []),
        coupling=coupling,
        scheme=scheme,
        solver=solver,
        tolerance=tol,
        max_iterations=max_iter,
        refresh=refresh,
        update=update,
        epsilon=epsilon,
        threads=threads,
        adaptive=adaptive,
        start=start_from,
        rate=rate,
        block=block,
        waveform=waveform or None,
    )
    order = Order(
        model=chosen(model, variant),
        given=given,
        until=seconds("--until", until) if until else None,
        step=seconds("--step", step) if step else None,
        runs=out or mine.runs,
        name=name,
        force=force,
        progress=not no_progress,
        certify=certify,
        placement=placement,
        processes=processes,
        takeover=takeover,
        watch=watch,
    )
    if resume is not None:
        _refuse_settings(order)
    done = begin(mine, order) if resume is None else go_on(mine, resume, order)
    if certify:
        certified(mine, done.run, order.progress, placement)
    mine.answer(
        summary(done.run, done.windows, done.seconds),
        lambda: outcome(mine, done.run, done.windows, done.seconds),
    )


def _refuse_settings(order: Order) -> None:
    from bondline.build.given import FLAGS

    flags = [FLAGS[key] for key in order.given.plain()]
    flags += ["--step"] if order.step else []
    flags += ["--name"] if order.name else []
    if flags:
        raise UsageError(
            f"--resume with {' '.join(flags)}",
            "a resumed run keeps its settings.",
            f"Leave {' '.join(flags)} away, or make a new run without --resume.",
        )
