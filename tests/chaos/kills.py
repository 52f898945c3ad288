"""Servers and coordinators as processes that are killed at random, and started again.

Where the kill falls is drawn in bytes that have passed between the two; it comes from
another thread while both go on, so it finds them anywhere.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from bondline.cli import main
from bondline.remote.host import Host, Open
from bondline.remote.limits import Limits
from bondline.remote.server import serve
from bondline.remote.shelf import Shelf
from bondline.remote.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.proxy import Proxy, between
from tests.remote.conftest import parts_of

LIMIT = 60.0
_FORKS = multiprocessing.get_context("forkserver")  # ready in 0.1 s, not in a second
_FORKS.set_forkserver_preload(
    ["pytest", "bondline.remote.server", "bondline.cli.drive", "bondline.build"]
)


def _leaf(model: Path, store: Path, secrets: Credentials, told: Connection) -> None:
    """Serve the parts of a model until somebody kills us."""
    host = Host(parts_of(model), Open(), Limits(sessions=64), Shelf(store))
    server = serve(host, "127.0.0.1:0", secrets)
    told.send(server.port)
    server.wait()


def _coordinator(arguments: Sequence[str], log: Path) -> None:
    """`bondline`, with its words in a file."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
    os._exit(main(list(arguments)))


@dataclass
class Lives:
    """A model whose parts are at a server, which is a process of its own."""

    home: Home
    owner: Credentials
    integrator: Credentials
    started: list[int] = field(default_factory=list)  # pids of servers

    @cached_property
    def store(self) -> Path:
        folder = self.home.folder / "owner"
        folder.mkdir(exist_ok=True)
        return folder

    def server(self) -> tuple[BaseProcess, int]:
        """A server and its port."""
        mine, theirs = _FORKS.Pipe()
        given = (self.home.model, self.store, self.owner, theirs)
        process = _FORKS.Process(target=_leaf, args=given, daemon=True)
        process.start()
        assert mine.poll(LIMIT), "the server did not start"
        self.started.append(process.pid or 0)
        return process, mine.recv()

    def coordinator(self, *words: object) -> BaseProcess:
        """`bondline run` with these words."""
        head = ["--quiet", "--project", str(self.home.folder), "run"]
        arguments = [*head, *map(str, words)]
        log = self.home.folder / "coordinator.log"
        process = _FORKS.Process(target=_coordinator, args=(arguments, log))
        process.start()
        return process

    @contextmanager
    def served(self) -> Iterator[tuple[Proxy, list[BaseProcess]]]:
        """A proxy to a server that `again` replaces."""
        process, port = self.server()
        with between(port) as proxy:
            servers = [process]
            try:
                yield proxy, servers
            finally:
                servers[-1].kill()
                servers[-1].join(LIMIT)

    def places(self, proxy: Proxy) -> tuple[str, Path]:
        names = dict.fromkeys(parts_of(self.home.model), proxy.address)
        return self.home.place(names, self.integrator)


def leaves_killed(lives: Lives, kills: int, seed: int, name: str = "leaves") -> str:
    """SHA-256 of a run during which the server was killed so often."""
    dice, done = random.Random(seed), []
    with lives.served() as (proxy, servers):
        flag = lives.places(proxy)

        def kill() -> None:
            servers[-1].kill()
            servers[-1].join(LIMIT)
            done.append(servers[-1].exitcode)
            process, proxy.target = lives.server()
            servers.append(process)
            if len(done) < kills:
                proxy.after(dice.randrange(20_000), kill)

        proxy.after(dice.randrange(20_000), kill)
        found = lives.home.run(name, *flag)
    assert done == [-signal.SIGKILL] * kills, "the run was over before the last kill"
    return found


def coordinators_killed(
    lives: Lives, kills: int, seed: int, name: str = "coordinator"
) -> str:
    """SHA-256 of a run whose coordinator was killed so often, and resumed."""
    dice = random.Random(seed)
    with lives.served() as (proxy, _):
        flag = lives.places(proxy)
        home = lives.home
        words: tuple[object, ...] = (home.model, "--name", name, *home.flags, *flag)
        for _ in range(kills):
            process = lives.coordinator(*words)
            proxy.after(dice.randrange(2_000, 30_000), process.kill)
            process.join(LIMIT)
            assert process.exitcode == -signal.SIGKILL, "it was over before the kill"
            if (home.folder / "runs" / name).exists():
                words = ("--resume", name, *flag)
        process = lives.coordinator(*words)
        process.join(LIMIT)
        assert process.exitcode == 0
    return home.sha(name)
