"""The voice: how a command speaks, and where it keeps runs."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer


@dataclass
class Voice:
    """What the global flags ask for; one a call of the command line.

    Answers go to stdout, messages to stderr. With `json` the only thing on stdout is
    one document; with `quiet` only answers and errors are left.
    """

    json: bool = False
    quiet: bool = False
    verbose: bool = False
    color: bool | None = None  # None: as the terminal can
    project: Path = field(default_factory=Path)

    @property
    def runs(self) -> Path:
        """Where the runs of the project are."""
        return self.project / "runs"

    @property
    def sweeps(self) -> Path:
        """Where its sweeps are."""
        return self.project / "sweeps"

    def answer(self, document: Mapping[str, Any], show: Callable[[], None]) -> None:
        """Give the answer: as a document, or as `show` prints it for people."""
        if self.json:
            typer.echo(json.dumps(document, indent=2, default=str))
        else:
            show()

    def print(self, text: str = "") -> None:
        """A line of an answer."""
        if not self.json:
            typer.echo(text, color=self.color)

    def say(self, text: str = "") -> None:
        """A line that `--quiet` leaves out."""
        if not self.quiet:
            self.print(text)

    def note(self, text: str) -> None:
        """A message beside the answer."""
        if not self.quiet:
            typer.echo(text, err=True, color=self.color)

    def complain(self, text: str) -> None:
        """A message that is always given."""
        typer.echo(text, err=True, color=self.color)


def voice(ctx: typer.Context) -> Voice:
    """The voice of this call."""
    found = ctx.find_root().obj
    assert isinstance(found, Voice), "main() gives every call its voice"
    return found


def bold(text: str) -> str:
    """Important."""
    return typer.style(text, bold=True)


def dim(text: str) -> str:
    """Beside the point."""
    return typer.style(text, dim=True)


def red(text: str) -> str:
    """Wrong."""
    return typer.style(text, fg="red", bold=True)


def yellow(text: str) -> str:
    """Doubtful."""
    return typer.style(text, fg="yellow", bold=True)


def green(text: str) -> str:
    """Right."""
    return typer.style(text, fg="green")


def fit(text: str, indent: int, first: int | None = None, err: bool = False) -> str:
    """The text folded to the terminal, later lines indented; as it is elsewhere.

    `first` is the column where it begins, if that is not `indent`.
    """
    width = columns(err)
    if width is None:
        return text
    lead = min(indent if first is None else first, width - 20)
    lines = textwrap.wrap(
        text,
        max(40, width - 1),
        initial_indent=" " * lead,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)[lead:]


def columns(err: bool = False) -> int | None:
    """Width of the terminal that reads stdout (or stderr); None if it is none."""
    stream = sys.stderr if err else sys.stdout
    return shutil.get_terminal_size().columns if stream.isatty() else None


def flow(pieces: Sequence[str], indent: int) -> str:
    """Pieces side by side, as many as the terminal holds; all in one line elsewhere."""
    width = columns() or 10**6
    lines, room = [""], 0
    for piece in pieces:
        if lines[-1] and room + len(piece) > width:
            lines.append("")
            room = 0
        joint = "   " if lines[-1] else ""
        lines[-1] += f"{joint}{piece}"
        room = indent + len(lines[-1]) + 3
    return f"\n{' ' * indent}".join(lines)
