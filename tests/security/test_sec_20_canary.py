"""SEC-20: what is inside a served model is in no byte that leaves its owner."""

from __future__ import annotations

import logging
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bondline.build import open_model
from bondline.cli import main
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING, Published
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from tests.chaos.proxy import between
from tests.remote.conftest import serving

WORD = "canaryk7"  # the name of an inner part, of a folder, and in what a crash says
VALUE = 1517.2839450617283  # N/m, of that part
SIGNS = (WORD.encode(), repr(VALUE).encode(), struct.pack("<d", VALUE))


@pytest.fixture
def hidden(project: Path, tmp_path: Path) -> Path:
    """The pair of chains with an inner part of that name and that stiffness."""
    folder = tmp_path / "owner" / WORD
    shutil.copytree(project / "examples" / "linear_chain", folder)
    file = folder / "Nested.ssd"
    text = file.read_text(encoding="utf-8").replace('"two"', f'"{WORD}"')
    file.write_text(text.replace('"1500"', f'"{VALUE!r}"'), encoding="utf-8")
    return file


class Crashing:
    """A model that fails in a window, with words about its inside."""

    def __init__(self, inner, after: int) -> None:
        self.inner, self.left = inner, after

    def __getattr__(self, name: str):
        return getattr(self.inner, name)

    def realise(self, response, inputs):
        self.left -= 1
        if self.left < 0:
            raise RuntimeError(f"/home/{WORD}/solver.f90: {WORD} = {VALUE!r}")
        return self.inner.realise(response, inputs)

    def respond(self, state, window, inputs):
        return self.inner.respond(state, window, inputs)


@dataclass
class Owner(logging.Handler):
    """The owner's own log."""

    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(logging.Formatter().format(record))

    __hash__ = object.__hash__


@pytest.fixture
def owner_log() -> Iterator[Owner]:
    log, mine = logging.getLogger("bondline.leaf"), Owner()
    log.addHandler(mine)
    log.propagate = False
    yield mine
    log.propagate = True
    log.removeHandler(mine)


def overheard(
    project: Path, tmp_path: Path, served: Served, capfd, part: str, model: str
) -> tuple[int, bytes]:
    """The exit code of a run, and every byte that came to or stays with the partner."""
    wire = bytearray()
    host = Host({part: served}, shelf=Shelf(tmp_path / "shelf"))
    with serving(host, None) as server, between(server.port) as proxy:
        proxy.taps.append(wire.extend)
        file = tmp_path / "partners.toml"
        file.write_text(
            f"[parts.{part}]\naddress = '{proxy.address}'\ninsecure = true\n"
            f"model = '{part}'",
            encoding="utf-8",
        )
        home = tmp_path / "integrator"
        path = project / "examples" / "linear_chain" / model
        run = ["--project", str(home), "run", str(path), "--placement", str(file)]
        code = main([*run, "--name", "a", "--until", "0.3s", "--step", "10ms"])
    told = "".join(capfd.readouterr()).encode()
    kept = b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())
    assert b"left" in wire, "the tap hears what is public"
    assert len(kept) > 1000
    return code, bytes(wire) + told + kept


def inner(hidden: Path, part: str):
    """The pair, or the part inside it."""
    near = open_model(hidden).model.parts["near"]
    return near if part == "near" else near.parts[WORD]


CASES = {"near": "Nested.ssd", "two": "SystemStructure.ssd"}  # a nested model, a leaf


@pytest.mark.parametrize("part", CASES)
def test_a_run_carries_nothing_of_the_inside(
    project, tmp_path, hidden, capfd, part: str
):
    served = Served(part, lambda: inner(hidden, part), "d", Published())
    code, seen = overheard(project, tmp_path, served, capfd, part, CASES[part])
    assert code == 0
    assert not [sign for sign in SIGNS if sign in seen]


@pytest.mark.parametrize("part", CASES)
def test_a_crash_carries_nothing_of_the_inside(
    project, tmp_path, hidden, capfd, owner_log, part: str
):
    made = [Crashing(inner(hidden, part), 9)]
    served = Served(part, lambda: made[0], "d", Published())
    code, seen = overheard(project, tmp_path, served, capfd, part, CASES[part])
    assert code == 20, "the part is to blame, not we"
    assert not [sign for sign in SIGNS if sign in seen]
    assert WORD in "".join(owner_log.lines), "its owner is told"


def test_the_canary_sings_if_its_owner_publishes_everything(
    project, tmp_path, hidden, capfd
):
    served = Served("near", lambda: inner(hidden, "near"), "d", EVERYTHING)
    _, seen = overheard(project, tmp_path, served, capfd, "near", CASES["near"])
    assert SIGNS[0] in seen
