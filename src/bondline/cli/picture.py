"""`bondline picture`: a model in space, at rest, moving or vibrating."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.duration import seconds
from bondline.cli.files import short, writing
from bondline.cli.frequencies import Sets
from bondline.cli.given import pairs
from bondline.cli.options import Json, Placement
from bondline.cli.reach import reached
from bondline.cli.voice import Voice, voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.core import Skin
    from bondline.gluing import IntegratedModel
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
    placement: Placement = None,
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
    seen = _seen(mine, thing, Asked(mode, at, sets, placement), look)
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


@dataclass(frozen=True)
class Asked:
    """What was said about what to look at."""

    mode: int | None
    at: str | None
    sets: list[str] | None
    placement: Path | None


def _seen(mine: Voice, thing: str, asked: Asked, look: Look) -> Picture:
    from bondline.run import find

    mode, at, sets = asked.mode, asked.at, asked.sets
    path = Path(thing)
    is_run = not path.exists() or (path / "run.sqlite").is_file()
    if is_run:
        run = find(mine.runs, thing)
        _refuse(mode is not None or bool(sets), "a run", "--mode and --set")
        _refuse(asked.placement is not None, "a run", "--placement")
        return _of_run(run, at, look)
    _refuse(at is not None, "a model", "--at")
    if path.is_file() and path.suffix.lower() not in (".ssd", ".ssp"):
        from bondline.cli.picture_deck import of_deck

        _refuse(bool(sets), "a deck", "--set")
        _refuse(asked.placement is not None, "a deck", "--placement")
        return of_deck(path, mode, look)
    return _of_model(mine, path, asked, look)


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


def _of_model(mine: Voice, path: Path, asked: Asked, look: Look) -> Picture:
    from bondline.build import Given
    from bondline.report.meshes import at_rest
    from bondline.report.render import check_seen

    given = Given(pairs(asked.sets or []))
    with reached(mine, path, given, asked.placement) as found:
        model = found.opened.model
        skins = model.skins()
        check_seen(model.name, skins)
        if asked.mode is None:
            return at_rest(model.name, skins, look)
        found.require_harmonic()
        return _in_mode(model, skins, asked.mode, look)


def _in_mode(
    model: IntegratedModel, skins: Mapping[str, Skin], mode: int, look: Look
) -> Picture:
    from bondline.gluing.frequency import lowest, mode_shape
    from bondline.report.meshes import vibrating

    found, above = lowest(model, mode)
    elastic = min([m.omega for m in found if m.omega], default=above)
    shape = mode_shape(model, found[mode - 1], elastic)
    title = f"{model.name}, mode {mode}"
    return vibrating(title, skins, shape, found[mode - 1].omega, look)
