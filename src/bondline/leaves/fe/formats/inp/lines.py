"""Lines of a deck: comments gone, included files in their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bondline.errors import DeckError
from bondline.leaves.fe.formats.inp.card import Line, squeezed
from bondline.leaves.fe.formats.inp.keyword import keyword
from bondline.leaves.fe.formats.row import short
from bondline.leaves.fe.formats.text import text_of

DEEPEST = 16
MOST_FILES = 1000


@dataclass
class Source:
    """A deck's files; `folder` is what included files must be in, if any may be."""

    folder: Path | None
    files: int = 0
    open: list[Path] = field(default_factory=list)

    def lines(self, text: str, file: str) -> Iterator[Line]:
        """Lines that are no comments, in order, across included files."""
        for number, line in enumerate(text.split("\n"), start=1):
            bare = line.strip()
            if bare.startswith("**"):
                continue
            here = Line(file, number, bare)
            if bare.startswith("*") and squeezed(bare[:12]).startswith("*INCLUDE"):
                yield from self._included(here)
            else:
                yield here

    def _included(self, line: Line) -> Iterator[Line]:
        path = self._inside(line)
        self._bounded(line, path)
        self.open.append(path)
        yield from self.lines(text_of(path, line), path.name)
        self.open.pop()

    def _inside(self, line: Line) -> Path:
        """The file that is meant, if it is in the deck's folder."""
        name = keyword(line).options.get("INPUT", "")
        if self.folder is None:
            raise wrong(
                line,
                f"it includes {short(name)}, but a deck given as text, or as a part of "
                "a model file, has no folder.",
                "Put the included lines into the deck; or read it from Python by its "
                "path.",
            )
        root = self.folder.resolve()
        path = _resolved(root, name, line)
        if not path.is_relative_to(root):
            raise wrong(
                line,
                f"{short(name)} is outside the deck's folder.",
                "Put the file beside the deck and name it relative to the deck.",
            )
        if not name or not path.is_file():
            raise wrong(
                line,
                f"there is no file {short(name)}.",
                "Give INPUT= a file in the deck's folder.",
            )
        return path

    def _bounded(self, line: Line, path: Path) -> None:
        self.files += 1
        if path in self.open:
            raise wrong(
                line,
                f"{path.name} includes itself.",
                "Take the *INCLUDE out of the included file.",
            )
        if len(self.open) >= DEEPEST or self.files > MOST_FILES:
            raise wrong(
                line,
                "there are too many included files.",
                f"Include at most {MOST_FILES} files, {DEEPEST} inside each other.",
            )


def _resolved(root: Path, name: str, line: Line) -> Path:
    try:
        return (root / name).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise wrong(
            line, f"{short(name)} is no path.", "Give the name of a file."
        ) from error


def wrong(line: Line, finding: str, remedy: str) -> DeckError:
    """An error at an *INCLUDE."""
    return DeckError(f"{line.file}:{line.number}, *INCLUDE", finding, remedy)
