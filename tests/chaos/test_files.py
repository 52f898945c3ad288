"""FT-26: who runs out of files says so, or waits; nobody leaves any open."""

from __future__ import annotations

import os
import resource
import socket
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from pathlib import Path
from threading import Event

import pytest

from bondline.cli import main
from bondline.leaves import chain
from bondline.remote.client.dial import Dial
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import Limits
from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.kills import FORKS
from tests.chaos.test_memory import Going
from tests.remote.conftest import Supplier, Supply
from tests.remote.test_serve_command import LIMIT, flags, served

FILES = 64
TOO_FEW = range(4, 13)  # more than it has open when it begins; gRPC gives up before
JUST_ENOUGH, ENOUGH = 16, 48
CROWD = 100  # connections

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def limited(files: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


@linux
def test_a_server_without_files_serves_whom_it_has_and_others_later(
    tmp_path: Path, owner: Credentials, integrator: Credentials
):
    """They wait at its door, where the kernel takes them in."""
    few = partial(limited, FILES)
    with (
        served(tmp_path, "chain", *flags(owner), preexec_fn=few) as (address, process),
        ExitStack() as crowd,
    ):
        part = remote_model("chain", Dial(address, integrator), "chain")
        going = Going(part)
        going(3)
        host, _, port = address.partition(":")
        for _ in range(CROWD):
            line = socket.create_connection((host, int(port)), LIMIT)
            crowd.enter_context(line)
        while files(process.pid) < FILES:
            Event().wait(0.01)
        assert going(3) == Going(chain("chain"))(6)
        crowd.close()
        patience = Patience(LIMIT, LIMIT, LIMIT)
        other = remote_model("chain", Dial(address, integrator), "chain", patience)
        assert Going(other)(3) == Going(chain("chain"))(3)
        other.close()
        part.close()
        assert process.poll() is None


@pytest.mark.full
def test_who_connects_and_says_nothing_is_sent_away(supply: Supply, pendulum: Home):
    """FT-27: within a minute, by the server alone."""
    there = supply(pendulum.model)
    with ExitStack() as stack:
        lines = [
            stack.enter_context(
                socket.create_connection(("127.0.0.1", there.server.port), LIMIT)
            )
            for _ in range(20)
        ]
        for line in lines:
            line.settimeout(Limits().silence + LIMIT / 2)
            assert line.recv(1) == b""


def coordinator(spare: int, words: list[str], log: Path) -> None:
    """`bondline`, with so many files more than it has, and its words in one of them."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(file, stream)
    *_, last = islice(
        (n for n in count() if not Path(f"/proc/self/fd/{n}").exists()), spare
    )
    limited(last + 1)
    os._exit(main(words))


@dataclass(frozen=True)
class Short:
    """A coordinator that may open few files, and a partner who has all parts."""

    home: Home
    there: Supplier

    def run(self, spare: int) -> tuple[int, str]:
        """How it ended, and its words."""
        home, log = self.home, self.home.folder / "log"
        flag = home.place(
            dict.fromkeys(self.there.server.host.models, self.there.address),
            self.there.secrets,
        )
        known = (home.folder / "runs" / "away").exists()
        what = ["--resume", "away"] if known else [home.model, "--name", "away"]
        head = ["--quiet", "--project", home.folder, "run", *what]
        more = () if known else home.flags
        words = [*map(str, [*head, *more, *flag])]
        process = FORKS.Process(target=coordinator, args=(spare, words, log))
        process.start()
        process.join(LIMIT)
        assert process.exitcode is not None, "it did not end"
        return process.exitcode, " ".join(log.read_text().split())

    @property
    def places(self) -> dict[int, str]:
        """What is said with an exit code: what it is about."""
        return {
            1: str(self.home.model),
            3: str(self.there.secrets.key.parent),
            40: str(self.home.folder / "runs"),
            60: "it cannot be opened (Too many open files)",
        }


@pytest.fixture
def short(pendulum: Home, supply: Supply) -> Short:
    return Short(pendulum, supply(pendulum.model))


@linux
@pytest.mark.quick(4)
@pytest.mark.parametrize("spare", TOO_FEW)
def test_a_coordinator_without_files_ends_with_a_name_and_loses_nothing(
    short: Short, spare: int
):
    """Whatever it could not open first: the code fits the place, the words say why."""
    code, said = short.run(spare)
    assert code in short.places, said
    assert short.places[code] in said
    assert "too many open files" in said.lower() or "no files left to open" in said
    assert "try:" in said
    assert "Traceback" not in said
    assert short.run(ENOUGH)[0] == 0
    assert short.home.sha("away") == short.home.run("here")


@linux
def test_what_a_coordinator_needs_is_few_files(short: Short):
    """A few more than those above: then it is well."""
    code, said = short.run(JUST_ENOUGH)
    assert code == 0, said
    assert short.home.sha("away") == short.home.run("here")


@linux
def test_two_hundred_sessions_leave_no_file_open(pendulum: Home, supply: Supply):
    there = supply(pendulum.model)

    def after(sessions: int) -> int:
        for _ in range(sessions):
            part = there.model("lower")
            part.start(0.0)
            part.close()
        return files(os.getpid())

    after(3)
    assert after(100) - after(100) in range(-5, 6), "not one a session"
    assert not there.server.host.sessions
