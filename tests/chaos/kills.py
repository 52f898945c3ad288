"""Servers and coordinators as processes that are killed at random, and started again.

Where the kill falls is drawn in bytes that have passed between the two; it comes from
another thread while both go on, so it finds them anywhere.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import random
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cached_property
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock

from bondline.cli import main
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.server import serve
from bondline.remote.owner.shelf import Shelf
from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.proxy import Proxy, between
from tests.remote.conftest import parts_of

LIMIT = 60.0
_RESUMED = 5  # times, before a run is given up
FORKS = multiprocessing.get_context("forkserver")  # ready in 0.1 s, not in a second
FORKS.set_forkserver_preload(["tests.chaos.warm"])


def serve_parts(
    model: Path, store: Path, secrets: Credentials, limits: Limits, told: Connection
) -> None:
    """Serve the parts of a model until somebody kills us."""
    parts = {n: replace(p, max_step=0.5) for n, p in parts_of(model).items()}
    host = Host(parts, Open(), limits, Shelf(store))
    server = serve(host, "127.0.0.1:0", secrets)
    told.send(server.port)
    server.wait()


def coordinate(arguments: Sequence[str], log: Path) -> None:
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
    sessions: int = 64
    lease: float = 60.0  # s
    grace: float = 0.0  # s that a server may be away; 0: as by default
    limit: float = LIMIT  # s for anything else
    started: list[int] = field(default_factory=list)  # pids of servers

    @cached_property
    def store(self) -> Path:
        folder = self.home.folder / "owner"
        folder.mkdir(exist_ok=True)
        return folder

    def server(self) -> tuple[BaseProcess, int]:
        """A server and its port."""
        mine, theirs = FORKS.Pipe()
        given = (*self.service, theirs)
        process = FORKS.Process(target=serve_parts, args=given, daemon=True)
        process.start()
        assert mine in wait([mine, process.sentinel], self.limit), (
            "the server did not start"
        )
        self.started.append(process.pid or 0)
        return process, mine.recv()

    @property
    def service(self) -> tuple[object, ...]:
        """What `serve_parts` is given, before the pipe that it says its port to."""
        limits = Limits(sessions=self.sessions, lease=self.lease)
        return self.home.model, self.store, self.owner, limits

    def coordinator(self, *words: object) -> BaseProcess:
        """`bondline run` with these words."""
        process = FORKS.Process(target=coordinate, args=self.coordination(*words))
        process.start()
        return process

    def coordination(self, *words: object) -> tuple[list[str], Path]:
        """What `coordinate` is given for them."""
        head = ["--quiet", "--project", str(self.home.folder), "run"]
        return [*head, *map(str, words)], self.home.folder / "coordinator.log"

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
                servers[-1].join(self.limit)

    @property
    def words(self) -> str:
        """What coordinators said."""
        return (self.home.folder / "coordinator.log").read_text(encoding="utf-8")

    def places(self, proxy: Proxy, *times: str) -> tuple[str, Path]:
        names = dict.fromkeys(parts_of(self.home.model), proxy.address)
        grace = (f"grace = {self.grace}",) if self.grace else ()
        return self.home.place(names, self.integrator, *grace, *times)


@dataclass
class Toll:
    """What kills did to runs: `hashes` must be one, and no run may need help."""

    kills: int = 0
    hashes: list[str] = field(default_factory=list)  # of runs that are whole
    ended: list[str] = field(default_factory=list)  # last words of runs that gave up
    lost: list[str] = field(default_factory=list)  # runs that nobody could resume

    @property
    def runs(self) -> int:
        return len(self.hashes) + len(self.lost)


def leaves_killed(lives: Lives, kills: int, seed: int, spread: int = 60_000) -> Toll:
    """Runs, one after another, until the server was killed so often."""
    dice, toll, troubles = random.Random(seed), Toll(), list[BaseException]()
    with lives.served() as (proxy, servers):
        flag, changing = lives.places(proxy), Lock()

        def again() -> None:
            servers[-1].kill()
            servers[-1].join(lives.limit)
            assert servers[-1].exitcode == -signal.SIGKILL
            toll.kills += 1
            process, proxy.target = lives.server()
            servers.append(process)
            if toll.kills < kills:
                proxy.after(dice.randrange(spread), kill)

        def kill() -> None:
            with changing:
                try:
                    again()
                except BaseException as trouble:  # of the trial, not of a run
                    troubles.append(trouble)

        proxy.after(dice.randrange(spread), kill)
        while toll.kills < kills and not troubles:
            _watched(lives, f"leaves-{seed}-{toll.runs}", flag, toll)
        with changing:  # nobody is being started any more
            if troubles:
                raise troubles[0]
            return toll


def _watched(lives: Lives, name: str, flag: tuple[str, Path], toll: Toll) -> None:
    """One run, which should come to its end by itself."""
    home = lives.home
    words: tuple[object, ...] = (home.model, "--name", name, *home.flags, *flag)
    for _ in range(_RESUMED):
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as said:
            code = home.code(*words)
        if code == 0:
            toll.hashes.append(home.sha(name))
            return
        toll.ended.append(f"{name} ended with {code}: {said.getvalue().strip()}")
        words = once_more(home, name, words, flag)
    toll.lost.append(name)


def once_more(
    home: Home, name: str, words: tuple[object, ...], flag: tuple[str, Path]
) -> tuple[object, ...]:
    """How a run goes on; from its beginning, if it is not on the disk yet."""
    known = (home.folder / "runs" / name).exists()
    return ("--resume", name, *flag) if known else words


def coordinators_killed(
    lives: Lives, kills: int, seed: int, spread: int = 60_000
) -> Toll:
    """Runs, each carried on until it is whole, until coordinators died so often."""
    dice, toll = random.Random(seed), Toll()
    with lives.served() as (proxy, _):
        while toll.kills < kills:
            name = f"coordinator-{seed}-{toll.runs}"
            if _carried(lives, proxy, name, (dice, spread, kills, toll)):
                toll.hashes.append(lives.home.sha(name))
            else:
                toll.lost.append(name)
    return toll


def _carried(
    lives: Lives,
    proxy: Proxy,
    name: str,
    how: tuple[random.Random, int, int, Toll],
) -> bool:
    """Whether a run came to its end, by as many coordinators as it takes."""
    (dice, spread, kills, toll), home, ends = how, lives.home, 0
    flag = lives.places(proxy)
    words: tuple[object, ...] = (home.model, "--name", name, *home.flags, *flag)
    while ends < _RESUMED:
        process = lives.coordinator(*words)
        if toll.kills < kills:
            proxy.after(dice.randrange(1_000, spread), process.kill)
        process.join(lives.limit)
        proxy.calm()
        if process.exitcode == 0:
            return True
        if process.exitcode == -signal.SIGKILL:
            toll.kills += 1
        else:
            ends += 1
            said = lives.words.strip()[-1000:]
            toll.ended.append(f"{name} ended with {process.exitcode}: {said}")
            process.kill()
            process.join(lives.limit)
        words = once_more(home, name, words, flag)
    return False
