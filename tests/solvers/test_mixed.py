"""examples/mixed_solvers: four programs in one assembly."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bondline.build import open_model, rehearse
from bondline.build.solvers.grant import code_allowed
from bondline.run import Keep, simulate

for module in ("KratosMultiphysics", "exudyn", "mujoco", "fmpy", "pythonfmu"):
    pytest.importorskip(module)

EXAMPLE = Path(__file__).parents[2] / "examples" / "mixed_solvers"


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """A copy, with the controller made."""
    here = tmp_path_factory.mktemp("mixed") / "model"
    shutil.copytree(EXAMPLE, here)
    subprocess.run([sys.executable, str(here / "make_controller.py")], check=True)
    return here


def test_without_a_word_its_code_stays_unread(example):
    assert {p.code for p in rehearse(example)[1]} == {"BND130"}


def run(example, until, step=1e-3):
    with code_allowed():
        model = open_model(example).model
    keep = Keep()
    simulate(model, until, step, record=keep)
    return model, keep.frames


def test_four_programs_stay_joined(example):
    model, frames = run(example, 0.01)
    kinds = {type(part).__name__ for part in model.parts.values()}
    assert kinds == {"Structure", "ExudynLeaf", "MujocoLeaf", "FmuLeaf"}
    assert max(f.stats["gap"] for f in frames[1:]) < 1e-9
    assert not [note for f in frames for note in f.notes]


@pytest.mark.full
def test_the_tip_follows_the_controller_and_shorter_windows_agree(example):
    tips = []
    for step in (2e-3, 1e-3):
        _, frames = run(example, 0.1, step)
        tips.append(frames[-1].values["arm.tip.2"].value)
    assert tips[1] == pytest.approx(1.0, abs=0.03)
    assert np.ptp(tips) < 1e-3
