"""A command line in this process, and one finished run that all tests share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bondline.cli import main


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Call = Callable[..., Answer]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Call the command line; everything it printed."""

    def run(*args: object) -> Answer:
        capsys.readouterr()
        code = main([str(a) for a in args])
        seen = capsys.readouterr()
        return Answer(code, seen.out, seen.err)

    return run


@pytest.fixture(scope="session")
def pendulum(project: Path) -> Path:
    return project / "examples" / "double_pendulum"


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, pendulum: Path) -> Path:
    """A project with one finished run, `good`, of 3 s; nobody may change it."""
    folder = tmp_path_factory.mktemp("project")
    command = ["--quiet", "--project", str(folder), "run", str(pendulum)]
    assert main([*command, "--name", "good"]) == 0
    return folder


def start(
    *args: object, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """The command line as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "bondline", *map(str, args)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
