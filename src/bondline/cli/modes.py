"""`bondline modes`: the natural frequencies of an assembly of linear parts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.frequencies import Sets, opened, radians
from bondline.cli.options import Json, Placement
from bondline.cli.say import count
from bondline.cli.tables import table
from bondline.cli.voice import Voice, voice

if TYPE_CHECKING:
    from bondline.gluing.frequency import Mode


def modes(
    ctx: typer.Context,
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp.")
    ],
    below: Annotated[
        str, typer.Option(metavar="FREQUENCY", help="200Hz, 1.2kHz or 50rad/s.")
    ],
    sets: Sets = None,
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Find all modes below a frequency.

    From what linear parts show at their ports; none is missed, repeated ones are
    counted. Damping is left out.
    """
    from bondline.gluing.frequency import modes as find

    mine = voice(ctx)
    limit = radians("--below", below)
    with opened(mine, model, sets, placement) as glued:
        found = find(glued, limit)
    document = {
        "model": glued.name,
        "below": limit,
        "modes": [_plain(mode) for mode in found],
    }
    mine.answer(document, lambda: _show(mine, found, below))


def _plain(mode: Mode) -> dict[str, Any]:
    return {
        "omega": mode.omega,
        "frequency": mode.omega / (2.0 * math.pi),
        "shape": {str(r): x.tolist() for r, x in mode.shape.items()},
    }


def _show(mine: Voice, found: list[Mode], below: str) -> None:
    rows = [
        (str(n), f"{m.omega / (2.0 * math.pi):.6g}", f"{m.omega:.6g}", _where(m))
        for n, m in enumerate(found, start=1)
    ]
    if rows:
        table(mine, ("mode", "Hz", "rad/s", "moves most"), rows)
    mine.print(f"{count(len(found), 'mode')} below {below}")


def _where(mode: Mode) -> str:
    """The port that moves most, as far as ports can see."""
    sizes = {str(r): float(abs(x).max(initial=0.0)) for r, x in mode.shape.items()}
    port = max(sizes, key=lambda name: sizes[name])
    word = "rigid body, " if mode.omega == 0.0 else ""
    return f"{word}{port}" if sizes[port] > 0.0 else "no port sees it"
