"""`bondline export`: runs and models for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.files import short
from bondline.cli.given import pairs
from bondline.cli.options import Json
from bondline.cli.voice import Voice, voice
from bondline.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from bondline.description import ModelSpec
    from bondline.export.fmu import Content

FORMATS = ("csv", "parquet", "vtkhdf", "fmu")


def export(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(help="A run; with --to fmu a model, MODEL:part or a kind.")
    ] = "latest",
    to: Annotated[
        str, typer.Option("--to", help="Format: csv, parquet, vtkhdf or fmu.")
    ] = "csv",
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="A file, or - for stdout; of vtkhdf a folder."
        ),
    ] = "-",
    fmi: Annotated[int, typer.Option("--fmi", help="Version of FMI: 2 or 3.")] = 3,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A parameter of what goes into an FMU: mass=12kg."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a run, or a model, for other programs.

    A run as CSV or Parquet is its signals: one row an instant, t first; numbers read
    back to the same bits. As VTKHDF it is the surfaces that parts show, over time: one
    file a part.
    A model, a part of one or a kind of leaf as FMU runs in other tools, with its state
    saved and restored, and its ports as terminals.
    """
    from bondline.run import csv_lines, find, write_csv
    from bondline.run.export import write_parquet

    mine = voice(ctx)
    if to not in FORMATS:
        raise UsageError("--to", f"no format {to!r}.", did_you_mean(to, FORMATS))
    if to == "vtkhdf":
        _surfaces(mine, name, output)
        return
    if to == "fmu":
        _fmu(mine, name, output, fmi, pairs(set_ or []))
        return
    if output == "-" and to == "csv":
        _refuse_json(mine)
    results = find(mine.runs, name).results()
    if output == "-" and to == "csv":
        for line in csv_lines(results):
            typer.echo(line)
        return
    path = Path(f"{results.run}.parquet" if output == "-" else output)
    (write_csv if to == "csv" else write_parquet)(results, path)
    document = {
        "run": results.run,
        "file": str(path.resolve()),
        "format": to,
        "signals": list(results.signals),
        "rows": len(results.t),
    }
    mine.answer(
        document, lambda: mine.say(f"wrote {short(path)} ({len(results.t)} rows)")
    )


def _fmu(
    mine: Voice, name: str, output: str, fmi: int, given: Mapping[str, str]
) -> None:
    from bondline.build.single import single
    from bondline.export.fmu import build_fmu

    model, held = single(name, given).leaf, _content(name, given)
    stem = Path(name.partition(":")[0]).resolve().stem if held.package else name
    path = Path(f"{stem}.fmu" if output == "-" else output)
    build_fmu(model, held, path, fmi)
    document = {
        "model": model.name,
        "file": str(path.resolve()),
        "format": "fmu",
        "fmi": fmi,
        "ports": list(model.ports),
    }
    mine.answer(document, lambda: mine.say(f"wrote {short(path)} (FMI {fmi}.0)"))


def _content(name: str, given: Mapping[str, str]) -> Content:
    """What an FMU needs to make the same again: a model file goes into it whole."""
    from bondline.build import catalogue, kinds
    from bondline.description import bundle, examine
    from bondline.export.fmu import Content

    path, colon, part = name.rpartition(":") if ":" in name else (name, "", "")
    if name in kinds() or not Path(path).exists():
        return Content(name, set=given)
    prefix = f"{part}." if part else ""
    held = Content(f"{colon}{part}", bundle(path), given, prefix)
    spec, _ = examine(Path(path), catalogue())
    if spec is None:
        return held
    shared = _shared(spec, given, prefix)
    return replace(held, experiment=_experiment(spec), shared=shared)


def _shared(
    spec: ModelSpec, given: Mapping[str, str], prefix: str
) -> dict[str, tuple[float, str]]:
    """Parameters of the system itself, which set those of several parts."""
    from bondline.build import catalogue
    from bondline.description import override, settable
    from bondline.description.resolve import parameters

    known = catalogue()
    own = parameters(spec.system, known)
    return {
        s.name.removeprefix(prefix): (s.value, s.unit)
        for s in settable(override(spec, known, given) if given else spec, known)
        if s.name not in own and s.name.startswith(prefix)
    }


def _experiment(spec: ModelSpec) -> dict[str, float]:
    """When a run of the model starts and ends, and its step, as far as it says."""
    told = {
        "start_time": spec.start,
        "stop_time": spec.stop,
        "step_size": spec.step,
    }
    return {name: value for name, value in told.items() if value is not None}


def _surfaces(mine: Voice, name: str, output: str) -> None:
    from bondline.export import write_vtkhdf
    from bondline.run import find

    run = find(mine.runs, name)
    folder = Path(f"{run.id}-vtkhdf" if output == "-" else output)
    skins, seen = run.skins(), run.seen()
    paths = write_vtkhdf(f"run {run.id}", skins, seen, folder)
    document = {
        "run": run.id,
        "folder": str(folder.resolve()),
        "format": "vtkhdf",
        "files": [path.name for path in paths],
        "instants": len(seen),
    }
    words = f"wrote {len(paths)} files to {short(folder)} ({len(seen)} instants)"
    mine.answer(document, lambda: mine.say(words))


def _refuse_json(mine: Voice) -> None:
    if mine.json:
        raise UsageError(
            "--json",
            "stdout cannot hold the table and a JSON document.",
            "Give a file: -o signals.csv.",
        )
