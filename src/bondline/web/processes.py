"""Runs that the page starts: processes of their own, which outlive page and server.

They are the same `bondline run` that one types. Stopping is what Ctrl-C does, and works
for runs from a terminal as well: the lock of a run says which process writes it.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from bondline.errors import BondlineError, UsageError
from bondline.run import Run
from bondline.run.lock import NAME, is_held
from bondline.web.project import Project
from bondline.web.told import Changes

PATIENCE = 300.0  # s for a command whose answer we wait for
_SETTINGS = ("coupling", "scheme", "solver", "refresh")
_NUMBERS = {"tolerance": "--tol", "max_iterations": "--max-iter"}


class Failure(BondlineError):
    """A command that the page gave has failed; says what it said."""

    exit_code = 1


def typed(words: Sequence[str]) -> str:
    """A command as one would type it."""
    return shlex.join(["bondline", *words])


def named(run: str) -> str:
    """A run as an argument; a name that looks like a flag goes by its path."""
    return f"runs/{run}" if run.startswith("-") else run


def flags(changes: Changes) -> list[str]:
    """The flags of `bondline run` that stand for changes."""
    found = []
    for name, value in changes.set.items():
        found += ["--set", f"{name}={value}"]
    for name in _SETTINGS:
        if (word := getattr(changes, name)) is not None:
            found += [f"--{name}", str(word)]
    for name, flag in _NUMBERS.items():
        if (number := getattr(changes, name)) is not None:
            found += [flag, _written(number)]
    for name in ("until", "step"):
        if (time := getattr(changes, name)) is not None:
            found += [f"--{name}", _written(time, "s")]
    return found


def _written(given: float | str, unit: str = "") -> str:
    return given if isinstance(given, str) else f"{given!r}{unit}"


def writer_of(run: Run) -> int | None:
    """The process that writes a run, if one does."""
    if not is_held(run.path):
        return None
    try:
        return int((run.path / NAME).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def paused(pid: int) -> bool:
    """Whether a process was halted by a signal; False where nobody can tell."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[:1] == ["T"]


@dataclass
class Processes:
    """Starts commands in the project, and knows what became of them."""

    project: Project
    patience: float = PATIENCE
    started: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    lock: Any = field(default_factory=Lock)

    def run(self, model: str, changes: Changes) -> tuple[str, str]:
        """Start a run: its id, and the command."""
        now = datetime.now(UTC)
        name = f"r-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        words = ["run", model, *flags(changes), "--watch"]
        self.start(name, [*words, "--name", name])
        return name, typed(words)

    def resume(self, run: Run) -> str:
        """Go on with a run that stands still."""
        if writer_of(run) is not None:
            raise UsageError(run.id, "it is running.", "Stop it first.")
        if run.summary.status == "done" and not self.starting(run.id):
            raise UsageError(
                run.id, "it is done, to its end.", "`bondline run` makes another."
            )
        words = ["run", "--resume", named(run.id), "--watch"]
        self.start(run.id, words)
        return typed(words)

    def start(self, name: str, words: list[str]) -> None:
        """Start a command that works on the run or sweep `name`; one at a time."""
        with self.lock:
            if self.starting(name):
                raise UsageError(
                    name, "a process is at work on it.", "Wait until it has ended."
                )
            self.started[name] = self._process(name, words)

    def _process(self, name: str, words: list[str]) -> subprocess.Popen[bytes]:
        self.project.drafts.mkdir(parents=True, exist_ok=True)
        with (
            self._log(name, "out").open("wb") as out,
            self._log(name, "err").open("wb") as err,
        ):
            return subprocess.Popen(
                [*_US, "--project", ".", "--json", *words, "--no-progress"],
                cwd=self.project.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,  # our end is not its end
            )

    def _log(self, name: str, kind: str) -> Path:
        return self.project.drafts / f"{name}.{kind}"

    def starting(self, name: str) -> bool:
        """Whether a process of ours is at work on that run."""
        process = self.started.get(name)
        return process is not None and process.poll() is None

    def last_words(self, name: str) -> dict[str, Any]:
        """The error that the last process of a run ended with; empty if none."""
        process = self.started.get(name)
        if process is None or process.poll() in (None, 0, 10):
            return {}
        try:
            said = json.loads(self._log(name, "out").read_text(encoding="utf-8"))
            return dict(said["error"])
        except (OSError, ValueError, KeyError, TypeError):
            return {"place": name, "finding": f"ended with {process.returncode}"}

    def send(self, run: Run, *signals: signal.Signals) -> None:
        """Signals to the process that writes a run."""
        pid = writer_of(run)
        if pid is None:
            raise UsageError(run.id, "no process writes it.", "Resume it first.")
        try:
            for number in signals:
                os.kill(pid, number)
        except OSError as error:
            raise UsageError(
                run.id,
                f"process {pid} cannot be reached ({error.strerror}).",
                "It has just ended, or is another user's: look at the run again.",
            ) from error

    def wait(self, words: Sequence[str]) -> dict[str, Any]:
        """Call a command, and its answer."""
        done = self._done(words)
        try:
            answer: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            answer = {}
        if "error" in answer or not answer:
            told = answer.get("error", {})
            raise Failure(
                str(told.get("place", typed(words))),
                str(told.get("finding", f"it ended with {done.returncode}.")),
                str(told.get("remedy", "")),
            )
        return answer

    def _done(self, words: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [*_US, "--project", ".", "--json", *words],
                cwd=self.project.folder,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=self.patience,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Failure(
                typed(words),
                f"it was not done after {self.patience:g} s, and was ended.",
                "Give the command in a terminal, where nobody ends it.",
            ) from error


_US = (sys.executable, "-m", "bondline")
