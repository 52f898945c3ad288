"""`bondline static`: a glued model at rest under its loads."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.called import called
from bondline.cli.files import handle
from bondline.cli.given import pairs
from bondline.cli.options import Json, Placement
from bondline.cli.partners import written_down
from bondline.cli.reach import Reached, reached
from bondline.cli.say import warn
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, dim, voice

if TYPE_CHECKING:
    from bondline.core import Frame
    from bondline.run import Run
    from bondline.run.static import Ramp


def static(
    ctx: typer.Context,
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp.")
    ],
    load_steps: Annotated[
        int, typer.Option(help="Equal shares in which the loads are put on.", min=1)
    ] = 1,
    method: Annotated[
        str, typer.Option(help="auto, direct, robin or feti; all are exact.")
    ] = "auto",
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="LEAF.PARAM=VALUE", help="one.wall=500N/m; repeatable."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to put the run in, not runs/.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run.")] = None,
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Find where a model rests under its own loads, and the forces in its joints.

    The answer is stored as a run whose time is the load factor, from 0 to 1.
    """
    from bondline.build import Given
    from bondline.run.static import Ramp

    mine = voice(ctx)
    with reached(mine, model, Given(pairs(sets or [])), placement) as found:
        found.require_static()
        glued = found.opened.model
        ramp, began = Ramp(glued, method), time.monotonic()
        run = _carry(out or mine.runs, found, ramp, load_steps, name)
        how = ramp.chosen(glued.start(0.0).state)
    last = list(run.frames())[-1]
    last = replace(last, notes=(*last.notes, *_idle(last)))
    warn(mine, last.notes)
    mine.answer(
        _document(run, last, how, time.monotonic() - began),
        lambda: _show(mine, run, last, how),
    )


def _idle(last: Frame) -> list[str]:
    """A doubt where nothing pushes anything."""
    forces = (r.coefficients.any() for r in last.forces.values())
    if any(forces) or any(v.value for v in last.values.values()):
        return []
    return [
        "nothing loads the model at rest: all forces and values are zero. If loads "
        "vary over time, set staticTime to an instant at which they act."
    ]


def _carry(
    runs: Path, found: Reached, ramp: Ramp, load_steps: int, name: str | None
) -> Run:
    from bondline.build import plan_of
    from bondline.run import create, resume

    opened = found.opened
    asked = {**ramp.settings(), "load_steps": load_steps}
    settings = {**opened.settings, "static": asked}
    plan = plan_of(opened, until=1.0, step=1.0 / load_steps)
    plan = replace(plan, start=0.0, settings=settings)
    run = create(runs, ramp, plan, name)
    written_down(found.elsewhere, run.path)
    return resume(run, ramp).run


def _forces(last: Frame) -> list[tuple[str, float]]:
    """Every force; of a joint of several nodes those of the whole go first."""
    from bondline.run.signals import resultants

    found = []
    for name, r in last.forces.items():
        F = r.coefficients.sum(0)
        whole = resultants(r.components).items()
        found += [(f"{name}.{component}", F[at].sum()) for component, at in whole]
        each = zip(r.components, F, strict=True)
        found += [(f"{name}.{component}", value) for component, value in each]
    return found


def _shown(last: Frame) -> list[tuple[str, float]]:
    """Those forces that fit on a page."""
    every = _forces(last)
    nodal = re.compile(r".*\.\d+\.F\w+")
    return [(n, f) for n, f in every if len(every) <= 60 or not nodal.fullmatch(n)]


def _document(
    run: Run, last: Frame, how: tuple[str, str], took: float
) -> dict[str, Any]:
    return {
        "run": run.id,
        "path": str(run.path.resolve()),
        "model": run.summary.model,
        "method": how[0],
        "why": how[1],
        "load_steps": run.facts["settings"]["static"]["load_steps"],
        "load_factor": last.t,
        "values": {
            n: {"value": v.value, "unit": v.unit} for n, v in last.values.items()
        },
        "forces": {name: float(value) for name, value in _forces(last)},
        "gap": last.stats["gap"],
        "seconds": took,
        "warnings": list(last.notes),
    }


def _show(mine: Voice, run: Run, last: Frame, how: tuple[str, str]) -> None:
    mine.say(f"{bold(run.summary.model)} at rest   {how[0]}: {how[1]}")
    if last.values:
        rows = [(n, f"{v.value:.6g}", v.unit) for n, v in last.values.items()]
        table(mine, ("value", "at rest", "unit"), rows)
    if last.forces:
        table(
            mine,
            ("force", "on the first end"),
            [(n, f"{f:.6g}") for n, f in _shown(last)],
        )
    mine.say(dim(f"largest gap {last.stats['gap']:.2g} m"))
    mine.say(f"{bold('run')}   {run.id}")
    if mine.quiet:
        mine.print(run.id)
    mine.say(f"{bold('next')}  {called()} report {handle(run)}")
