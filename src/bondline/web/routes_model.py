"""Requests about one model: look, check, try a change, edit, run."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from bondline.web import models, rest
from bondline.web.amounts import settled
from bondline.web.desk import ANSWERS, BYTES, AtDesk, raw
from bondline.web.processes import flags, typed
from bondline.web.told import Changes, Text, Told, Wanted

api = APIRouter(prefix="/api/model", responses=ANSWERS, tags=["model"])
Path = Annotated[str, Query(alias="path", max_length=300)]


@api.get("")
def look(desk: AtDesk, path: Path) -> dict[str, Any]:
    """What a model is made of, and what is wrong with it."""
    told = models.described(desk.project.model(path), Changes())
    return {**told, "path": path, "command": typed(["check", path])}


@api.post("/try")
def attempt(desk: AtDesk, wanted: Wanted) -> dict[str, Any]:
    """The same with changes; nothing is written."""
    path = desk.project.model(wanted.model)
    told = models.described(path, wanted.changes)
    changes = wanted.changes if "error" in told else settled(wanted.changes)
    words = ["run", wanted.model, *flags(changes)]
    return {**told, "path": wanted.model, "command": typed(words)}


@api.get("/scene", responses=BYTES, response_class=Response)
def as_it_is(desk: AtDesk, path: Path) -> Response:
    """What the parts show where the model starts; a bundle."""
    return raw(rest.at_rest(desk.project.model(path), Changes()))


@api.post("/scene", responses=BYTES, response_class=Response)
def at_rest(desk: AtDesk, wanted: Wanted) -> Response:
    """The same with changes."""
    return raw(rest.at_rest(desk.project.model(wanted.model), wanted.changes))


@api.get("/source")
def source(
    desk: AtDesk, path: Path, file: Annotated[str, Query(max_length=300)]
) -> dict[str, Any]:
    """A file of the model as text."""
    return models.source(desk.project.model(path), file)


@api.put("/source")
def edit(desk: AtDesk, wanted: Text) -> Told:
    """Write a file of the model, if nobody else did since it was read."""
    path = desk.project.model(wanted.model)
    told = models.replace(path, wanted.file, wanted.text, wanted.before)
    return Told.of(typed(["check", wanted.model]), **told)


@api.post("/run", status_code=201)
def run(desk: AtDesk, wanted: Wanted) -> Told:
    """Start a run, in a process of its own."""
    desk.project.model(wanted.model)
    name, command = desk.processes.run(wanted.model, settled(wanted.changes))
    return Told.of(command, run=name)
