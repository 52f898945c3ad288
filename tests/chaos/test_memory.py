"""Whoever runs out of memory: a leaf is one that crashed, a coordinator does not."""

from __future__ import annotations

import gc
import resource
import sys
from pathlib import Path

import pytest

from bondline.core import uniform
from bondline.errors import BondlineError
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.local import Pipe
from bondline.remote.client.memory import LARGEST, Memory
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served

H = 0.01


class Going:
    """A model, window by window."""

    def __init__(self, model) -> None:
        self.model, self.n = model, 0
        self.done = model.start(0.0)

    def __call__(self, windows: int) -> list[float]:
        """What the right end shows after so many more."""
        for _ in range(windows):
            window = uniform(0.0, H, self.n)
            response = self.model.respond(self.done.state, window, {})
            self.done = self.model.realise(response, {})
            self.n += 1
        m = self.done.outputs["right"]
        return [*m.x, *m.v, *m.a]


def hungry(end: str, mark: Path):
    return remote_model(
        "chain", Pipe([sys.executable, "-m", "tests.chaos.hungry", end, str(mark)])
    )


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and RLIMIT_AS")
def test_a_leaf_that_dies_for_want_of_memory_is_started_again(tmp_path: Path):
    """FT-01's way: its states are made again, to the same bits."""
    part = hungry("die", tmp_path / "mark")
    assert Going(part)(40) == Going(chain("chain"))(40)
    assert (tmp_path / "mark").exists(), "it was hungry"
    assert part.link.recoveries == 1
    part.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and RLIMIT_AS")
def test_a_model_that_finds_no_memory_fails_in_public_words_and_can_be_asked_again(
    tmp_path: Path,
):
    part = hungry("raise", tmp_path / "mark")
    going = Going(part)
    going(19)
    with pytest.raises(BondlineError, match="its owner's log says why") as told:
        going(3)
    assert "memory" not in str(told.value).lower(), "that is the owner's"
    assert going(40 - going.n) == Going(chain("chain"))(40)
    assert part.link.recoveries == 0, "the process lives"
    part.close()


class Here:
    """A line to a server in this process: what both sides keep counts."""

    place = "here"

    def __init__(self, host: Host) -> None:
        self.host = host

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        reply, session = self.host.answer(raw, "")
        if session is not None:
            session.tidy()
        return reply

    def describe(self, raw: bytes, patience: float) -> bytes:
        return self.host.describe(raw, "")

    def while_idle(self, every: float, call) -> None:
        pass


def resident() -> float:
    """Megabytes of this process that are in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_ten_thousand_windows_take_no_megabyte():
    """Without a checkpoint between them: the requests since then are remembered."""
    host = Host({"chain": Served("chain", lambda: chain("chain"))})
    going = Going(remote_model("chain", Here(host)))
    going(2_000)
    before = resident()
    going(10_000)
    assert resident() - before <= 1.0


def test_what_is_remembered_is_bounded_in_bytes():
    """Who asks for a state that is too old to be made again is told so."""
    memory, signal = Memory(), pb.Signal(rows=1, coefficients=[0.0] * 2**20)
    request = pb.Request(advance=pb.Advance(inputs=[signal]))  # 8 MB
    for n in range(1, 13):
        request.advance.state, request.advance.result = n, n + 1
        memory.add(request, request.SerializeToString())
    assert sum(map(len, memory._log)) <= LARGEST
    with pytest.raises(KeyError):
        memory.needed(pb.Request(advance=pb.Advance(state=13)))
