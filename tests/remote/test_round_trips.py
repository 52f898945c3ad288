"""What a window costs: one round trip if the parts are linear."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from bondline.build import open_model
from bondline.core import Signal, uniform
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.asking import Asking
from bondline.remote.client.line import never
from bondline.remote.owner.served import Served
from bondline.run import simulate
from tests.remote.conftest import Supplier, Supply


class Counting:
    """A line that counts what is asked."""

    def __init__(self, line) -> None:
        self.line, self.asked, self.place = line, Counter(), line.place

    def exchange(self, raw: bytes, patience: float, busy=never) -> bytes:
        request = pb.Request()
        request.ParseFromString(raw)
        self.asked[request.WhichOneof("ask")] += 1
        return self.line.exchange(raw, patience, busy)

    def __getattr__(self, name: str):
        return getattr(self.line, name)


def counted(path: Path, there: Supplier, windows: int) -> tuple[int, dict[str, Asking]]:
    """Iterations of a run with all parts at their owner's, and the parts."""
    model = open_model(path).model
    parts = {name: there.model(name) for name in model.parts}
    for part in parts.values():
        part.link.line = Counting(part.link.line)
    sweeps = []
    simulate(
        replace(model, parts=parts),
        0.01 * windows,
        0.01,
        progress=lambda frame: sweeps.append(frame.stats.get("sweeps", 0)),
    )
    return int(sum(sweeps)), parts


def test_linear_parts_cost_one_round_trip_a_window(project: Path, supply: Supply):
    path = project / "examples" / "linear_chain"
    there = supply(path)
    totals = {}
    for windows in (20, 50):
        _, parts = counted(path, there, windows)
        for part in parts.values():
            asked = part.link.line.asked
            assert asked["realise"] == windows
            assert asked["respond"] == 1, "the first window, which nobody foresaw"
            totals[windows] = sum(asked.values())
            part.close()
    assert totals[50] - totals[20] == 30, "the rest is start-up"


def test_what_nobody_holds_is_released(project: Path, supply: Supply):
    path = project / "examples" / "linear_chain"
    there = supply(path)
    _, parts = counted(path, there, 50)
    kept = [len(s.desk.names) for s in there.server.host.sessions.values()]
    assert len(kept) == len(parts) > 0, "a session each"
    # what the last requests released may still be there: it is forgotten after replies
    assert max(kept) <= 10, "of 50 windows"
    for part in parts.values():
        part.close()
    assert not there.server.host.sessions


def test_other_parts_cost_one_round_trip_an_iteration(project: Path, supply: Supply):
    path = project / "examples" / "double_pendulum"
    there = supply(path)
    sweeps, parts = counted(path, there, 30)
    for part in parts.values():
        asked = part.link.line.asked
        assert asked["advance"] == sweeps
        assert asked["advance_each"] == 1, "all probes of the gluing matrix at once"
        part.close()


def test_a_slope_that_is_wanted_in_every_window_comes_along(supply: Supply):
    there = supply({"bar": Served("bar", lambda: chain("bar"))})
    part = there.model("bar")
    line = part.link.line = Counting(part.link.line)
    here, away = chain("bar"), part
    mine, yours = here.start(0.0).state, away.start(0.0).state
    port = next(iter(part.ports))
    force = {port: Signal(np.full((1, part.ports[port].size), 2.0))}
    for n in range(10):
        window = uniform(0.0, 0.01, n)
        both = ((here, mine), (away, yours))
        first, second = (m.advance(s, window, force) for m, s in both)
        G = [m.linearise(s, window, force) for m, s in both]
        assert G[0].blocks.keys() == G[1].blocks.keys() != set()
        for pair, block in G[0].blocks.items():
            assert (block == G[1].blocks[pair]).all()
        mine, yours = first.state, second.state
    assert line.asked["advance"] == 10
    assert line.asked["linearise"] == 1, "the first; nobody knew that it was wanted"
    part.close()
