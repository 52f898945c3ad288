"""FT-29: who serves the page may die; the runs that it started go on."""

from __future__ import annotations

import shutil
import time
from http.cookiejar import CookieJar
from json import dumps, loads
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

from bondline.cli import main
from bondline.run import Run
from tests.browser.conftest import Server, end, serve

LENGTH = {"until": 4.0, "step": 0.001}
KILLS = 3


class Visitor:
    """A browser's part: it has opened the link, and keeps its cookie."""

    def __init__(self, server: Server) -> None:
        self.home = server.home.rstrip("/")
        self._open = build_opener(HTTPCookieProcessor(CookieJar())).open
        self._open(server.url, timeout=30).close()

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        sent = None if body is None else dumps(body).encode()
        head = {"Origin": self.home, "Content-Type": "application/json"}
        with self._open(Request(f"{self.home}{path}", sent, head), timeout=30) as got:
            told: dict[str, Any] = loads(got.read())
        return told


def until(visitor: Visitor, run: str, *wanted: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for _ in range(1200):
        told = visitor.ask(f"/api/runs/{run}")
        if told["status"] in wanted:
            return told
        time.sleep(0.05)
    raise AssertionError(f"{run} never was {wanted}: {told}")


def test_a_run_goes_on_however_often_its_page_dies(tmp_path: Path, project: Path):
    shutil.copytree(project / "examples" / "double_pendulum", tmp_path / "pendulum")
    server = serve(tmp_path)
    visitor = Visitor(server)
    body = {"model": "pendulum", "changes": LENGTH}
    run = visitor.ask("/api/model/run", body)["run"]
    for _ in range(KILLS):
        until(visitor, run, "running", "done")
        server.process.kill()
        server.process.communicate()
        server = serve(tmp_path)
        visitor = Visitor(server)
    told = until(visitor, run, "done")
    end(server)
    flags = [f"--{name}={value}s" for name, value in LENGTH.items()]
    here = ["--quiet", "--project", str(tmp_path), "run", str(tmp_path / "pendulum")]
    assert main([*here, "--name", "here", *flags]) == 0
    mine, there = (Run(tmp_path / "runs" / name).summary for name in ("here", run))
    assert mine.sha256 == there.sha256
    assert told["windows"] == mine.windows == 4000
