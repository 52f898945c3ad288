"""Many at a time on one server: each gets its own bits, and nothing is left behind."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import grpc
import pytest

from bondline.build import Given, open_model
from bondline.remote import bondline_pb2 as pb
from bondline.remote.limits import MESSAGE, Limits
from bondline.remote.owner.host import Host
from bondline.remote.protocol import SERVICE
from bondline.remote.trust.tls import Credentials
from bondline.run import simulate
from tests.chaos.conftest import Home
from tests.chaos.kills import LIMIT, Lives
from tests.remote.conftest import Supplier, Supply, parts_of
from tests.remote.test_blocks import Frames
from tests.remote.test_coming_back import sent


@pytest.fixture
def lives(pendulum: Home, owner: Credentials, integrator: Credentials) -> Lives:
    return Lives(pendulum, owner, integrator)


def solo(path: Path, length: float, there: Supplier | None, windows: int = 30) -> str:
    """The hash of all frames of a run of its own kind, at a server or here."""
    given = Given(set={"upper.length": f"{length!r} m"})
    model = open_model(path, given).model
    if there is not None:
        lower = there.model("lower", grace=30.0)
        model = replace(model, parts={**model.parts, "lower": lower})
    kept = Frames()
    simulate(model, 0.01 * windows, 0.01, record=kept)
    if there is not None:
        lower.close()
    return sha256(repr(kept.seen).encode()).hexdigest()


def crowd(path: Path, there: Supplier, size: int) -> None:
    lengths = [1.0 + 0.01 * k for k in range(size)]
    alone = [solo(path, length, None) for length in lengths]
    with ThreadPoolExecutor(size) as pool:
        together = list(pool.map(lambda length: solo(path, length, there), lengths))
    assert len(set(alone)) == size
    assert together == alone


def test_8_sessions_at_once_have_their_solo_hashes(pendulum: Home, supply: Supply):
    crowd(pendulum.model, supply(pendulum.model), 8)


@pytest.mark.full
def test_64_sessions_at_once_have_their_solo_hashes(pendulum: Home, supply: Supply):
    crowd(pendulum.model, supply(pendulum.model, Limits(sessions=64)), 64)


def test_idle_connections_are_in_nobodys_way(pendulum: Home, supply: Supply):
    there = supply(pendulum.model)
    with ExitStack() as stack:
        for _ in range(200):
            where = ("127.0.0.1", there.server.port)
            stack.enter_context(socket.create_connection(where, 10.0))
        away = solo(pendulum.model, 1.0, there)
    assert away == solo(pendulum.model, 1.0, None)


def test_a_request_that_is_too_long_is_refused(project: Path):
    host = Host(parts_of(project / "examples" / "linear_chain"))
    ask = pb.Request(start=pb.Start(), release=[2**60] * (MESSAGE // 8))
    reply = sent(host, ask)
    assert reply.failure.code == pb.CODE_RESOURCE_EXHAUSTED


@pytest.mark.parametrize("compression", [None, grpc.Compression.Gzip])
def test_a_message_that_is_or_becomes_too_long_takes_no_memory(
    lives: Lives, compression: grpc.Compression | None
):
    """64 MiB on the wire, or 64 KiB that unpack to as much."""
    process, port = lives.server()
    secure = lives.integrator.for_channel()
    every = [("grpc.max_send_message_length", -1)]
    with grpc.secure_channel(f"127.0.0.1:{port}", secure, every) as channel:
        call = channel.unary_unary(f"/{SERVICE}/Describe")
        call(bytes(100_000), timeout=LIMIT)  # what the first call takes is not theirs
        before = most_memory(process.pid or 0)
        for _ in range(3):
            with pytest.raises(grpc.RpcError) as told:
                call(bytes(64 * 2**20), timeout=LIMIT, compression=compression)
            assert told.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert most_memory(process.pid or 0) - before < 32
    process.kill()
    process.join(LIMIT)


def most_memory(pid: int) -> float:
    """MB that a process ever had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (found,) = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(found) / 1e3


@pytest.mark.quick(1)
def test_who_lost_the_newest_checkpoint_goes_on_from_an_older_one(
    home: Home, supply: Supply, tmp_path: Path
):
    there = supply(home.model)
    places = dict.fromkeys(there.server.host.models, there.address)
    flag = home.place(places, there.secrets)
    first = ("--name", "away", "--step", "10ms", "--until", "0.2s")
    assert home.code(home.model, *first, *flag) == 0
    assert home.code("--resume", "away", "--until", "0.3s", *flag) == 0
    kept = [p for p in (tmp_path / "shelf").rglob("*") if p.suffix not in ("", ".lock")]
    assert kept
    max(kept, key=lambda p: p.stat().st_mtime_ns).unlink()
    assert home.code("--resume", "away", "--until", home.flags[1], *flag) == 0
    assert home.sha("away") == home.run("here")
