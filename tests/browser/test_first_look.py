"""The second of two commands: `./run demo --open`, and a glued pendulum moves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LIMIT = 300.0  # s; the machine may be busy
PICTURES = "(window.bondline?.view?.t.length ?? 0) > 100"


@pytest.fixture
def link(tmp_path: Path, project: Path) -> Iterator[str]:
    """What the demo gives the browser of a new user; Ctrl-C ends it."""
    told = tmp_path / "link"
    browser = tmp_path / "xdg-open"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" >{told}~ && mv {told}~ {told}\n')
    browser.chmod(0o755)
    environment = {
        **os.environ,
        **{"BONDLINE_VENV": sys.prefix, "BONDLINE_AS_IS": "1"},
        **{"BROWSER": str(browser), "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    }
    command = [str(project / "run"), "demo", "--open", "--out", str(tmp_path / "demo")]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    )
    until = time.monotonic() + LIMIT
    while not told.is_file() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    yield told.read_text(encoding="ascii")
    os.killpg(process.pid, signal.SIGINT)
    process.wait(30)


@pytest.mark.full
def test_the_demo_moves_by_itself(browser: Any, link: str, shots: Path) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 860})
    tab = context.new_page()
    tab.goto(link)
    for words in (PICTURES, "window.bondline?.view?.time > 0.5"):
        for _ in range(600):
            if tab.evaluate(words):
                break
            tab.wait_for_timeout(100)
        assert tab.evaluate(words), f"never: {words}"
    assert tab.get_by_label("Pause the animation").is_visible()
    tab.screenshot(path=str(shots / "first_look.png"))
    context.close()
