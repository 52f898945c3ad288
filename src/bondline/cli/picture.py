"""`bondline picture`: a model in space, at rest, moving or vibrating."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.duration import seconds
from bondline.cli.files import short, writing
from bondline.cli.frequencies import Sets, opened
from bondline.cli.options import Json
from bondline.cli.voice import Voice, voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.report.meshes import Look
    from bondline.report.render import Picture
    from bondline.run import Run


def picture(
    ctx: typer.Context,
    thing: Annotated[
        str,
        typer.Argument(
            metavar="MODEL|DECK|RUN", help="What to look at; latest: a run."
        ),
    ] = "latest",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="x.png, x.svg or x.pdf.")
    ] = Path("picture.png"),
    mode: Annotated[
        int | None, typer.Option(help="The mode of that number, from 1.", min=1)
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="120ms; else the largest motion of a run."),
    ] = None,
    scale: Annotated[
        float | None, typer.Option(help="Enlarges displacements; else chosen.", min=0.0)
    ] = None,
    color: Annotated[
        str, typer.Option(help="parts, displacement, stress, plastic.")
    ] = "",
    view: Annotated[
        str,
        typer.Option(help="iso, front, back, left, right, top, bottom, or -60,20."),
    ] = "iso",
    perspective: Annotated[
        bool, typer.Option("--perspective", help="What is far is small.")
    ] = False,
    marks: Annotated[
        bool, typer.Option(help="Interface nodes, supports and loads.")
    ] = True,
    sets: Sets = None,
    json: Json = False,
) -> None:
    """Draw the surfaces that the parts of a model show.

    Of a model where it rests or in a mode, of a run when it moves most or at an
    instant. A finite-element deck can be looked at as it is.
    """
    from bondline.report.camera import camera
    from bondline.report.canvas import save
    from bondline.report.meshes import Look
    from bondline.report.render import draw

    mine = voice(ctx)
    look = Look(color, scale, camera(view, perspective), marks)
    seen = _seen(mine, thing, (mode, at, sets), look)
    with writing(output):
        path = save(draw(seen), output)
    document = {
        "title": seen.title,
        "note": seen.note,
        "file": str(path.resolve()),
        "parts": list(seen.skins),
        "scale": seen.scale,
    }
    mine.answer(document, lambda: mine.say(f"wrote {short(path)} ({seen.note})"))


Asked = tuple[int | None, str | None, list[str] | None]


def _seen(mine: Voice, thing: str, asked: Asked, look: Look) -> Picture:
    from bondline.run import find

    mode, at, sets = asked
    path = Path(thing)
    is_run = not path.exists() or (path / "run.sqlite").is_file()
    if is_run:
        run = find(mine.runs, thing)
        _refuse(mode is not None or bool(sets), "a run", "--mode and --set")
        return _of_run(run, at, look)
    _refuse(at is not None, "a model", "--at")
    if path.is_file() and path.suffix.lower() not in (".ssd", ".ssp"):
        from bondline.cli.picture_deck import of_deck

        _refuse(bool(sets), "a deck", "--set")
        return of_deck(path, mode, look)
    return _of_model(path, sets, mode, look)


def _refuse(given: bool, what: str, flags: str) -> None:
    if given:
        raise UsageError(
            "bondline picture",
            f"{flags} says nothing about {what}.",
            "Leave it out; modes are those of a model, instants those of a run.",
        )


def _of_run(run: Run, at: str | None, look: Look) -> Picture:
    from bondline.report.meshes import largest, moved, nearest
    from bondline.report.render import check_seen

    skins, seen, title = run.skins(), run.seen(), run.facts["model"]
    check_seen(f"run {run.id}", skins)
    if not seen:
        raise UsageError(
            f"run {run.id}", "nothing was recorded.", "Run it for a window at least."
        )
    if at is None:
        return moved(title, skins, largest(seen), look)
    return moved(title, skins, nearest(title, seen, _instant(at)), look)


def _instant(text: str) -> float:
    return 0.0 if text in ("0", "0s", "0.0") else seconds("--at", text)


def _of_model(
    path: Path, sets: list[str] | None, mode: int | None, look: Look
) -> Picture:
    from bondline.report.meshes import at_rest, vibrating
    from bondline.report.render import check_seen

    model = opened(path, sets)
    skins = model.skins()
    check_seen(model.name, skins)
    if mode is None:
        return at_rest(model.name, skins, look)
    from bondline.gluing.frequency import lowest, mode_shape

    found, above = lowest(model, mode)
    elastic = min([m.omega for m in found if m.omega], default=above)
    shape = mode_shape(model, found[mode - 1], elastic)
    title = f"{model.name}, mode {mode}"
    return vibrating(title, skins, shape, found[mode - 1].omega, look)
