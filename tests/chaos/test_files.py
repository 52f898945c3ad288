"""FT-26: who runs out of files says so, or waits; nobody leaves any open."""

from __future__ import annotations

import os
import resource
import socket
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from bondline.cli import main
from bondline.leaves import chain
from bondline.remote.client.dial import Dial
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.server import HANDSHAKE
from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.kills import FORKS
from tests.chaos.test_memory import Going
from tests.remote.conftest import Supply
from tests.remote.test_serve_command import LIMIT, flags, served

FILES = 64
FEW = 14  # not enough to write a run
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
            line.settimeout(HANDSHAKE + LIMIT / 2)
            assert line.recv(1) == b""


def coordinator(most: int, words: list[str], log: Path) -> None:
    """`bondline`, with so many files and its words in one of them."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT)
    for stream in (1, 2):
        os.dup2(file, stream)
    limited(most)
    os._exit(main(words))


NAMED = {0, 3, 40, 60}  # whatever could not be opened first
WELL = {0}


@linux
@pytest.mark.parametrize(("most", "codes"), [(FILES, WELL), (FEW, NAMED)])
def test_a_coordinator_with_few_files_ends_well_or_with_a_name(
    pendulum: Home, supply: Supply, most: int, codes: set[int]
):
    there = supply(pendulum.model)
    places = dict.fromkeys(there.server.host.models, there.address)
    flag = pendulum.place(places, there.secrets)
    head = ["--quiet", "--project", pendulum.folder, "run", pendulum.model]
    words = [*map(str, [*head, "--name", "away", *pendulum.flags, *flag])]
    log = pendulum.folder / "log"
    run = FORKS.Process(target=coordinator, args=(most, words, log))
    run.start()
    run.join(LIMIT)
    said = log.read_text()
    assert run.exitcode in codes, said
    assert "Traceback" not in said
    if run.exitcode == 0:
        assert pendulum.sha("away") == pendulum.run("here")
    else:
        assert "try:" in said


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
