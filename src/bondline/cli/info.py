"""`bondline info`: what a model is made of, or what a run was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.duration import show
from bondline.cli.kept import has_package, kept_files, kept_model
from bondline.cli.options import Json, Placement
from bondline.cli.reach import reached
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, dim, fit, voice

if TYPE_CHECKING:
    from bondline.build import Opened
    from bondline.core import Model
    from bondline.run import Run


def info(
    ctx: typer.Context,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A model, or a run.")],
    interfaces: Annotated[
        bool, typer.Option("--interfaces", help="Only ports and joints.")
    ] = False,
    parameters: Annotated[
        bool, typer.Option("--parameters", help="Only what can be set.")
    ] = False,
    capabilities: Annotated[
        bool, typer.Option("--capabilities", help="Only what the parts can do.")
    ] = False,
    placement: Placement = None,
    json: Json = False,
) -> None:
    """Show what a model or a run consists of.

    The tree, ports with dofs and units, joints, parameters, capabilities, and the
    coupling and scheme with their reasons.
    """
    mine = voice(ctx)
    run = _run(mine, target)
    chosen = [interfaces, parameters, capabilities]
    everything = not any(chosen)
    wanted = {
        name
        for name, on in zip(_SECTIONS, (everything, *chosen), strict=True)
        if on or everything
    }
    with _opened(mine, target, run, placement) as (opened, why_not):
        if opened is not None:
            mine.answer(_document(opened, wanted), lambda: _show(mine, opened, wanted))
            return
    assert run is not None, "a path gives a model or an error"
    _tell_run(mine, run, why_not)


def _run(mine: Voice, target: str) -> Run | None:
    """The run of that name; None if the target is the path of a model."""
    from bondline.run import find
    from bondline.run.database import FILE

    path = Path(target)
    looks_like_run = (path / FILE).is_file() or path.name == FILE
    if not looks_like_run and (path.exists() or path.suffix or "/" in target):
        return None
    return find(mine.runs, target)


@contextmanager
def _opened(
    mine: Voice, target: str, run: Run | None, placement: Path | None
) -> Iterator[tuple[Opened | None, str]]:
    """The model; of a run without one None, and a sentence that says why."""
    from bondline.build import Given

    if run and (placement is None or not has_package(run)):
        yield kept_model(run)
        return
    files = kept_files(run) if run else (Path(target), Given())
    with reached(mine, *files, placement) as found:
        yield found.opened, ""


def _tell_run(mine: Voice, run: Run, why_not: str) -> None:
    """What a run says of itself where its model cannot be shown."""
    facts, stop = run.facts, run.summary.until
    document = {
        "model": facts["model"],
        "start": facts["start"],
        "stop": stop,
        "step": facts["step"],
        "settings": facts["settings"],
        "note": why_not,
    }
    mine.answer(document, lambda: _show_run(mine, document))


def _show_run(mine: Voice, told: dict[str, Any]) -> None:
    from bondline.report.markup import flat

    span = f"{told['start']:g} to {told['stop']:g} s, step {show(told['step'])}"
    mine.print(f"{bold(told['model'])}   {span}")
    mine.print(f"note     {fit(told['note'], 9)}")
    rows = flat(told["settings"])
    if rows:
        mine.print()
        table(mine, ("setting", "value"), rows)


def _document(opened: Opened, wanted: set[str]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "model": opened.model.name,
        "start": opened.spec.start,
        "stop": opened.spec.stop,
        "step": opened.spec.step,
        "notes": _notes(opened),
    }
    for name, (plain, _) in _SECTIONS.items():
        if name in wanted:
            told[name] = plain(opened)
    return told


def _notes(opened: Opened) -> list[str]:
    """What the readers of its decks say."""
    from bondline.build import deck_notes

    return deck_notes(opened.spec)


def _show(mine: Voice, opened: Opened, wanted: set[str]) -> None:
    for k, name in enumerate(n for n in _SECTIONS if n in wanted):
        if k:
            mine.print()
        _SECTIONS[name][1](mine, opened)


def _tree(opened: Opened) -> dict[str, Any]:
    from bondline.build import outline

    return outline.plain(opened.model)


def _show_tree(mine: Voice, opened: Opened) -> None:
    from bondline.build import outline

    spec = opened.spec
    stop = "open" if spec.stop is None else f"{spec.stop:g} s"
    step = "open" if spec.step is None else show(spec.step)
    mine.print(f"{bold(opened.model.name)}   {spec.start:g} to {stop}, step {step}")
    _branch(mine, opened.model, "")
    told = outline.plain(opened.model)
    if "scheme" in told:
        solver = told["solver"]
        for what in ("coupling", "scheme"):
            mine.print(f"{what:<9}{told[what]['name']}")
            mine.print(dim(f"         {fit(told[what]['why'], 9)}"))
        given = {k: v for k, v in solver.items() if v is not None}
        numbers = ", ".join(f"{k} {v}" for k, v in given.items())
        mine.print(f"solver   {fit(numbers, 9)}")
    for note in _notes(opened):
        mine.print(dim(f"note     {fit(note, 9)}"))


def _branch(mine: Voice, model: Model, before: str) -> None:
    from bondline.build import outline

    inner = list(outline.parts(model).items())
    for k, (name, part) in enumerate(inner):
        last = k == len(inner) - 1
        mark = "└─" if last else "├─"
        mine.print(f"{before}{mark} {name}  {dim(outline.told(part))}")
        _branch(mine, part, before + ("   " if last else "│  "))


def _interfaces(opened: Opened) -> dict[str, Any]:
    from bondline.build import outline

    ports = {
        f"{name}.{port}": told
        for name, leaf in outline.leaves(opened.model)
        for port, told in outline.plain(leaf)["ports"].items()
    }
    joints = list(_joints(outline.plain(opened.model)))
    return {"ports": ports, "joints": joints, "signals": _signals(opened)}


def _signals(opened: Opened) -> dict[str, str]:
    """What the parts publish at the start, with units; nothing if it cannot start."""
    from bondline.core import Observing
    from bondline.errors import BondlineError

    model = opened.model
    if not isinstance(model, Observing):
        return {}
    try:
        seen = model.observe(model.start(opened.spec.start).state)
    except BondlineError:  # `bondline check` and `run` say what is wrong
        return {}
    return {name: value.unit for name, value in seen.items()}


def _joints(told: dict[str, Any], prefix: str = "") -> list[dict[str, Any]]:
    found = [{**j, "name": f"{prefix}joint.{j['name']}"} for j in told["joints"]]
    for part in told["parts"]:
        found += _joints(part, f"{prefix}{part['name']}.")
    return found


def _show_interfaces(mine: Voice, opened: Opened) -> None:
    from bondline.build import outline

    told = _interfaces(opened)
    rows = [(name, *_port_cells(port)) for name, port in told["ports"].items()]
    table(mine, ("port", "takes", "dofs", "nodes"), rows)
    mine.print()
    rows = [
        (
            j["name"],
            j["kind"],
            " - ".join(j["ends"]),
            " ".join(outline.brief(j["components"])),
        )
        for j in told["joints"]
    ]
    table(mine, ("joint", "kind", "between", "forces"), rows)
    if told["signals"]:
        mine.print()
        units = [(n, "" if u == "1" else u) for n, u in told["signals"].items()]
        table(mine, ("signal", "unit"), units)


def _port_cells(port: dict[str, Any]) -> tuple[str, str, str]:
    if "dofs" not in port:
        way = "a signal" if port["incoming"] else "nothing"
        return way, f"[{port['unit']}]", "1"
    dofs = " ".join(f"{dof} [{unit}]" for dof, unit in port["dofs"].items())
    return port["takes"], dofs, str(port["nodes"])


def _parameters(opened: Opened) -> list[dict[str, Any]]:
    return [
        {
            "name": p.name,
            "value": p.shown if p.choices else p.value,
            "unit": p.unit,
            "meaning": p.meaning,
        }
        for p in opened.parameters
    ]


def _show_parameters(mine: Voice, opened: Opened) -> None:
    rows = [
        (p.name, p.shown, "" if p.unit == "1" else p.unit, p.meaning)
        for p in opened.parameters
    ]
    table(mine, ("parameter", "value", "unit", "meaning"), rows)


def _capabilities(opened: Opened) -> dict[str, Any]:
    from bondline.build import outline

    return {
        name: outline.plain(leaf)["capabilities"]
        for name, leaf in outline.leaves(opened.model)
    }


def _show_capabilities(mine: Voice, opened: Opened) -> None:
    rows = [
        (leaf, *(", ".join(n for n, yes in can.items() if yes is on) for on in _BOTH))
        for leaf, can in _capabilities(opened).items()
    ]
    table(mine, ("leaf", "can", "cannot"), rows)


_BOTH = (True, False)
_SECTIONS: dict[str, Any] = {
    "tree": (_tree, _show_tree),
    "interfaces": (_interfaces, _show_interfaces),
    "parameters": (_parameters, _show_parameters),
    "capabilities": (_capabilities, _show_capabilities),
}
