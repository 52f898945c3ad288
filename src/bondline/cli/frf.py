"""`bondline frf`: how one dof of an assembly answers to a harmonic force on another."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.files import short, writing
from bondline.cli.frequencies import Sets, opened, radians
from bondline.cli.options import Json, Placement
from bondline.cli.voice import Voice, voice
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.gluing import IntegratedModel
    from bondline.report.spectrum import Spectrum

_DOF = "PART.PORT.DOF"


def frf(
    ctx: typer.Context,
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A folder, an .ssd or an .ssp.")
    ],
    load: Annotated[str, typer.Option(metavar=_DOF, help="Where 1 N acts.")],
    at: Annotated[str, typer.Option(metavar=_DOF, help="Where to look.")],
    to: Annotated[str, typer.Option("--to", metavar="FREQUENCY", help="200Hz.")],
    start: Annotated[
        str, typer.Option("--from", metavar="FREQUENCY", help="1Hz, or 10rad/s.")
    ] = "0",
    points: Annotated[int, typer.Option(min=2, help="How many frequencies.")] = 500,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="x.svg, x.png, x.pdf or x.csv.")
    ] = Path("frf.svg"),
    sets: Sets = None,
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Frequency response of an assembly.

    Displacement per newton, with damping, from what linear parts show at their ports.
    """
    mine = voice(ctx)
    first, last = radians("--from", start), radians("--to", to)
    if not first < last:
        raise UsageError(
            f"--from {start} --to {to}",
            "the band is empty.",
            "Give a --to that is above --from.",
        )
    with opened(mine, model, sets, placement) as glued:
        found = _found(glued, (load, at), (first, last), points)
    _write(found, output)
    f, peak = found.peak
    document = {
        "file": str(output.resolve()),
        "load": load,
        "at": at,
        "points": points,
        "peak": {"frequency": f, "magnitude": peak},
    }
    mine.answer(document, lambda: _show(mine, found, output))


def _found(
    model: IntegratedModel,
    dofs: tuple[str, str],
    band: tuple[float, float],
    points: int,
) -> Spectrum:
    import numpy as np

    from bondline.gluing.frequency import response
    from bondline.report.spectrum import Spectrum

    # not at 0, where parts that nothing holds have no answer
    low = band[0] or band[1] / points
    omegas = np.linspace(low, band[1], points)
    H = response(model, omegas, *dofs)
    return Spectrum(model.name, *dofs, omegas / (2.0 * math.pi), H)


def _write(found: Spectrum, output: Path) -> None:
    from bondline.report.canvas import save
    from bondline.report.spectrum import csv, spectrum

    with writing(output):
        if output.suffix.lower() == ".csv":
            output.write_text(csv(found), encoding="utf-8", newline="\n")
        else:
            save(spectrum(found), output)


def _show(mine: Voice, found: Spectrum, output: Path) -> None:
    f, peak = found.peak
    mine.print(f"largest at {f:.6g} Hz: {peak:.4g} m/N")
    mine.say(f"wrote {short(output)}")
