"""A real server and a real browser, where there is one.

Screenshots of every step go to the folder that BONDLINE_SCREENSHOTS names, or to the
temporary folder of the test.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import made  # noqa: F401 - a fixture

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIETLY = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)


@dataclass
class Server:
    """`bondline ui` as a process."""

    folder: Path
    process: subprocess.Popen[str]
    url: str

    @property
    def home(self) -> str:
        return self.url.partition("?")[0]


def serve(folder: Path, *flags: str) -> Server:
    command = [sys.executable, "-m", "bondline", "--json", "--project", str(folder)]
    process = subprocess.Popen(
        [*command, "ui", "--port", "0", *flags], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or lines[-1].strip() != "}":
        lines.append(process.stdout.readline())
        assert lines[-1], "the server ended before it said where it is"
    return Server(folder, process, json.loads("".join(lines))["url"])


def end(server: Server) -> None:
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(20) == 0, "Ctrl-C is how one ends it"
    assert server.process.stdout is not None
    assert server.process.stdout.read() == "", "one document, not two"
    server.process.stdout.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no chromium here; .ci/run installs one")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIETLY])
        yield made
        made.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = tmp_path / "project"
    folder.mkdir()
    found = serve(folder)
    yield found
    if found.process.poll() is None:
        end(found)


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    folder = Path(os.environ.get("BONDLINE_SCREENSHOTS", tmp_path / "screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
