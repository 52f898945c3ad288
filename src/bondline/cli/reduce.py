"""`bondline reduce`: a finite-element model as small matrices with ports."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.files import human_size, short, writing
from bondline.cli.frequencies import Sets, radians
from bondline.cli.given import pairs
from bondline.cli.options import Json
from bondline.cli.voice import Voice, voice
from bondline.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from bondline.leaves.fe.matrices import MatrixSet
    from bondline.leaves.fe.model import FeModel
    from bondline.leaves.fe.plug import Plug
    from bondline.leaves.fe.reduction import ReducedModel

_DECKS = (".inp", ".bdf", ".nas", ".dat")
_ROUGH = 0.05  # error from which more modes are advised
_FILES = (".h5", ".hdf5", ".mtx", ".op4")


def reduce(
    ctx: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(metavar="DECK|MODEL", help="An .inp or .bdf; or with --part."),
    ],
    band: Annotated[
        str, typer.Option(metavar="FREQUENCY", help="What matters: up to 100Hz.")
    ],
    part: Annotated[
        str, typer.Option(metavar="PART", help="Of a model: left.rail, a deck.")
    ] = "",
    ports: Annotated[
        list[str] | None,
        typer.Option(
            "--port", metavar="SET", help="A node set, or NAME=SET; repeatable."
        ),
    ] = None,
    margin: Annotated[
        float, typer.Option(min=1.0, help="Modes are kept up to so many bands.")
    ] = 2.0,
    only_band: Annotated[
        bool, typer.Option("--only-band", help="Show no mode above the band.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="x.h5; also x.mtx or x.op4, no ports."),
    ] = None,
    sets: Sets = None,
    json: Json = False,
) -> None:
    """Reduce a finite-element model to its ports.

    Craig and Bampton's method: statics stays exact, vibrations are good up to the
    band; how good is measured against the full model. The file stands for the model
    in model files, and has nothing of its inside.
    """
    from bondline.leaves.fe.matrices import reduced_matrices
    from bondline.leaves.fe.reduction import Wanted, reduce_model

    mine = voice(ctx)
    hertz = radians("--band", band) / (2.0 * math.pi)
    model, plugs = _found(source, part, ports or [], sets)
    path = _target(output or Path(f"{model.name}.h5"))
    wanted = Wanted(hertz, margin=margin, only_band=only_band)
    made = reduce_model(model, plugs, wanted)
    small = reduced_matrices(made)
    with writing(path):
        _write(small, path)
    document = {
        "file": str(path.resolve()),
        "ports": {name: plug.port.size for name, plug in made.plugs.items()},
        **asdict(made.report),
        "receptance": made.report.receptance,
        "worst": made.report.worst,
    }
    mine.answer(document, lambda: _show(mine, made, path))


def _found(
    source: Path, part: str, ports: list[str], sets: list[str] | None
) -> tuple[FeModel, dict[str, Plug]]:
    from bondline.build import Given, require

    if source.suffix.lower() in _DECKS:
        model, known = _deck(source, part, pairs(sets or [])), dict[str, "Plug"]()
    elif not part:
        raise UsageError(
            str(source),
            "it is no deck, and no part of a model is named.",
            f"Give a file {', '.join(_DECKS)}; or a model and --part PART.",
        )
    else:
        from bondline.build.component import deck_component

        require(source)
        model, known = deck_component(source, part, Given(pairs(sets or [])))
    plugs = _plugs(model, ports) if ports else known
    if not plugs:
        raise UsageError(
            str(source),
            "no port is named.",
            f"Give --port SET. Node sets: {_listed(model)}.",
        )
    return model, plugs


def _deck(source: Path, part: str, given: dict[str, str]) -> FeModel:
    from bondline.leaves.fe.formats import read_bdf, read_inp

    if part:
        raise UsageError(
            f"--part {part}",
            "a deck is one part.",
            "Leave --part out, or give a model.",
        )
    if source.suffix.lower() != ".inp":
        return read_bdf(source).model
    return read_inp(source, {n: _number(n, text) for n, text in given.items()}).model


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            f"--set {name}={text}",
            f"{text!r} is no number.",
            "Decks are in SI units: give a plain number.",
        ) from None


def _plugs(model: FeModel, ports: list[str]) -> dict[str, Plug]:
    """Ports by name; without one they go by their node sets."""
    from bondline.leaves.fe.plug import Plug

    known = {own.lower(): own for own in model.mesh.node_sets}
    found = {}
    for text in ports:
        name, mark, chosen = text.partition("=")
        own = known.get((chosen if mark else name).lower())
        if own is None:
            raise UsageError(
                f"--port {text}",
                f"{model.name} has no such node set.",
                did_you_mean(chosen if mark else name, model.mesh.node_sets),
            )
        found[name] = Plug(own)
    return found


def _listed(model: FeModel) -> str:
    return ", ".join(sorted(model.mesh.node_sets)) or "none"


def _target(path: Path) -> Path:
    if path.suffix.lower() not in _FILES:
        raise UsageError(
            f"--output {path}",
            f"nothing writes matrices as *{path.suffix}.",
            did_you_mean(path.suffix, _FILES),
        )
    return path


def _write(small: MatrixSet, path: Path) -> None:
    from bondline.leaves.fe.matrices import write_h5, write_op4, write_substructure

    if path.suffix.lower() == ".mtx":
        write_substructure(small, path)
    elif path.suffix.lower() == ".op4":
        write_op4(small, path)
    else:
        write_h5(small, path)


def _show(mine: Voice, made: ReducedModel, path: Path) -> None:
    for line in made.report.lines():
        mine.print(line)
    if (made.report.receptance or 0.0) > _ROUGH:
        mine.say("more modes make it better: try a larger --margin")
    mine.say(f"wrote {short(path)} ({human_size(path.stat().st_size)})")
