"""FT-01: kill -9 of an owner's server at named points; it is started again."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

import pytest

from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.failpoints import TURNS, Point, no_strace, watched
from tests.chaos.fatal import serve_fatal
from tests.chaos.kills import FORKS, LIMIT, Lives, serve_parts
from tests.chaos.proxy import Proxy, between

GRID = ("--until", "0.8s", "--step", "10ms")  # 80 windows: at least two checkpoints
SOLVES = ["before", "after"]
POINTS = {  # the epoch takes a rename and two syncs, and so does every checkpoint
    "before the epoch has its name": Point("rename", "epoch", 1),
    "before the state is on the disk": Point("fsync", ".draft", 3),
    "before the state has its name": Point("rename", ".state", 2),
    "after the state is written": Point("fsync", "", 4),
    "before a later state has its name": Point("rename", ".state", 3),
    "before a reply leaves": Point("sendmsg", "", 16),
    "after a reply, before the next request": Point("recvmsg", "", 30),
}


@dataclass(frozen=True)
class Owner:
    """The owner of `lower`, and the bits that a run with it gives."""

    lives: Lives
    golden: str

    def run(self, name: str, first: BaseProcess, port: int) -> str:
        """SHA-256 of a run during which the first server dies, and a second comes."""
        home, servers = self.lives.home, list[BaseProcess]()
        with between(port) as proxy:
            flag = home.place({"lower": proxy.address}, self.lives.integrator)
            again = Thread(target=self._again, args=(first, proxy, servers))
            again.start()
            try:
                return home.run(name, *flag)
            finally:
                first.kill()
                again.join(LIMIT)
                servers[0].kill()
                servers[0].join(LIMIT)

    def _again(
        self, first: BaseProcess, proxy: Proxy, servers: list[BaseProcess]
    ) -> None:
        first.join(LIMIT)
        process, proxy.target = self.lives.server()
        servers.append(process)

    @property
    def epoch(self) -> int:
        file = self.lives.store / "epoch"
        return int(file.read_text()) if file.exists() else 0


@pytest.fixture(scope="module")
def there(
    project: Path,
    tmp_path_factory: pytest.TempPathFactory,
    owner: Credentials,
    integrator: Credentials,
) -> Owner:
    model = project / "examples" / "double_pendulum"
    home = Home(tmp_path_factory.mktemp("points"), model, GRID)
    return Owner(Lives(home, owner, integrator), home.run("here"))


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("when", SOLVES)
def test_kill_9_at_a_solve_changes_no_bit(there: Owner, when: str, turn: int):
    before, (mine, theirs) = there.epoch, FORKS.Pipe()
    args = there.lives.service, (when, 5 + 11 * turn), theirs
    process = FORKS.Process(target=serve_fatal, args=args, daemon=True)
    process.start()
    assert there.run(f"{when}-{turn}", process, mine.recv()) == there.golden
    assert process.exitcode == -signal.SIGKILL
    assert there.epoch >= before + 2, "of the first server, and of the second"


@pytest.mark.skipif(bool(no_strace()), reason=no_strace())
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("what", POINTS)
def test_kill_9_at_a_named_point_changes_no_bit(there: Owner, what: str, turn: int):
    before, (mine, theirs), point = there.epoch, FORKS.Pipe(), POINTS[what]
    args = (*there.lives.service, theirs)
    with watched(serve_parts, args, *point.inject("signal=KILL")) as server:
        server.gate.send(True)
        name = f"{list(POINTS).index(what)}-{turn}"
        assert there.run(name, server.process, mine.recv()) == there.golden
        last = server.calls[-1:]
    assert [(c.name, c.on(point.file)) for c in last] == [(point.name, True)]
    assert there.epoch > before
