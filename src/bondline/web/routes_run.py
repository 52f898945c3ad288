"""Requests about one run: where it stands, its numbers, its motion; stop and go on."""

from __future__ import annotations

import signal
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Response

from bondline.core import Vector
from bondline.errors import did_you_mean
from bondline.run.vitals import read_vitals
from bondline.web import scene
from bondline.web.bundle import bundle
from bondline.web.columns import Columns
from bondline.web.desk import ANSWERS, BYTES, AtDesk, Desk, raw
from bondline.web.processes import named, typed
from bondline.web.project import NotThere
from bondline.web.routes_home import standing
from bondline.web.thin import spectrum, thin
from bondline.web.told import Told

api = APIRouter(prefix="/api/runs/{run}", responses=ANSWERS, tags=["run"])
Names = Annotated[list[str], Query(alias="name", max_length=64)]
Instant = Annotated[float | None, Query(allow_inf_nan=False)]
Most = Annotated[int, Query(ge=4, le=200_000)]


@api.get("")
def look(desk: AtDesk, run: str) -> dict[str, Any]:
    """Status, facts, certificate and events; also of a run that is about to begin."""
    words = desk.processes.last_words(run)
    command = typed(["runs", "show", named(run)])
    try:
        found = desk.project.run(run)
    except NotThere:
        if run not in desk.processes.started:
            raise
        status = "starting" if desk.processes.starting(run) else "failed"
        return {"id": run, "status": status, "error": words, "command": command}
    return {
        **standing(desk, found.summary),
        "facts": found.facts,
        "certificate": found.certificate,
        "events": [asdict(event) for event in found.events],
        "error": words,
        "command": command,
    }


@api.get("/signals")
def signals(desk: AtDesk, run: str) -> dict[str, Any]:
    """Everything there is to plot, with units."""
    columns = desk.columns.of(desk.project.run(run))
    t = columns.t
    return {
        "signals": [asdict(one) for one in columns.about()],
        "instants": len(t),
        "from": float(t[0]) if len(t) else None,
        "to": float(t[-1]) if len(t) else None,
        "command": typed(["plot", named(run), "SIGNAL"]),
    }


@api.get("/series", responses=BYTES, response_class=Response)
def series(
    desk: AtDesk,
    run: str,
    names: Names,
    start: Annotated[float | None, Query(alias="from", allow_inf_nan=False)] = None,
    end: Annotated[float | None, Query(alias="to", allow_inf_nan=False)] = None,
    most: Most = 2000,
) -> Response:
    """Signals over time, thinned so that no peak is lost; a bundle."""
    t, columns, total = _cut(desk, run, names, start, end)
    at, found = thin(t, columns, most)
    arrays = {"t": at, **{f"{k}": y for k, y in enumerate(found.values())}}
    about = {"names": list(found), "instants": total, "thinned": len(at) < len(t)}
    return raw(bundle(about, arrays))


@api.get("/at")
def at_instant(
    desk: AtDesk,
    run: str,
    names: Names,
    t: Annotated[float, Query(allow_inf_nan=False)],
) -> dict[str, Any]:
    """Signals at one instant, from all there is and not from what a plot shows.

    Between two instants on the line that joins them; what is of a window, in all of it.
    """
    columns = desk.columns.of(desk.project.run(run))
    _require(columns, names)
    whole = {one.name for one in columns.about() if one.kind == "window"}
    return {"t": t, "values": [_at(columns, n, t, n in whole) for n in names]}


def _at(columns: Columns, name: str, t: float, whole: bool) -> float | None:
    instants, y = columns.t, columns.get(name)
    k = int(np.searchsorted(instants, t))
    if not len(instants) or t < instants[0] or k == len(instants):
        return None
    if whole or instants[k] == t:
        found = float(y[k])
    else:
        found = float(np.interp(t, instants[k - 1 : k + 1], y[k - 1 : k + 1]))
    return found if np.isfinite(found) else None


@api.get("/spectrum", responses=BYTES, response_class=Response)
def frequencies(
    desk: AtDesk,
    run: str,
    names: Names,
    start: Annotated[float | None, Query(alias="from", allow_inf_nan=False)] = None,
    end: Annotated[float | None, Query(alias="to", allow_inf_nan=False)] = None,
    most: Most = 2000,
) -> Response:
    """Amplitudes of signals over frequency; a bundle."""
    t, columns, total = _cut(desk, run, names, start, end)
    found = {name: spectrum(t, y) for name, y in columns.items()}
    f = max((f for f, _ in found.values()), key=len, default=np.zeros(0))
    same = {n: a if len(a) == len(f) else f * np.nan for n, (_, a) in found.items()}
    at, thinned = thin(f, same, most)
    arrays = {"t": at, **{f"{k}": y for k, y in enumerate(thinned.values())}}
    return raw(bundle({"names": list(thinned), "instants": total}, arrays))


def _cut(
    desk: Desk, run: str, names: list[str], start: float | None, end: float | None
) -> tuple[Vector, dict[str, Vector], int]:
    columns = desk.columns.of(desk.project.run(run))
    _require(columns, names)
    t = columns.t
    a = 0 if start is None else max(int(np.searchsorted(t, start)) - 1, 0)
    b = len(t) if end is None else int(np.searchsorted(t, end, side="right")) + 1
    return t[a:b], {name: columns.get(name)[a:b] for name in names}, len(t)


def _require(columns: Columns, names: list[str]) -> None:
    known = [one.name for one in columns.about()]
    for name in names:
        if name not in known:
            raise NotThere(
                f"signal {name[:200]!r}",
                f"run {columns.run.id} has no such signal.",
                did_you_mean(name[:200], known[:50]),
            )


@api.get("/vitals")
def vitals(
    desk: AtDesk, run: str, most: Annotated[int, Query(ge=1, le=2000)] = 24
) -> dict[str, Any]:
    """Times of the parts so far, and residuals by iteration, at the latest commits.

    Of runs that were made with --watch; others have none.
    """
    with desk.project.run(run).reading() as db:
        found = read_vitals(db, most)
    told = typed(["run", "--watch", "MODEL"])
    return {"vitals": [asdict(one) for one in found], "command": told}


@api.get("/scene", responses=BYTES, response_class=Response)
def still(desk: AtDesk, run: str) -> Response:
    """What the parts show, at rest; a bundle."""
    return raw(scene.geometry(desk.project.run(run)))


@api.get("/motion", responses=BYTES, response_class=Response)
def moving(
    desk: AtDesk,
    run: str,
    after: Annotated[int, Query(ge=-1, le=2**62)] = -1,
    most: Annotated[int, Query(ge=2, le=2000)] = 300,
) -> Response:
    """How it moves, thinned in time; a bundle."""
    return raw(scene.motion(desk.project.run(run), after, most))


@api.post("/stop")
def stop(desk: AtDesk, run: str) -> Told:
    """What Ctrl-C does: the window is finished, a checkpoint is written."""
    desk.processes.send(desk.project.run(run), signal.SIGINT, signal.SIGCONT)
    return Told.of("Ctrl-C, in the terminal of the run")


@api.post("/pause")
def pause(desk: AtDesk, run: str) -> Told:
    """Hold the process of a run; nothing is lost, nothing is written."""
    desk.processes.send(desk.project.run(run), signal.SIGSTOP)
    return Told.of("Ctrl-Z, in the terminal of the run")


@api.post("/continue")
def go_on(desk: AtDesk, run: str) -> Told:
    """Let a process that was held go on."""
    desk.processes.send(desk.project.run(run), signal.SIGCONT)
    return Told.of("fg, in the terminal of the run")


@api.post("/resume", status_code=201)
def resume(desk: AtDesk, run: str) -> Told:
    """Carry an interrupted run on from its last checkpoint."""
    return Told.of(desk.processes.resume(desk.project.run(run)), run=run)
