"""The project: the folder whose models and runs the page shows, nothing above it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bondline.errors import BondlineError, UsageError
from bondline.run import Run
from bondline.run.database import FILE

MAIN = "SystemStructure.ssd"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_SKIPPED = ("runs", "sweeps", "node_modules", "__pycache__", "docs", "src", "tests")
_DEPTH = 3


class NotThere(BondlineError):
    """Something that was asked for by name is not in the project."""

    exit_code = 2


@dataclass(frozen=True)
class Project:
    """A folder, and the runs in its `runs/`."""

    folder: Path

    @property
    def runs(self) -> Path:
        """Where its runs are."""
        return self.folder / "runs"

    @property
    def sweeps(self) -> Path:
        """Where its sweeps are."""
        return self.folder / "sweeps"

    @property
    def drafts(self) -> Path:
        """What the page keeps beside the runs: what processes said, reports."""
        return self.runs / ".web"

    def models(self) -> list[Path]:
        """The folder, if it is a model, and those below it, not too deep; relative."""
        own = [Path()] if (self.folder / MAIN).is_file() else []
        return sorted({*own, *_models(self.folder, self.folder, _DEPTH)})

    def tables(self) -> list[Path]:
        """Every CSV file beside a model or in the folder itself."""
        folders = {self.folder, *(self.folder / m for m in self.models())}
        found = {f for d in folders if d.is_dir() for f in d.glob("*.csv")}
        return sorted(f.relative_to(self.folder) for f in found)

    def inside(self, text: str, what: str = "file") -> Path:
        """A path of the project; `NotThere` for any other, through links or not."""
        try:
            path = (self.folder / text).resolve()
            good = path.is_relative_to(self.folder.resolve()) and path.exists()
        except (OSError, ValueError):
            good = False
        if not good or not text:
            raise NotThere(
                repr(text[:200]),
                f"there is no such {what} in the project.",
                "Take one that the page lists.",
            )
        return path

    def model(self, text: str) -> Path:
        """A model of the project by its path."""
        path = self.inside(text, "model")
        if path.suffix not in (".ssd", ".ssp") and not (path / MAIN).is_file():
            raise NotThere(repr(text[:200]), "it is no model.", "Take one that is.")
        return path

    def run(self, name: str) -> Run:
        """A run of the project by its id."""
        if not self._holds(name):
            raise NotThere(
                f"run {name[:200]!r}",
                "there is no such run in the project.",
                "`bondline runs` lists them.",
            )
        return Run(self.runs / name)

    def _holds(self, run: str) -> bool:
        """Only what is listed is a name: no path leads elsewhere."""
        try:
            listed = run in os.listdir(self.runs)
            return listed and (self.runs / run / FILE).is_file()
        except OSError:
            return False

    def free(self, name: str) -> Path:
        """Where a new file or folder of that name goes."""
        if not _NAME.fullmatch(name):
            raise UsageError(
                repr(name[:200]),
                "this cannot be a name here.",
                "Use letters, digits, points, dashes; no slash, no leading point.",
            )
        path = self.folder / name
        if name in _SKIPPED:
            raise UsageError(
                name, "no models are looked for there.", "Take another name."
            )
        if path.exists():
            raise UsageError(
                name, "it is there already.", "Take another name, or remove it first."
            )
        return path


def _models(top: Path, folder: Path, depth: int) -> Iterator[Path]:
    try:
        inside = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in inside:
        path = Path(entry.path)
        if entry.name.startswith(".") or entry.name in _SKIPPED:
            continue
        if entry.is_dir(follow_symlinks=False):
            if (path / MAIN).is_file():
                yield path.relative_to(top)
            elif depth > 1:
                yield from _models(top, path, depth - 1)
        elif path.suffix == ".ssp":
            yield path.relative_to(top)
