"""`bondline plot`: signals of a run over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.files import as_reference, short, writing
from bondline.cli.options import Json, Reference, RunName
from bondline.cli.voice import Voice, voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.run import Results


def plot(
    ctx: typer.Context,
    name: RunName = "latest",
    signals: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SIGNAL...",
            help="Names or patterns ('joint.A.*'); all joint forces if none.",
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="x.svg, x.png or x.pdf.")
    ] = Path("plot.svg"),
    vs: Annotated[
        str | None, typer.Option("--vs", metavar="RUN", help="Another run beside it.")
    ] = None,
    reference: Reference = None,
    json: Json = False,
) -> None:
    """Draw signals of a run.

    Alone, or with the difference to another run or to a table.
    """
    from bondline.report.figures import plot as draw
    from bondline.report.figures import save
    from bondline.report.select import select
    from bondline.run import find

    mine = voice(ctx)
    results = find(mine.runs, name).results()
    wanted = signals or _joint_forces(results)
    figure = draw(results, wanted, _other(mine, vs, reference, results))
    with writing(output):
        path = save(figure, output)
    document = {
        "run": results.run,
        "file": str(path.resolve()),
        "signals": list(select(results, wanted)),
    }
    mine.answer(document, lambda: mine.say(f"wrote {short(path)}"))


def _joint_forces(results: Results) -> list[str]:
    from bondline.report.select import joints

    forces = [name for names in joints(results).values() for name in names]
    return forces or list(results.signals)


def _other(
    mine: Voice, vs: str | None, reference: Path | None, like: Results
) -> Results | None:
    from bondline.run import find

    if vs and reference:
        raise UsageError(
            "bondline plot",
            "--vs and --reference were both given.",
            "Give one of them.",
        )
    if vs:
        return find(mine.runs, vs).results()
    return as_reference(reference, like) if reference else None
