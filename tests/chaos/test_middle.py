"""FT-33: a supplier's own coordinator, whose parts are at sub-suppliers, is killed."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock

import pytest

from bondline.build import open_model
from bondline.cli import main
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import EXAMPLES, Home
from tests.chaos.kills import FORKS, LIMIT
from tests.chaos.proxy import Proxy, between
from tests.remote.conftest import Supplier, Supply
from tests.remote.test_serve_command import flags

MODEL = EXAMPLES / "linear_chain" / "Nested.ssd"
GRID = ("--until", "1s", "--step", "10ms")


def command(words: list[str], file: Path) -> None:
    """`bondline leaf serve`, with what it says in a file."""
    os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os._exit(main(["--json", "leaf", "serve", *words]))


@dataclass
class Middle:
    """The supplier: a server that is a coordinator; one process after another."""

    folder: Path
    words: list[str]
    lives: list[BaseProcess] = field(default_factory=list)

    def start(self) -> int:
        """The port of a new one."""
        file = self.folder / f"middle-{len(self.lives)}.json"
        process = FORKS.Process(target=command, args=(self.words, file), daemon=True)
        process.start()
        self.lives.append(process)
        while process.is_alive():
            text = file.read_text() if file.exists() else ""
            if text.rstrip().endswith("}"):
                return int(json.loads(text)["address"].rpartition(":")[2])
            process.join(0.01)
        raise AssertionError("the middle server ended before it served")

    def kill(self) -> None:
        self.lives[-1].kill()
        self.lives[-1].join(LIMIT)
        assert self.lives[-1].exitcode == -signal.SIGKILL


@dataclass(frozen=True)
class Chain:
    """Integrator, supplier and sub-supplier."""

    home: Home
    middle: Middle
    below: Supplier
    secrets: Credentials

    def flag(self, proxy: Proxy) -> tuple[str, Path]:
        times = ("grace = 60", "step = 20")
        return self.home.place({"near": proxy.address}, self.secrets, *times)


@pytest.fixture
def companies(
    tmp_path: Path, supply: Supply, owner: Credentials, integrator: Credentials
) -> Iterator[Chain]:
    inner = open_model(MODEL).model.parts["near"]
    below = supply(
        {
            f"near.{n}": Served(f"near.{n}", lambda p=p: p, n, EVERYTHING)
            for n, p in inner.parts.items()
        }
    )
    places = dict.fromkeys(below.server.host.models, below.address)
    home = Home(tmp_path, MODEL, GRID)
    file = Path(home.place(places, integrator, "grace = 1")[1])
    file = file.rename(tmp_path / "below.toml")
    words = [f"{MODEL}:near", *flags(owner), "--placement", str(file)]
    middle = Middle(tmp_path, [*words, "--store", str(tmp_path / "middle")])
    try:
        yield Chain(home, middle, below, integrator)
    finally:
        for process in middle.lives:
            process.kill()
            process.join(LIMIT)


LOST = 20


@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.full)])
def test_kills_of_a_coordinator_in_the_middle_change_no_bit(
    companies: Chain, kills: int
):
    home, middle, dice = companies.home, companies.middle, random.Random(8)
    done, changing, hashes = list[int](), Lock(), set[str]()
    with between(middle.start()) as proxy:

        def kill() -> None:
            with changing:
                middle.kill()
                proxy.target = middle.start()
                done.append(proxy.passed)
                if len(done) < kills:
                    proxy.after(dice.randrange(1_000, 40_000), kill)

        proxy.after(dice.randrange(1_000, 40_000), kill)
        flag = companies.flag(proxy)
        while len(done) < kills:
            name = f"away-{len(hashes)}-{len(done)}"
            code = home.code(home.model, "--name", name, *home.flags, *flag)
            while code == LOST:  # killed again and again while it came back
                code = home.code("--resume", name, *flag)
            assert code == 0
            hashes.add(home.sha(name))
        changing.acquire()  # nobody is being started any more
    assert hashes == {home.run("here")}


def test_a_middle_that_stays_away_ends_the_run_with_20_and_is_gone_on_with(
    companies: Chain, capsys: pytest.CaptureFixture[str]
):
    home, middle = companies.home, companies.middle
    with between(middle.start()) as proxy:
        flag = home.place({"near": proxy.address}, companies.secrets, "grace = 1")

        def die() -> None:
            proxy.refuse()
            middle.kill()

        proxy.after(20_000, die)
        assert home.code(home.model, "--name", "a", *GRID, *flag) == 20
        said = " ".join(capsys.readouterr().err.split())
        assert f"near (partner {proxy.address})" in said
    with between(middle.start()) as proxy:
        assert home.code("--resume", "a", *companies.flag(proxy)) == 0
    assert home.sha("a") == home.run("here")


def test_the_cause_further_down_is_told_one_level_up_without_its_place(
    companies: Chain, supply: Supply, capsys: pytest.CaptureFixture[str]
):
    """The supplier's own supplier is gone; whose it is stays the supplier's."""
    home, middle = companies.home, companies.middle
    with between(middle.start()) as proxy:
        flag = companies.flag(proxy)
        proxy.after(20_000, lambda: companies.below.server.stop(0.0))
        code = home.code(home.model, "--name", "a", *GRID, *flag)
        said = " ".join(capsys.readouterr().err.split())
        assert code == 20
        assert f"near (partner {proxy.address}): A part of the model does not" in said
        assert companies.below.address not in said
        again = supply(companies.below.server.host.models)
        file = home.folder / "below.toml"
        file.write_text(
            file.read_text().replace(companies.below.address, again.address)
        )
        middle.kill()
        proxy.target = middle.start()
        assert home.code("--resume", "a", *flag) == 0
    assert home.sha("a") == home.run("here")
