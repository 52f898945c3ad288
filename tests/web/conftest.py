"""A project with one model and one short run, and a page over it."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bondline.cli import main
from bondline.web.app import make_app
from bondline.web.guard import Door
from bondline.web.vault import Vault

with warnings.catch_warnings():  # it would like another client, which we do not lock
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

DOOR = Door(port=8765)
HOME = "http://127.0.0.1:8765"


@dataclass
class Page:
    """A page, and a browser that has opened it with its link."""

    folder: Path
    vault: Vault
    app: object
    client: TestClient

    def stranger(self) -> TestClient:
        """Somebody without a session."""
        return TestClient(self.app, base_url=HOME, follow_redirects=False)


def opened(folder: Path, door: Door = DOOR) -> Page:
    vault = Vault()
    app = make_app(folder, door, vault)
    client = TestClient(app, base_url=HOME, headers={"origin": HOME})
    answer = client.get("/", params={"token": vault.link()}, follow_redirects=False)
    assert answer.status_code == 303
    return Page(folder, vault, app, client)


def live_of(run: str) -> str:
    """Where a run is watched."""
    return f"ws://127.0.0.1:8765/api/runs/{run}/live"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, project: Path) -> Path:
    """Nobody may change it: the double pendulum, and its run `short` of 0.2 s."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(project / "examples" / "double_pendulum", folder / "pendulum")
    command = ["--quiet", "--project", str(folder), "run", str(folder / "pendulum")]
    assert main([*command, "--name", "short", "--until", "0.2s"]) == 0
    return folder


@pytest.fixture
def page(made: Path) -> Iterator[Page]:
    return opened(made)


@pytest.fixture
def own(tmp_path: Path, made: Path) -> Page:
    """A page over a copy, to change things in."""
    shutil.copytree(made, tmp_path / "own")
    return opened(tmp_path / "own")
