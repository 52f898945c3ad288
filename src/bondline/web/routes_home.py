"""Requests of the first screen: what is in the project, and something new in it."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from bondline import __version__
from bondline.errors import UsageError
from bondline.run import Summary, summaries
from bondline.sweep import all_sweeps
from bondline.web import models
from bondline.web.desk import ANSWERS, AtDesk, Desk
from bondline.web.processes import paused, typed, writer_of
from bondline.web.told import NewModel, Told

api = APIRouter(prefix="/api", responses=ANSWERS, tags=["project"])
MOST_BYTES = 64_000_000
_TAKEN = (".ssp", ".csv")


@api.get("/project")
def project(desk: AtDesk) -> dict[str, Any]:
    """Where we are: folder, version, what may be done."""
    return {
        "folder": str(desk.project.folder.resolve()),
        "name": desk.project.folder.resolve().name,
        "version": __version__,
        "read_only": desk.door.read_only,
        "command": typed(["runs"]),
    }


@api.get("/models")
def all_models(desk: AtDesk) -> dict[str, Any]:
    """Models, templates and tables."""
    return {
        "models": models.shelf(desk.project),
        "templates": models.offered(),
        "tables": [str(path) for path in desk.project.tables()],
        "command": typed(["init", "NAME", "--template", "TEMPLATE"]),
    }


@api.get("/runs")
def all_runs(desk: AtDesk) -> dict[str, Any]:
    """Every run of the project, the newest first, whoever started it.

    Runs that are variants of a sweep say of which.
    """
    good, bad = summaries(desk.project.runs)
    sweeps = {sweep.id for sweep in all_sweeps(desk.project.sweeps)}
    return {
        "runs": [
            {**standing(desk, s), "sweep": _sweep_of(s.id, sweeps)}
            for s in reversed(good)
        ],
        "unreadable": [{"place": e.place, "finding": e.finding} for e in bad],
        "command": typed(["runs"]),
    }


def _sweep_of(run: str, sweeps: Collection[str]) -> str | None:
    sweep, _, number = run.rpartition(".")
    return sweep if sweep in sweeps and number.isdigit() else None


def standing(desk: Desk, s: Summary) -> dict[str, Any]:
    """Where a run stands, as plain data."""
    told = {**asdict(s), "path": str(s.path)}
    if s.status == "running":
        with contextlib.suppress(UsageError):
            pid = writer_of(desk.project.run(s.id))
            if pid is not None and paused(pid):
                told["status"] = "paused"
    elif desk.processes.starting(s.id):
        told["status"] = "starting"
    return told


@api.post("/models", status_code=201)
def new_model(desk: AtDesk, wanted: NewModel) -> Told:
    """A model of one's own, from a template."""
    desk.project.free(wanted.name)
    words = ["init", wanted.name, "--template", wanted.template]
    made = desk.processes.wait(words)
    return Told.of(typed(words), model=wanted.name, files=made["files"])


@api.post("/files", status_code=201)
async def new_file(
    desk: AtDesk, request: Request, name: Annotated[str, Query(max_length=100)]
) -> Told:
    """A model (.ssp) or a table (.csv) that was dropped on the page."""
    path = desk.project.free(name)
    if path.suffix not in _TAKEN:
        raise UsageError(name, "such files are not taken.", "Drop an .ssp or a .csv.")
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > MOST_BYTES:
            raise UsageError(name, "it is too large.", "Copy it into the folder.")
    path.write_bytes(bytes(data))
    return Told.of(f"cp {name} .", file=name)


@api.post("/link", status_code=201)
def new_link(desk: AtDesk) -> Told:
    """A link that opens the page once more, in another browser."""
    token = desk.vault.link()
    url = f"http://{desk.door.hosts[0]}/?token={token}"
    return Told.of("bondline ui", url=url)
