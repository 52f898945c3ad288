"""The truck frame with six owners far away: one round trip a block of windows.

What they show is what it is in process window by window: every published value and
every joint force component within 1e-10 of the largest that it has over the run.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.dial import Dial
from bondline.remote.client.line import never
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.run import Keep, Plan, begin, simulate
from tests.cases.truck_frame.agreement import assert_same_frames, driven
from tests.cases.truck_frame.glued import DT, frame
from tests.chaos.proxy import Weather, between
from tests.remote.conftest import Supply
from tests.remote.test_round_trips import Counting

BLOCKS = ("respond_block", "try_block", "settle_block")
START_UP = 15  # the first window, where the load sets in, besides impulse responses
FRAME = "examples/truck_frame/Flat.ssd"


def far_away(path: Path, supply: Supply, block: int, windows: int, delay: float) -> int:
    """Most round trips of an owner after start-up; the results are checked."""
    there, model = supply(path), frame("Flat.ssd")
    with between(there.server.port, Weather(delay=delay)) as proxy:
        parts = {}
        for name in model.parts:
            line = Counting(Dial(proxy.address, there.secrets))
            parts[name] = remote_model(name, line, name, Patience(60.0, 60.0, 60.0))
        kept = Keep()
        whole = replace(model, parts=parts, block=block)
        simulate(whole, windows * DT, DT, record=kept)
        trips = [sum(p.link.line.asked[b] for b in BLOCKS) for p in parts.values()]
        for part, taken in zip(parts.values(), trips, strict=True):
            asked = part.link.line.asked
            assert asked.total() - asked["impulse"] - taken < START_UP
        for part in parts.values():
            part.close()
    assert len(parts) == 6
    assert_same_frames(kept.frames, driven(model, windows).frames)
    return max(trips)


def test_a_few_blocks_of_six_owners_are_their_windows(project: Path, supply: Supply):
    assert far_away(project / FRAME, supply, 8, 30, 0.0) <= 4 + 3


@pytest.mark.full
def test_a_thousand_windows_100_ms_away_take_25_round_trips(
    project: Path, supply: Supply
):
    assert far_away(project / FRAME, supply, 50, 1000, 0.05) <= 25


class InOrder(Counting):
    """A line that knows in which order requests were answered."""

    def __init__(self, line) -> None:
        super().__init__(line)
        self.answered: list[str] = []

    def exchange(self, raw: bytes, patience: float, busy=never) -> bytes:
        reply = super().exchange(raw, patience, busy)
        self.answered.append(pb.Request.FromString(raw).WhichOneof("ask") or "")
        return reply


def recorded(
    path: Path, supply: Supply, folder: Path, block: int, windows: int, delay: float
) -> int:
    """Most round trips of an owner from its first block on, whatever for.

    All owners publish their surfaces, and the run is stored: with a picture at the end
    of every block, and with checkpoints.
    """
    there, model = supply(path), frame("Flat.ssd")
    with between(there.server.port, Weather(delay=delay)) as proxy:
        lines = {n: InOrder(Dial(proxy.address, there.secrets)) for n in model.parts}
        patience = Patience(60.0, 60.0, 60.0)
        parts = {n: remote_model(n, x, n, patience) for n, x in lines.items()}
        whole = replace(model, parts=parts, block=block)
        run = begin(folder, whole, Plan(windows * DT, DT)).run
        for part in parts.values():
            part.close()
    ends = {0, windows, *range(block, windows, block)}
    assert ends <= {seen.n for seen in run.seen()}
    orders = [x.answered[: x.answered.index("close")] for x in lines.values()]
    return max(len(each) - each.index("respond_block") for each in orders)


def test_a_few_blocks_with_pictures_and_a_store_cost_no_more(
    project: Path, supply: Supply, tmp_path: Path
):
    assert recorded(project / FRAME, supply, tmp_path, 8, 30, 0.0) <= 4 + 3


@pytest.mark.full
def test_a_thousand_windows_with_pictures_and_a_store_take_25_round_trips(
    project: Path, supply: Supply, tmp_path: Path
):
    assert recorded(project / FRAME, supply, tmp_path, 50, 1000, 0.05) <= 25
