"""Blocks of windows, as a model file or a flag asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.build import Given, catalogue, open_model
from bondline.build.rehearse import misfits
from bondline.description import check, load
from bondline.errors import BondlineError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def written(tmp_path: Path, example: str, attributes: str) -> Path:
    """An example with attributes of the outermost gluing."""
    text = (EXAMPLES / example / "SystemStructure.ssd").read_text(encoding="utf-8")
    assert text.count("<g:gluing ") == 1
    path = tmp_path / "SystemStructure.ssd"
    path.write_text(text.replace("<g:gluing ", f"<g:gluing {attributes} "))
    return path


def test_a_flag_asks_for_blocks_of_the_outermost_system() -> None:
    model = open_model(EXAMPLES / "linear_chain", Given(block=50)).model
    assert model.block == 50
    nested = open_model(EXAMPLES / "linear_chain" / "Nested.ssd", Given(block=7)).model
    inner = [p.block for p in nested.parts.values() if hasattr(p, "parts")]
    assert (nested.block, set(inner)) == (7, {1})


def test_a_model_file_asks_for_blocks(tmp_path: Path) -> None:
    path = written(tmp_path, "double_pendulum", 'block="4" waveform="true"')
    model = open_model(path).model
    assert (model.block, model.waveform) == (4, True)


def test_parts_that_are_not_linear_are_refused_with_a_remedy() -> None:
    with pytest.raises(BondlineError) as caught:
        open_model(EXAMPLES / "double_pendulum", Given(block=5))
    assert "part upper is not linear" in str(caught.value)
    assert "--waveform" in str(caught.value)


def test_check_finds_a_block_that_cannot_be(tmp_path: Path) -> None:
    path = written(tmp_path, "double_pendulum", 'block="4"')
    found = misfits(load(path).spec)
    assert len(found) == 1
    assert "block of 4 windows" in found[0].finding


def test_check_finds_a_block_without_windows(tmp_path: Path) -> None:
    path = written(tmp_path, "double_pendulum", 'block="0"')
    codes = {p.code: p.finding for p in check(load(path).spec, catalogue()) if p.fatal}
    assert codes["BND043"] == "block is 0."
