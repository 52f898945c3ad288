"""`bondline demo`: the double pendulum, from a model file to a report."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.called import called
from bondline.cli.distributed import distributed
from bondline.cli.drive import Order, begin
from bondline.cli.duration import seconds
from bondline.cli.files import short, writing
from bondline.cli.options import Json
from bondline.cli.report import write_report
from bondline.cli.say import finished
from bondline.cli.steps import steps
from bondline.cli.studies import POINTS, Bench, studies
from bondline.cli.ui import show_page
from bondline.cli.voice import Voice, bold, voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.run import Comparison, Run

TEMPLATE = "double-pendulum"


def demo(
    ctx: typer.Context,
    out: Annotated[
        Path, typer.Option(help="Folder for the run, the report and the pictures.")
    ] = Path("bondline-demo"),
    show: Annotated[
        bool, typer.Option("--open", help="Then show the run moving, in the browser.")
    ] = False,
    example: Annotated[
        str | None,
        typer.Option(
            "--distributed",
            metavar="EXAMPLE",
            help="Instead: run an example with every part at its owner's server.",
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="TIME", help="End, with --distributed."),
    ] = None,
    json: Json = False,
) -> None:
    """Glue the double pendulum and write a report.

    wang2003, Example 2: h = 0.01 s, 3 s, tolerance 1e-10, beside the all-at-once
    solution, with the studies of the probe and of refreshing the gluing matrix.

    With --distributed truck_frame all parts of that example are served by processes,
    one for each company, with certificates and policies; the record is that of the run
    in process.
    """
    from bondline.build import Given, template

    if example is not None:
        end = None if until is None else seconds("--until", until)
        distributed(voice(ctx), example, end, out)
        return
    if until is not None:
        raise UsageError(
            "--until", "the demo has its own end.", "Give --distributed EXAMPLE, too."
        )

    mine, began = voice(ctx), time.monotonic()
    model = template(TEMPLATE)
    reference = model / "reference.csv"
    done = begin(mine, Order(model, Given(), None, None, out / "runs"))
    run = done.run
    if not mine.json:
        finished(mine, run, done.windows, done.seconds)
    files = _write(mine, run, model, reference, out)
    apart = _apart(run, reference)
    took = time.monotonic() - began
    mine.answer(
        _document(run, files, apart, took),
        lambda: _show(mine, files, apart, took),
    )
    if show:
        show_page(mine, out, run.id)


def _write(
    mine: Voice, run: Run, model: Path, reference: Path, out: Path
) -> dict[str, Path]:
    from bondline.cli.files import as_reference
    from bondline.report.animate import animate
    from bondline.report.figures import picture, save

    results = run.results()
    with writing(out), steps(mine, POINTS + 3) as done:
        found = studies(Bench(model, done))
        report = write_report(run, out / "report.html", reference, found)
        done()
        drawn = save(
            picture(results, as_reference(reference, results)), out / "picture.png"
        )
        done()
        moving = animate(results, out / "animation.gif")
        done()
    return {"report": report, "picture": drawn, "animation": moving}


def _apart(run: Run, reference: Path) -> Comparison:
    from bondline.run import Tolerance, compare, read_csv

    return compare(run.results(), read_csv(reference), Tolerance(rtol=2e-2, atol=1e-6))


def _document(
    run: Run, files: dict[str, Path], apart: Comparison, took: float
) -> dict[str, Any]:
    return {
        "run": run.id,
        "path": str(run.path.resolve()),
        **{name: str(path.resolve()) for name, path in files.items()},
        "seconds": took,
        "certificate": run.certificate,
        "reference": {
            "ok": apart.ok,
            "signals": {d.signal: d.largest for d in apart.differences},
        },
    }


def _show(mine: Voice, files: dict[str, Path], apart: Comparison, took: float) -> None:
    far = {d.signal: d.largest for d in apart.differences}
    mine.say(
        f"{bold('all at once')}  the glued model is within "
        f"{max(far['lower.com.x'], far['lower.com.y']):.1e} m of the reference"
    )
    for name, path in files.items():
        mine.print(f"{name:11}  {short(path)}")
    mine.say(f"{took:.1f} s")
    mine.say(f"{bold('next')}  {called()} demo --open shows it moving in the browser")
