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
    ("model", "step", "count"),
    [
        ("linear_chain/SystemStructure", 0.01, 10),
        ("linear_chain/Nested", 0.01, 10),
        ("truck_frame/SystemStructure", 0.0005, 2),  # products of matrices are large
    ],
)
def test_blocks_by_wire_give_the_bits_of_blocks_in_process(
    project: Path, supply: Supply, model: str, step: float, count: int
):
    path, given = project / "examples" / f"{model}.ssd", Given(block=10)
    there = supply(path)
    whole = open_model(path, given).model
    parts = {name: there.model(name) for name in whole.parts}
    for part in parts.values():
        part.link.line = Counting(part.link.line)
    here, away = Frames(), Frames()
    until = 10 * count * step
    simulate(whole, until, step, record=here)
    simulate(replace(whole, parts=parts), until, step, record=away)
    assert here.seen == away.seen
    for part in parts.values():
        asked = part.link.line.asked
        blocks = asked["try_block"] + asked["settle_block"]
        assert blocks <= count + 3, (
            "one a block of ten windows, and a few to begin anew"
        )
        alone = asked["advance"] + asked["realise"]
        assert alone <= model.startswith("truck"), "by itself where a load begins"
        part.close()
