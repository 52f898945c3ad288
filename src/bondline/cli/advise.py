"""`bondline advise`: what to expect of a run, before it is made."""

from __future__ import annotations

from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.advise_partners import Waiting
from bondline.cli.duration import seconds, show
from bondline.cli.given import pairs
from bondline.cli.options import Json, Placement
from bondline.cli.reach import reached
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, dim, fit, green, voice, yellow

if TYPE_CHECKING:
    from bondline.gluing.adviser import Advice, Recommendation, Section


def advise(
    ctx: typer.Context,
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp.")
    ],
    step: Annotated[
        str | None, typer.Option(help="Length of a window: 10ms. As in the model.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="End of the run, for its cost: 3s.")
    ] = None,
    scheme: Annotated[str | None, typer.Option(help="As in bondline run.")] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="LEAF.PARAM=VALUE", help="upper.mass=12kg; repeatable."
        ),
    ] = None,
    accuracy: Annotated[
        float,
        typer.Option(help="Error allowed a window, as a part of the joints' travel."),
    ] = 1e-6,
    windows: Annotated[int, typer.Option(help="How many to try.", min=1)] = 3,
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Probe a few windows and recommend coupling, scheme and window.

    Inertia at each joint, stability, redundancy, floating parts, iterations with each
    solver, and what the run will cost. Nothing is stored.
    """
    from bondline.build import Given, plan_of
    from bondline.core import Window
    from bondline.gluing.adviser import advise as ask
    from bondline.run.grid import Grid

    mine = voice(ctx)
    asked = Given(pairs(sets or []), scheme)
    end = seconds("--until", until) if until else None
    h = seconds("--step", step) if step else None
    with reached(mine, model, asked, placement) as found:
        plan = plan_of(found.opened, end, h)
        first = Window(plan.start, plan.start + plan.step)
        advice = ask(found.opened.model, first, windows, accuracy, plan.until)
        grid = Grid(plan.start, plan.step, plan.until)
        far = Waiting.of(found.elsewhere, grid.count(plan.start))
    given = [str(model), *(word for s in sets or [] for word in ("--set", s))]
    given += ["--placement", str(placement)] if placement is not None else []
    document = _finite(advice.plain()) | far.plain()
    mine.answer(document, lambda: _show(mine, advice, far, given))


def _show(mine: Voice, advice: Advice, far: Waiting, given: list[str]) -> None:
    mine.print(f"{bold(advice.model)}   windows of {show(advice.window)}")
    for section in advice.sections:
        _section(mine, section)
    far.show(mine)
    if advice.recommended is not None:
        _recommended(mine, advice.recommended, given)


def _section(mine: Voice, section: Section) -> None:
    title = yellow(section.title) if section.care else bold(section.title)
    mine.print(title)
    for sentence in section.words:
        mine.print(f"  {fit(sentence, 2)}")
    if section.rows:
        rows = [tuple(_cell(cell) for cell in row) for row in section.rows]
        table(mine, section.head, rows, indent=4)


def _recommended(mine: Voice, r: Recommendation, given: list[str]) -> None:
    mine.print(green("Recommended"))
    what = f"{r.coupling}, {r.scheme}, windows of {show(r.window)}: {r.why}."
    mine.print(f"  {fit(what, 2)}")
    rows = [("leaf solves a window", _cell(r.solves_now), _cell(r.solves_then))]
    rows.append(("leaf solves in all", _cell(r.cost_now), _cell(r.cost_then)))
    errors = (_cell(r.error_now), _cell(r.error_then))
    rows.append(("error a window, m", *errors))
    table(mine, ("", "now", "then"), rows, indent=4)
    order = ["run", *given, "--scheme", r.scheme, "--step", f"{r.window:g}"]
    mine.print(dim(f"  bondline {join(order)}"))


def _cell(cell: str | float | None) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    return "held" if cell == float("inf") else f"{cell:.4g}"


def _finite(tree: object) -> dict[str, object]:
    """Infinite inertias as words: JSON knows no infinity."""
    made = _worded(tree)
    assert isinstance(made, dict)
    return made


def _worded(tree: object) -> object:
    if isinstance(tree, dict):
        return {key: _worded(value) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return [_worded(value) for value in tree]
    endless = isinstance(tree, float) and abs(tree) == float("inf")
    return "infinite" if endless else tree
