"""The frame of the example is what its script makes, and resonates where it should."""

from __future__ import annotations

import runpy
from pathlib import Path

from bondline.build import open_model


def test_the_script_makes_the_decks(project: Path, tmp_path: Path) -> None:
    frame = project / "examples" / "sweep_frame"
    made = runpy.run_path(str(frame / "make_decks.py"))
    for side, sign in (("left", -1), ("right", 1)):
        kept = (frame / "resources" / f"{side}.inp").read_text(encoding="utf-8")
        assert made["deck"](side, sign) == kept


def test_what_the_sweep_sets_reaches_both_halves(project: Path) -> None:
    opened = open_model(project / "examples" / "sweep_frame")
    told = {p.name: p.value for p in opened.parameters}
    assert told["left.height"] == told["right.height"] == told["height"] == 0.1
    assert told["right.frequency"] == 12.0
