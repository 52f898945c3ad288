"""The servers and certificates of tests/remote, and records to compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bondline.cli import main
from bondline.remote.trust.tls import Credentials
from bondline.run import find
from tests.remote.conftest import ca, integrator, owner, placement, supply

if TYPE_CHECKING:
    from tests.chaos.desk import Desk

__all__ = ["ca", "integrator", "owner", "supply"]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Home:
    """A folder with runs of one model."""

    folder: Path
    model: Path
    flags: tuple[str, ...]

    def run(self, name: str, *more: object) -> str:
        """SHA-256 of the record of a new run."""
        assert self.code(self.model, "--name", name, *self.flags, *more) == 0
        return self.sha(name)

    def code(self, *args: object) -> int:
        head = ["--quiet", "--project", str(self.folder), "run"]
        return main([*head, *map(str, args)])

    def sha(self, name: str) -> str:
        return find(self.folder / "runs", name).summary.sha256

    def place(
        self, places: dict[str, str], secrets: Credentials, *times: str
    ) -> tuple[str, Path]:
        """The flag that says where parts are."""
        file = placement(self.folder / "partners.toml", places, secrets)
        head = "\n".join(["[client]", *times])
        file.write_text(file.read_text().replace("[client]", head, 1))
        return "--placement", file


FLAGS = {
    "double_pendulum": ("--until", "0.5s", "--step", "10ms"),
    "linear_chain": ("--until", "1s", "--step", "10ms"),
}


@pytest.fixture(params=FLAGS)
def home(request: pytest.FixtureRequest, project: Path, tmp_path: Path) -> Home:
    return Home(tmp_path, project / "examples" / request.param, FLAGS[request.param])


@pytest.fixture
def pendulum(project: Path, tmp_path: Path) -> Home:
    model = project / "examples" / "double_pendulum"
    return Home(tmp_path, model, FLAGS["double_pendulum"])


@pytest.fixture(scope="module")
def desk(
    tmp_path_factory: pytest.TempPathFactory,
    owner: Credentials,
    integrator: Credentials,
) -> Iterator[Desk]:
    from tests.chaos.desk import GRID, at_work
    from tests.chaos.kills import Lives

    folder = tmp_path_factory.mktemp("desk")
    home = Home(folder, EXAMPLES / "double_pendulum", GRID)
    with at_work(Lives(home, owner, integrator)) as desk:
        yield desk
