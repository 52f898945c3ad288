"""Partners that leave, at any moment and in any way, harm nobody else.

Beside them an honest session runs to its bits on the same stream; the server keeps no
thread and no file of theirs, says nothing on standard error, and ends when it is told.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event

import pytest

from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.connecting import straight
from bondline.remote.client.dial import Dial
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import Limits
from bondline.remote.owner.served import Served
from bondline.remote.trust.tls import Credentials
from tests.chaos.leaver import METHOD, WAYS, Leaver, heard
from tests.chaos.proxy import between
from tests.chaos.test_memory import Going
from tests.remote.certificates import Authority
from tests.remote.conftest import Supply
from tests.remote.test_owner_stream import forgotten
from tests.remote.test_serve_command import LIMIT, flags, served

AT_ONCE = 6  # who come and leave
THREADS = 2 * (8 + 4) + 30  # what one partner may have of 8 sessions, and gRPC's own
BRIEF = Limits(lease=1.0)
FILES = 10  # that a server has more of now than before


@contextmanager
def killed(address: str, secrets: Credentials, seed: int) -> Iterator[int]:
    """The exit code of somebody who is killed after some visits."""
    files = map(str, (secrets.cert, secrets.key, secrets.ca))
    command = [sys.executable, "-m", "tests.chaos.leaver", address, *files, str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(Random(seed).randint(1, 20)):
            assert process.stdout.readline() == b"here\n"
        process.kill()
        yield process.wait(LIMIT)


def leave(address: str, secrets: Credentials, seed: int, visits: int) -> Counter[str]:
    one = Leaver(address, secrets, seed)
    for _ in range(visits):
        one.visit()
    one.close()
    return Counter(one.visits)


def kill(address: str, secrets: Credentials, seed: int, times: int) -> Counter[str]:
    for k in range(times):
        with killed(address, secrets, 1000 * seed + k) as code:
            assert code == -signal.SIGKILL
    return Counter(killed=times)


def meanwhile(going: Going, each: list[Future[Counter[str]]]) -> Counter[str]:
    """What they did, while an honest session went on."""
    while not all(one.done() for one in each):
        going(1)
    return sum((one.result() for one in each), Counter())


def count(pid: int, what: str) -> int:
    return len(list(Path(f"/proc/{pid}/{what}").iterdir()))


def settled(pid: int, files: int) -> bool:
    """Whether the server comes back to so many files: it hears of ends by and by."""
    return any(count(pid, "fd") <= files or Event().wait(0.02) for _ in range(1000))


@pytest.fixture
def leaver(ca: Authority) -> Credentials:
    return ca.issue("leaver")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(
    "storm",  # visits, kills, seed
    [(300, 2, 1), pytest.param((3000, 20, 2), marks=pytest.mark.full)],
)
def test_who_leaves_harms_nobody(
    tmp_path: Path,
    leaver: Credentials,
    owner: Credentials,
    integrator: Credentials,
    storm: tuple[int, int, int],
):
    visits, kills, seed = storm
    with (
        ThreadPoolExecutor(AT_ONCE + 1) as pool,
        (tmp_path / "said").open("w+") as said,
        served(tmp_path, "chain", *flags(owner), stderr=said) as (address, process),
    ):
        part = remote_model("chain", Dial(address, integrator), "chain")
        going = Going(part)
        going(5)
        leave(address, leaver, seed, 10)  # what only the first one takes
        before = count(process.pid, "fd")
        each = [
            pool.submit(leave, address, leaver, 100 * seed + k, visits // AT_ONCE)
            for k in range(AT_ONCE)
        ]
        each.append(pool.submit(kill, address, leaver, seed, kills))
        left = meanwhile(going, each)
        assert going(1) == Going(chain("chain"))(going.n)
        assert (part.link.recoveries, part.link.retries) == (0, 0)
        assert count(process.pid, "task") <= THREADS
        assert settled(process.pid, before + FILES)
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
        said.seek(0)
        assert "Traceback" not in said.read()
    assert {way for way, n in left.items() if n} == {
        "killed",
        *(way.__name__ for way in WAYS),
    }


def test_who_vanishes_without_a_word_is_noticed(
    supply: Supply, integrator: Credentials
):
    """A line that is kept and carries nothing: a server asks whether anybody is there.

    gRPC would after two hours, and has the stream until then.
    """
    there = supply({"chain": Served("chain", lambda: chain("chain"))}, BRIEF)
    with between(there.server.port) as proxy:
        stream = straight(proxy.address, integrator, METHOD)
        stream.ask(pb.Request().SerializeToString())
        assert pb.Reply.FromString(heard(stream)).HasField("failure")
        proxy.go_deaf()
        assert forgotten(there.server.grpc)
        stream.close()
