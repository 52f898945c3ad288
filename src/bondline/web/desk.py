"""The desk: what every request has at hand, and how errors become answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, cast

from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.requests import HTTPConnection

from bondline.errors import (
    BondlineError,
    CorruptRun,
    DescriptionError,
    StorageError,
    UsageError,
    document,
)
from bondline.web.bundle import MEDIA
from bondline.web.columns import Shelf
from bondline.web.guard import HEADERS, Door
from bondline.web.processes import Processes
from bondline.web.project import NotThere, Project
from bondline.web.told import Failed
from bondline.web.vault import Vault

_STATUS: tuple[tuple[type[BondlineError], int], ...] = (
    (NotThere, 404),
    (UsageError, 409),
    (DescriptionError, 422),
    (StorageError, 507),
    (CorruptRun, 410),
)
ANSWERS: dict[int | str, dict[str, Any]] = {
    code: {"model": Failed, "description": words}
    for code, words in {
        400: "the request makes no sense",
        401: "no session is open",
        403: "from another page, or --read-only",
        404: "nothing of that name is in the project",
        409: "not now, or not so",
        410: "the record is damaged",
        421: "another host was meant",
        422: "the model or a value is wrong",
        429: "too many wrong guesses",
        507: "the disk says no",
    }.items()
}
BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA: {"schema": {"type": "string", "format": "binary"}}}}
}


@dataclass(frozen=True)
class Desk:
    """The project, its processes, the secrets, and what was read lately."""

    project: Project
    door: Door
    vault: Vault
    processes: Processes
    columns: Shelf = field(default_factory=Shelf)


def _desk(connection: HTTPConnection) -> Desk:
    return cast(Desk, connection.app.state.desk)


AtDesk = Annotated[Desk, Depends(_desk)]


async def complain(request: Request, error: Exception) -> Response:
    """An error of ours as an answer that teaches."""
    assert isinstance(error, BondlineError)
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 422)
    return JSONResponse(document(error), status)


async def misunderstand(request: Request, error: Exception) -> Response:
    """A request whose values do not fit, in words and without the values."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(piece) for piece in first["loc"][1:]) or "the request"
    words = {
        "code": 422,
        "place": place[:200].encode("utf-8", "replace").decode(),
        "finding": f"{first['msg'].removeprefix('Value error, ')}.",
        "remedy": "Correct the value.",
    }
    return JSONResponse({"error": words}, 422)


async def surprised(request: Request, error: Exception) -> Response:
    """A fault of ours; the guard, which adds headers, does not see this answer."""
    words = {
        "code": 500,
        "finding": "this is a fault of Bondline.",
        "remedy": "The terminal of `bondline ui` says more; please report it.",
    }
    return JSONResponse({"error": words}, 500, headers=dict(HEADERS))


def raw(data: bytes) -> Response:
    """A bundle as an answer."""
    return Response(data, media_type=MEDIA)
