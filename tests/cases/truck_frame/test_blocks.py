"""The truck frame, many windows an exchange: what it is window by window.

Issue 7 asks for 1e-10 after 1,000 windows of 0.5 ms with 50 windows an exchange.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.run import Keep, simulate
from tests.cases.truck_frame.glued import DT, frame


def driven(model, windows):
    kept = Keep()
    simulate(model, windows * DT, DT, record=kept)
    frames = kept.frames[1:]
    seen = np.array([[v.value for v in f.values.values()] for f in frames])
    forces = np.array(
        [
            np.concatenate([r.coefficients.ravel() for r in f.forces.values()])
            for f in frames
        ]
    )
    return seen, forces, frames


def compared(file, block, windows):
    model = frame(file)
    seen, forces, alone = driven(model, windows)
    too, told, frames = driven(replace(model, block=block), windows)
    assert [f.t for f in frames] == [f.t for f in alone]
    assert (np.abs(too - seen).max(axis=0) <= 1e-10 * np.abs(seen).max(axis=0)).all()
    assert np.abs(told - forces).max() <= 1e-10 * np.abs(forces).max()
    assert max(f.stats["gap"] for f in frames) < 1e-12
    return sum(f.stats["exchanges"] for f in frames)


def test_a_few_blocks_are_their_windows_through_both_layers():
    # the first window alone, where the load sets in; four blocks, the last word
    assert compared("SystemStructure.ssd", 8, 30) == 1 + 4 + 1


@pytest.mark.full
@pytest.mark.parametrize("file", ["SystemStructure.ssd", "Flat.ssd"])
def test_a_thousand_windows_in_23_exchanges(file):
    # as above; after half of the blocks one starts afresh
    assert compared(file, 50, 1000) == 1 + 20 + 1 + 1
