"""Libraries to test with: a folder always, a PostgreSQL database where there is one."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bondline.library import Draft
from tests.library import postgres

Place = Callable[[], str]


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody's own library, keys or name."""
    for name in ("BONDLINE_LIBRARY", "BONDLINE_SIGNERS", "BONDLINE_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BONDLINE_USER", "alice")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    why = postgres.missing()
    if why:
        pytest.skip(why)
    with postgres.server() as url:
        yield url


@pytest.fixture
def team(postgres_server: str) -> Place:
    """Makes URLs of new PostgreSQL databases."""
    return lambda: postgres.new_database(postgres_server, f"t{secrets.token_hex(6)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Makes URLs of libraries that do not exist yet, of either sort."""
    if request.param == "postgresql":
        return request.getfixturevalue("team")
    return lambda: str(tmp_path / secrets.token_hex(6))


def rail(text: str = "*NODE\n", **more: object) -> Draft:
    """A small leaf, of whatever text."""
    plain = {"meaning": "left rail", "licence": "Apache-2.0", **more}
    return Draft("rail", "leaf", "rail.inp", {"rail.inp": text.encode()}, **plain)
