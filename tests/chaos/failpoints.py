"""Named points at which a process dies, or is lied to: the calls it makes.

No line of ours knows of them. strace watches a process and, at the n-th call of a
kind, kills it before the call is made, or lets the call fail. What has been done until
then is exact and repeats; "after" a call is before the next one. Where a process ended
is read from what strace wrote: a point that was missed is not one that was survived.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.chaos.kills import FORKS, LIMIT

TURNS = [0, *(pytest.param(k, marks=pytest.mark.full) for k in range(1, 4))]
_ANY_TRACER = (0x59616D61, ctypes.c_ulong(-1).value)  # PR_SET_PTRACER, for Yama
_CALL = re.compile(r"^(\d+) +(\w+)\((.*)", re.DOTALL)


@dataclass(frozen=True)
class Call:
    """A call as strace writes it down."""

    thread: int
    name: str
    rest: str

    def on(self, file: str) -> bool:
        """Whether it is about such a file; the end of its path is enough."""
        return not file or bool(re.search(rf'{re.escape(file)}["> ]', self.rest))


@dataclass(frozen=True)
class Point:
    """The `nth` of the calls `name` about `file`, from its beginning on.

    `within` is the folder of the file, if its name is known before: then only calls
    about that file are counted.
    """

    name: str
    file: str = ""
    nth: int = 1
    within: Path | None = None

    def inject(self, what: str) -> list[str]:
        """strace's words for it."""
        only = [] if self.within is None else ["-P", str(self.within / self.file)]
        how = f"inject={self.name}:{what}:when={self.nth}"
        return [*only, "-e", f"trace={self.name}", "-e", how]


def calls(text: str) -> list[Call]:
    """Every call, in the order in which they began."""
    found = map(_CALL.match, text.splitlines())
    return [Call(int(m[1]), m[2], m[3]) for m in found if m]


def numbered(record: Sequence[Call], name: str, file: str, nth: int) -> Point:
    """The nth call about a file whose path nobody knows before, counted among all."""
    same = [call for call in record if call.name == name]
    mine = [k for k, call in enumerate(same, 1) if call.on(file)]
    return Point(name, file, mine[nth - 1])


def after(record: Sequence[Call], first: Point, then: Point) -> Point:
    """The next call like `then` once `first` has been, counted among those like it."""
    done = [
        k for k, c in enumerate(record) if c.name == first.name and c.on(first.file)
    ]
    end = done[first.nth - 1]
    before = [c for c in record[:end] if c.name == then.name and c.on(then.file)]
    return replace(then, nth=len(before) + 1)


@dataclass(frozen=True)
class Watched:
    """A process that waits to be let go, and what is written down about it."""

    process: BaseProcess
    gate: Connection
    tracer: subprocess.Popen[str]
    record: Path

    def end(self, limit: float = LIMIT) -> int:
        """Let it go to its end; its exit code."""
        self.gate.send(True)
        self.process.join(limit)
        assert self.process.exitcode is not None, "it did not end"
        self.tracer.communicate(timeout=limit)
        return self.process.exitcode

    @property
    def calls(self) -> list[Call]:
        return calls(self.record.read_text(errors="replace"))


@contextmanager
def watched(
    target: Callable[..., object], args: Sequence[object], *words: str
) -> Iterator[Watched]:
    """A process of its own under strace with these words."""
    ours, theirs = FORKS.Pipe()
    process = FORKS.Process(target=held, args=(theirs, target, *args), daemon=True)
    process.start()
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record"
        tracer = attached([process.pid or 0], record, words)
        try:
            yield Watched(process, ours, tracer, record)
        finally:
            process.kill()
            process.join(LIMIT)
            tracer.communicate(timeout=LIMIT)


def held(gate: Connection, target: Callable[..., object], *args: object) -> None:
    """Do that once the gate opens; until then anybody may come to watch."""
    ctypes.CDLL(None).prctl(*_ANY_TRACER, 0, 0, 0)
    gate.send(True)
    gate.recv()
    target(*args)


def attached(
    pids: Sequence[int], record: Path, words: Sequence[str]
) -> subprocess.Popen[str]:
    """strace with these words, which watches all of these processes."""
    command = ["strace", "-f", "-y", "-s", "64", "-o", str(record), *words]
    tracer = subprocess.Popen(
        [*command, *(word for pid in pids for word in ("-p", str(pid)))],
        stderr=subprocess.PIPE,
        text=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
    )
    assert tracer.stderr is not None
    for _ in pids:
        said = tracer.stderr.readline()
        assert "attached" in said, said
    return tracer


@cache
def no_strace() -> str:
    """Why nothing can be watched here; empty if it can."""
    if shutil.which("strace") is None:
        return "strace is not installed: nobody stops a process at a system call"
    trial = subprocess.run(
        ["strace", "-o", "/dev/null", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"strace may not watch: {trial.stderr.strip()}" if trial.returncode else ""
