"""Requests that make something of runs: comparisons, reports, files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from os import SEEK_END
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Response
from fastapi.responses import FileResponse, StreamingResponse

from bondline.errors import UsageError
from bondline.run import Results, Table, Tolerance, compare, csv_lines, read_csv
from bondline.run.compare import interpolate
from bondline.web.bundle import bundle
from bondline.web.desk import ANSWERS, BYTES, AtDesk, Desk, raw
from bondline.web.processes import named, typed
from bondline.web.project import NotThere
from bondline.web.thin import thin
from bondline.web.told import Compared, Reported, Told

api = APIRouter(prefix="/api", responses=ANSWERS, tags=["results"])
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
REPORT_HEADERS = {
    "content-security-policy": REPORT_POLICY,
    "x-frame-options": "SAMEORIGIN",
}
_CELLS = re.compile(r"[,;\t]")
MADE = {
    **{"glb": "model/gltf-binary", "gif": "image/gif", "html": "text/html"},
    **{"parquet": "application/vnd.apache.parquet", "vtkhdf": "application/zip"},
}
FILES: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind: {"schema": {"type": "string"}} for kind in MADE.values()}}
}


@api.get("/runs/{run}/references")
def references(desk: AtDesk, run: str) -> dict[str, Any]:
    """Tables of the project, those that have most signals in common first.

    A table that ends as the run does is an `export` of it; these are last.
    """
    columns = desk.columns.of(desk.project.run(run))
    known = {one.name for one in columns.about()}
    found: list[dict[str, Any]] = []
    for path in desk.project.tables():
        head, last = _edges(desk.project.folder / path)
        common = known.intersection(head)
        same = bool(common) and all(last.get(n) == columns.get(n)[-1] for n in common)
        found.append({"path": str(path), "common": len(common), "export": same})
    found.sort(key=lambda one: (one["export"], -one["common"], one["path"]))
    words = ["compare", named(run), "--reference", "FILE.csv"]
    return {"references": found, "command": typed(words)}


def _edges(path: Path) -> tuple[list[str], dict[str, float]]:
    """Names of the columns of a table, and its last row; none if it cannot be read."""
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            lines = (line for line in islice(file, 50) if line.strip())
            head = next((line for line in lines if line.lstrip()[0] != "#"), "")
        end = _tail(path).decode("utf-8", "replace").split("\n")[-1]
    except OSError:
        return [], {}
    names, cells = (_CELLS.split(line[:100_000]) for line in (head, end))
    named = [name.strip().strip('"') for name in names]
    try:
        return named, dict(zip(named, map(float, cells), strict=True))
    except ValueError:
        return named, {}


def _tail(path: Path) -> bytes:
    with path.open("rb") as file:
        size = file.seek(0, SEEK_END)
        file.seek(max(0, size - 100_000))
        return file.read().rstrip()


@api.post("/compare")
def compared(desk: AtDesk, wanted: Compared) -> dict[str, Any]:
    """How far a run is from another one, or from a table."""
    results, other, words = _sides(desk, wanted.a, wanted.b, wanted.reference)
    found = compare(results, other, Tolerance(wanted.rtol, wanted.atol))
    words += ["--rtol", repr(wanted.rtol), "--atol", repr(wanted.atol)]
    rows = [
        {**asdict(d), "ok": d.ok, "verdict": d.verdict, "unit": results.units[d.signal]}
        for d in found.differences
    ]
    return {
        "ok": found.ok,
        "instants": found.instants,
        "skipped": found.skipped,
        "alone": list(found.alone),
        "signals": rows,
        "command": typed(words),
    }


@api.get("/compare/series", responses=BYTES, response_class=Response)
def overlaid(
    desk: AtDesk,
    a: Annotated[str, Query(max_length=300)],
    signal: Annotated[str, Query(max_length=300)],
    b: Annotated[str | None, Query(max_length=300)] = None,
    reference: Annotated[str | None, Query(max_length=300)] = None,
    most: Annotated[int, Query(ge=4, le=200_000)] = 2000,
) -> Response:
    """One signal of both sides at the instants of the reference, and their difference.

    A bundle of t, a, b, d.
    """
    results, other, _ = _sides(desk, a, b, reference)
    left = Table.of(results)
    right = other if isinstance(other, Table) else Table.of(other)
    if signal not in left.columns or signal not in right.columns:
        raise NotThere(signal[:200], "not both sides have it.", "Take another signal.")
    inside = (right.t >= left.t[0]) & (right.t <= left.t[-1])
    t, theirs = right.t[inside], right.columns[signal][inside]
    ours = interpolate(left.t, left.columns[signal], t)
    at, columns = thin(t, {"a": ours, "b": theirs, "d": ours - theirs}, most)
    return raw(bundle({"unit": results.units[signal]}, {"t": at, **columns}))


def _sides(
    desk: Desk, a: str, b: str | None, reference: str | None
) -> tuple[Results, Results | Table, list[str]]:
    results = desk.project.run(a).results(shapes=False)
    if (b is None) == (reference is None):
        raise UsageError("compare", "there must be one other side.", "Give b, or csv.")
    if b is not None:
        other = desk.project.run(b).results(shapes=False)
        return results, other, ["compare", named(a), named(b)]
    path = desk.project.inside(reference or "", "table")
    if path.suffix != ".csv":
        raise NotThere(repr(path.name), "it is no CSV table.", "Take one that is.")
    words = ["compare", named(a), "--reference", reference or ""]
    return results, read_csv(path), words


@api.post("/runs/{run}/report", status_code=201)
def report(desk: AtDesk, run: str, wanted: Reported) -> Told:
    """Write the report of a run; the page then reads it."""
    found = desk.project.run(run)
    words = ["report", named(run)]
    if wanted.reference:
        desk.project.inside(wanted.reference, "table")
        words += ["--reference", wanted.reference]
    desk.project.drafts.mkdir(parents=True, exist_ok=True)
    made = desk.project.drafts / f"{found.id}.report.html"
    desk.processes.wait([*words, "-o", str(made.relative_to(desk.project.folder))])
    return Told.of(typed([*words, "-o", "report.html"]), run=run)


@api.get("/runs/{run}/report", responses=FILES, response_class=Response)
def read_report(desk: AtDesk, run: str) -> Response:
    """The report that was written; it may run nothing and load nothing."""
    made = desk.project.drafts / f"{desk.project.run(run).id}.report.html"
    if not made.is_file():
        raise NotThere(f"report of {run}", "there is none yet.", "Make it first.")
    return FileResponse(made, media_type="text/html", headers=REPORT_HEADERS)


@api.get("/runs/{run}/export.csv", response_class=Response)
def export_csv(desk: AtDesk, run: str) -> Response:
    """All signals, a row an instant."""
    results = desk.project.run(run).results(shapes=False)
    lines = (f"{line}\n" for line in csv_lines(results))
    name = _attached(f"{run}.csv")
    return StreamingResponse(lines, media_type="text/csv", headers=name)


@api.get("/runs/{run}/export", responses=FILES, response_class=Response)
def export(
    desk: AtDesk,
    run: str,
    to: Annotated[str, Query(pattern="^(parquet|vtkhdf)$")] = "parquet",
) -> Response:
    """Signals as a Parquet table, or surfaces as VTKHDF files in an archive."""
    return _made(desk, run, to, ["export", named(run), "--to", to])


@api.get("/runs/{run}/animation", responses=FILES, response_class=Response)
def animation(
    desk: AtDesk, run: str, to: Annotated[str, Query(pattern="^(glb|gif)$")] = "glb"
) -> Response:
    """The run moving, as a file for other programs."""
    return _made(desk, run, to, ["animate", named(run)])


def _made(desk: Desk, run: str, to: str, words: Sequence[str]) -> Response:
    """What a command makes; beside the project, which may be there to be looked at."""
    desk.project.run(run)
    with TemporaryDirectory() as folder:
        made, name = Path(folder) / f"run.{to}", f"{run}.{to}"
        desk.processes.wait([*words, "-o", str(made)])
        if made.is_dir():  # a file a part
            made, name = (
                Path(shutil.make_archive(str(made), "zip", made)),
                f"{name}.zip",
            )
        data = made.read_bytes()
    return Response(data, media_type=MADE[to], headers=_attached(name))


def _attached(name: str) -> dict[str, str]:
    return {"content-disposition": f"attachment; filename*=utf-8''{quote(name)}"}
