"""The work of one variant, wherever it is done: an ordinary run, taken up or begun."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bondline.build import Given, doubted, open_model, plan_of
from bondline.build.prepare import Opened
from bondline.errors import (
    BondlineError,
    Interrupted,
    LeafHung,
    LeafLost,
    PartnerUnreachable,
    StorageError,
)
from bondline.run import Run, Watch, create, open_run, resume
from bondline.run.agreement import check_model, differences
from bondline.run.database import FILE
from bondline.run.lock import is_held
from bondline.run.plan import Plan
from bondline.sweep.chosen import Chosen, chosen

PASSING = (LeafHung, LeafLost, PartnerUnreachable, StorageError)  # may be gone later
_OFTEN = 0.1  # s between looks at a run that another worker still writes


@dataclass(frozen=True)
class Task:
    """All that a worker must know. `package` travels where it cannot see `model`."""

    k: int
    run: str
    model: str
    runs: str
    stop: str
    given: Mapping[str, Any]
    until: float | None = None
    step: float | None = None
    asked: tuple[str, ...] = ()
    package: bytes = b""


@dataclass(frozen=True, eq=False)
class Answer:
    """What came of it: `done`, `failed` or `stopped`.

    `passing` failures may not happen again. `files` is the run, where the worker could
    not put it into the store itself.
    """

    k: int
    status: str
    seconds: float = 0.0
    worker: str = ""
    chosen: Chosen = field(default_factory=Chosen)
    reason: Mapping[str, str] = field(default_factory=dict)
    passing: bool = False
    files: Mapping[str, bytes] = field(default_factory=dict)


def perform(task: Task) -> Answer:
    """Run the variant, or go on with what an earlier worker left; never raises."""
    began = time.perf_counter()
    who = f"{platform.node()}:{os.getpid()}"
    try:
        with _at(task) as (model, runs):
            run = _run(task, model, runs)
            found = chosen(run, task.asked)
            files = _files(run) if task.package else {}
        spent = time.perf_counter() - began
        return Answer(task.k, "done", spent, who, found, files=files)
    except Interrupted:
        return Answer(task.k, "stopped", time.perf_counter() - began, who)
    except Exception as error:  # a worker must answer, whatever happens
        why, spent = reason(error), time.perf_counter() - began
        passing = isinstance(error, (*PASSING, OSError))
        return Answer(task.k, "failed", spent, who, reason=why, passing=passing)


def reason(error: Exception) -> dict[str, str]:
    """Why something failed, as plain data."""
    kind = type(error).__name__
    if isinstance(error, BondlineError):
        own = {key: getattr(error, key) for key in ("place", "finding", "remedy")}
        return {"kind": kind, **own}
    return {"kind": kind, "place": "", "finding": f"{kind}: {error}", "remedy": ""}


@contextmanager
def _at(task: Task) -> Iterator[tuple[Path, Path]]:
    """The model and the run store; of its own where the sweep's cannot be seen."""
    if not task.package:
        yield Path(task.model), Path(task.runs)
        return
    with tempfile.TemporaryDirectory(prefix="bondline-sweep-") as folder:
        model = Path(folder) / "model.ssp"
        model.write_bytes(task.package)
        yield model, Path(folder) / "runs"


def _files(run: Run) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in run.path.iterdir() if p.name != "lock"}


def _run(task: Task, model: Path, runs: Path) -> Run:
    opened = open_model(model, Given.load(task.given))
    plan = doubted(opened, plan_of(opened, task.until, task.step))
    run = _taken_up(task, runs / task.run, opened, plan)
    if run is None:
        run = create(runs, opened.model, plan, task.run)
    if run.summary.status != "done":
        resume(run, opened.model, watch=Watch(stopped=Path(task.stop).exists))
    return run


def _taken_up(task: Task, path: Path, opened: Opened, plan: Plan) -> Run | None:
    """What an earlier worker left, if this machine can go on with it."""
    if not (path / FILE).is_file():
        return None
    run = open_run(path)
    _await(run, Path(task.stop))
    facts = run.facts
    check_model(run, facts, opened.model, plan)
    if run.summary.status == "done" or not differences(facts):
        return run
    shutil.rmtree(path)  # half a run of another machine: its bits cannot go on here
    return None


def _await(run: Run, stop: Path, pause: Callable[[float], None] = time.sleep) -> None:
    """Until nobody writes it: a client that died may have left a worker at it."""
    while is_held(run.path):
        if stop.exists():
            raise Interrupted(
                f"run {run.id}",
                "stopped while another worker still writes it.",
                "Resume the sweep once that worker has ended.",
            )
        pause(_OFTEN)


def version() -> str:
    """What a worker has installed."""
    from bondline import __version__

    return __version__


def sees(path: str) -> bool:
    """Whether a worker can see that file."""
    return Path(path).is_file()
