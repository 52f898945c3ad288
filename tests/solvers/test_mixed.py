"""examples/mixed_solvers: four programs in one assembly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bondline.build import open_model, rehearse
from bondline.build.solvers.grant import code_allowed
from bondline.run import Keep, simulate

for module in ("KratosMultiphysics", "exudyn", "mujoco"):
    pytest.importorskip(module)

EXAMPLE = Path(__file__).parents[2] / "examples" / "mixed_solvers"


def test_without_a_word_its_code_stays_unread():
    assert {p.code for p in rehearse(EXAMPLE)[1]} == {"BND130"}


def run(until, step=1e-3):
    with code_allowed():
        model = open_model(EXAMPLE).model
    keep = Keep()
    simulate(model, until, step, record=keep)
    return model, keep.frames


def test_four_programs_stay_joined():
    model, frames = run(0.01)
    kinds = {type(part).__name__ for part in model.parts.values()}
    assert kinds == {"Structure", "ExudynLeaf", "MujocoLeaf", "FunctionLeaf"}
    assert max(f.stats["gap"] for f in frames[1:]) < 1e-9
    assert not [note for f in frames for note in f.notes]


@pytest.mark.full
def test_the_tip_follows_the_controller_and_shorter_windows_agree():
    tips = []
    for step in (2e-3, 1e-3):
        _, frames = run(0.1, step)
        tips.append(frames[-1].values["arm.tip.2"].value)
    assert tips[1] == pytest.approx(1.0, abs=0.03)
    assert np.ptp(tips) < 1e-3
