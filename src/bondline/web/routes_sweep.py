"""Requests about sweeps: their variants, begin one, stop it, go on with what failed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from bondline.build.solvers.grant import CODE, code_withheld
from bondline.errors import DescriptionError, UsageError
from bondline.sweep import Sweep, Wanted, all_sweeps, axis, checked
from bondline.sweep import cancel as ask_to_stop
from bondline.sweep.table import table
from bondline.web.amounts import in_si
from bondline.web.desk import ANSWERS, AtDesk, Desk
from bondline.web.processes import typed
from bondline.web.project import NotThere
from bondline.web.told import Amount, Request, Short, Told

api = APIRouter(prefix="/api/sweeps", responses=ANSWERS, tags=["sweeps"])


class NewSweep(Request):
    """A model, ranges as the command line takes them, and results to keep."""

    model: Short
    set: Annotated[list[Short], Field(min_length=1, max_length=20)]
    results: Annotated[list[Short], Field(default_factory=list, max_length=20)]
    until: Amount | None = None


@api.get("")
def every(desk: AtDesk) -> dict[str, Any]:
    """All sweeps of the project, the newest first."""
    found = [_standing(sweep) for sweep in all_sweeps(desk.project.sweeps)]
    found.sort(key=lambda one: str(one["created"]), reverse=True)
    return {"sweeps": found, "command": typed(["sweeps"])}


@api.post("", status_code=201)
def begin(desk: AtDesk, wanted: NewSweep) -> Told:
    """Start a sweep, in a process of its own; what cannot begin is told before."""
    until = None if wanted.until is None else in_si("until", wanted.until, "s")
    _check(desk.project.model(wanted.model), wanted, until)
    words = ["sweep", wanted.model]
    for one in wanted.set:
        words += ["--set", one]
    for one in wanted.results:
        words += ["--result", one]
    if until is not None:
        words += ["--until", f"{until!r}s"]
    name = f"s-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
    desk.processes.start(name, [*words, "--name", name])
    return Told.of(typed(words), sweep=name)


def _check(path: Path, wanted: NewSweep, until: float | None) -> None:
    """Ranges, names and results; code of models is left to the process."""
    pairs = [_pair(text) for text in wanted.set]
    axes = [axis(name, text) for name, text in pairs]
    asked = Wanted(path, axes, until=until, asked=wanted.results)
    with code_withheld():
        try:
            checked(asked)
        except DescriptionError as error:
            if not any(getattr(p, "code", "") == CODE for p in error.problems):
                raise


def _pair(text: str) -> tuple[str, str]:
    name, _, values = text.partition("=")
    if not (name and values):
        raise UsageError(
            f"ranges {text}",
            "this is no name with values.",
            "Write upper.mass=8..12kg:5, without spaces in it.",
        )
    return name, values


@api.get("/{sweep}")
def look(desk: AtDesk, sweep: str) -> dict[str, Any]:
    """One sweep with its variants; also one that is about to begin."""
    command = typed(["sweeps", "show", sweep])
    words = desk.processes.last_words(sweep)
    try:
        found = _sweep(desk, sweep)
    except NotThere:
        if sweep not in desk.processes.started:
            raise
        status = "starting" if desk.processes.starting(sweep) else "failed"
        return {"id": sweep, "status": status, "error": words, "command": command}
    variants = found.variants()
    told = table(found)  # later than these: it has a row for each
    inputs = {n: c for n in told.parameters if _numeric(c := told.columns[n])}
    return {
        **_standing(found),
        "variants": [
            {**asdict(v), "why": v.why, "inputs": {n: c[k] for n, c in inputs.items()}}
            for k, v in enumerate(variants)
        ],
        "units": found.units,
        "input_units": {name: told.units[name] for name in inputs},
        "error": words,
        "command": command,
    }


@api.post("/{sweep}/cancel")
def cancel(desk: AtDesk, sweep: str) -> Told:
    """Nothing new begins; what is done is kept."""
    ask_to_stop(_sweep(desk, sweep))
    return Told.of(typed(["sweeps", "cancel", sweep]))


@api.post("/{sweep}/resume", status_code=201)
def resume(desk: AtDesk, sweep: str) -> Told:
    """What is left, and what failed, once more."""
    found = _sweep(desk, sweep)
    words = ["sweep", "--resume", found.id, "--failed"]
    desk.processes.start(found.id, words)
    return Told.of(typed(words), sweep=found.id)


def _sweep(desk: Desk, name: str) -> Sweep:
    for sweep in all_sweeps(desk.project.sweeps):
        if sweep.id == name:
            return sweep
    raise NotThere(
        f"sweep {name[:200]!r}",
        "there is no such sweep in the project.",
        "`bondline sweeps` lists them.",
    )


def _standing(sweep: Sweep) -> dict[str, Any]:
    told = sweep.standing
    return {**asdict(told), "path": str(told.path), "finished": told.finished}


def _numeric(column: Sequence[Any]) -> bool:
    return all(isinstance(value, float) for value in column)
