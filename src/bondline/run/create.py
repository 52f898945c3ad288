"""Create: a new run on the disk, whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bondline.core import Model
from bondline.errors import UsageError
from bondline.run import database
from bondline.run.chain import canonical, digest
from bondline.run.fingerprint import fingerprint, threads, versions
from bondline.run.grid import Grid
from bondline.run.plan import Plan
from bondline.run.store import PACKAGE, Run
from bondline.wire.durable import make_folder, sync


def create(runs: Path, model: Model, plan: Plan, name: str | None = None) -> Run:
    """A new run in the folder `runs`, with nothing in it yet.

    Without a `name` its id tells the second it was made in.
    """
    Grid(plan.start, plan.step, plan.until)
    now = datetime.now(UTC)
    with database.explained(runs):
        _shelf(runs)
        path = _free_name(runs, now) if name is None else _named(runs, name)
        with _draft(path) as draft:
            (draft / PACKAGE).write_bytes(plan.package)
            _fill(
                draft / database.FILE, path.name, _facts(model, plan, now), plan.until
            )
    return Run(path)


@contextlib.contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A folder that gets its name when it is complete, also if the power fails."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")
    draft.mkdir()
    try:
        yield draft
        sync(draft / PACKAGE, draft)
        draft.rename(path)
        sync(path.parent)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _shelf(runs: Path) -> None:
    """Make the folder, durably; clear away what a killed `create` left in it."""
    make_folder(runs)
    for path in runs.iterdir():
        if _DRAFT.fullmatch(path.name) and _abandoned(path):
            shutil.rmtree(path, ignore_errors=True)


_DRAFT = re.compile(r"\..+\.[0-9a-f]{8}\.draft")
_STALE = 3600.0  # s; a draft lives for milliseconds


def _abandoned(draft: Path) -> bool:
    try:
        return time.time() - draft.stat().st_mtime > _STALE
    except OSError:  # it has got its name, or somebody else cleared it away
        return False


def count_leaves(model: Any) -> int:
    """Models that are not made of models."""
    parts: Mapping[str, Any] = getattr(model, "parts", {})
    return sum(count_leaves(part) for part in parts.values()) or 1


def _facts(model: Model, plan: Plan, now: datetime) -> dict[str, Any]:
    return {
        "created": now.isoformat(timespec="microseconds"),
        "model": model.name,
        "digest": plan.model_digest,
        "package": hashlib.sha256(plan.package).hexdigest(),
        "leaves": count_leaves(model),
        "start": plan.start,
        "step": plan.step,
        "settings": dict(plan.settings),
        "notes": list(plan.notes),
        "versions": versions(),
        "fingerprint": fingerprint(),
        "threads": threads(),
    }


def _fill(file: Path, name: str, facts: dict[str, Any], until: float) -> None:
    text = canonical(facts)
    seal = digest(name.encode(), text.encode())
    with closing(database.make(file)) as db:
        db.execute(
            "INSERT INTO run VALUES (?, ?, ?, ?, 'interrupted', ?, NULL, NULL)",
            (name, text, seal, until, "not started yet"),
        )
        database.copy_over(db)


def _named(runs: Path, name: str) -> Path:
    if not name or Path(name).name != name or name[0] == "." or name == "latest":
        raise UsageError(
            f"run {name!r}",
            "this cannot be the name of a run.",
            "Use letters, digits, dashes; no slash, no leading point, not 'latest'.",
        )
    _give_up(runs / name)
    if (runs / name).exists():
        raise UsageError(
            f"run {name!r}",
            f"there is one of this name in {runs}.",
            f"Take another name, resume it, or remove it: bondline runs rm {name}",
        )
    return runs / name


def _give_up(path: Path) -> None:
    """A run that failed before its first window has nothing to keep, nor a name."""
    if not (path / database.FILE).is_file():
        return
    there = Run(path).summary
    if there.status == "failed" and not there.windows:
        shutil.rmtree(path)


def _free_name(runs: Path, now: datetime) -> Path:
    while True:
        path = runs / f"r-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        if not path.exists():
            return path
