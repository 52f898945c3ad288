"""The page on decks says what the code does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fences import run_python

from .card_table import tables
from .samples import MSH4
from .test_inp_write import plate

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reference" / "decks.md"


@pytest.mark.parametrize("table", tables(), ids=range(len(tables())))
def test_the_page_has_every_table_as_the_code_is(table):
    assert table in PAGE.read_text(encoding="utf-8"), (
        "Print the tables with python -m tests.fe.formats.card_table."
    )


def test_the_page_is_listed():
    assert "\ndecks\n" in (PAGE.parent / "index.md").read_text(encoding="utf-8")


def test_the_python_of_the_page_works(tmp_path: Path):
    thick = plate().replace("0.02\n", "<thickness>\n")
    deck = "*PARAMETER\n thickness = 0.01\n" + thick
    (tmp_path / "plate.inp").write_text(deck, encoding="utf-8")
    (tmp_path / "plate.msh").write_text(MSH4, encoding="utf-8")
    run_python(PAGE.read_text(encoding="utf-8"), tmp_path)
