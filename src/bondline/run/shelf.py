"""The shelf: all runs of a folder, found by id, by a piece of it, or by path."""

from __future__ import annotations

import re
from pathlib import Path

from bondline.errors import BondlineError, StorageError, UsageError, did_you_mean
from bondline.run.database import FILE
from bondline.run.store import Run, Summary


def open_run(path: Path) -> Run:
    """The run in the folder `path`; `StorageError` if there is none."""
    folder = path.parent if path.name == FILE else path
    if not (folder / FILE).is_file():
        raise StorageError(
            str(folder),
            f"no run is stored here: there is no {FILE}.",
            "Give the folder of a run; `bondline runs` lists them.",
        )
    return Run(folder)


def all_runs(runs: Path) -> list[Run]:
    """Every run in the folder, oldest first; an empty list if there is no folder."""
    if not runs.is_dir():
        return []
    found = (p for p in runs.iterdir() if not p.name.startswith("."))
    return [Run(p) for p in sorted(found) if (p / FILE).is_file()]


def summaries(runs: Path) -> tuple[list[Summary], list[BondlineError]]:
    """What stands on the shelf, oldest first, and what cannot be read."""
    good, bad = [], []
    for run in all_runs(runs):
        try:
            good.append(run.summary)
        except BondlineError as error:
            bad.append(error)
    return sorted(good, key=lambda s: (s.created, s.id)), bad


def find(runs: Path, text: str) -> Run:
    """The run that `text` means.

    A path, an id, the beginning or the end of one, both with `…` between, or `latest`.
    """
    if (Path(text) / FILE).is_file() or Path(text).name == FILE:
        return open_run(Path(text))
    if text == "latest":
        return _latest(runs)
    matches = [run for run in all_runs(runs) if _means(text, run.id)]
    exact = [run for run in matches if run.id == text]
    matches = exact or matches
    if len(matches) > 1:
        raise UsageError(
            f"run {text!r}",
            f"{len(matches)} runs fit: {', '.join(run.id for run in matches)}.",
            "Give more of the id.",
        )
    return matches[0] if matches else _unknown(runs, text)


def _means(text: str, name: str) -> bool:
    if name == text:
        return True
    head, gap, tail = re.sub(r"\.\.\.", "…", text).partition("…")
    if gap:
        return name.startswith(head) and name.endswith(tail)
    return bool(text) and (name.startswith(text) or name.endswith(text))


def _latest(runs: Path) -> Run:
    known, _ = summaries(runs)
    if not known:
        return _unknown(runs, "latest")
    return Run(known[-1].path)


def _unknown(runs: Path, text: str) -> Run:
    known = [run.id for run in all_runs(runs)]
    if not known:
        raise UsageError(
            f"run {text!r}",
            f"there are no runs in {runs}.",
            "Make one with `bondline run MODEL`, or give the path of a run.",
        )
    raise UsageError(
        f"run {text!r}", f"no run in {runs} has this id.", did_you_mean(text, known)
    )
