"""Blocks of windows by wire: the bits of blocks in process, one round trip a block."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bondline.build import Given, open_model
from bondline.run import simulate
from bondline.run.layout import Layout
from tests.remote.conftest import Supply
from tests.remote.test_round_trips import Counting


class Frames:
    def __init__(self) -> None:
        self.seen: list[tuple[str, bytes, bytes]] = []

    def write(self, frame, state) -> None:
        layout = Layout.of(frame)
        self.seen.append((layout.dump(), layout.pack(frame), layout.pack_shapes(frame)))


@pytest.mark.parametrize(
    "model", ["linear_chain/SystemStructure", "linear_chain/Nested"]
)
def test_blocks_by_wire_give_the_bits_of_blocks_in_process(
    project: Path, supply: Supply, model: str
):
    path, given = project / "examples" / f"{model}.ssd", Given(block=10)
    there = supply(path)
    whole = open_model(path, given).model
    parts = {name: there.model(name) for name in whole.parts}
    for part in parts.values():
        part.link.line = Counting(part.link.line)
    here, away = Frames(), Frames()
    simulate(whole, 1.0, 0.01, record=here)
    simulate(replace(whole, parts=parts), 1.0, 0.01, record=away)
    assert here.seen == away.seen
    for part in parts.values():
        asked = part.link.line.asked
        blocks = asked["try_block"] + asked["settle_block"]
        assert blocks <= 10 + 3, "one a block of ten windows, and a few to begin anew"
        assert asked["advance"] == asked["realise"] == 0
        part.close()
