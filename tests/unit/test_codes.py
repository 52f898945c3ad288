"""Codes of packed mechanisms are those of the kernels."""

import re

import pytest

from bondline.kernels.sources import SOURCES
from bondline.leaves.mbd.codes import FORMAT, WIDTHS, ForceKind, Head, HistoryKind


def enumerated(file, start):
    """What stands between the braces of an enum in C, without comments."""
    text = re.sub(r"/\*.*?\*/", "", (SOURCES / file).read_text(), flags=re.DOTALL)
    found = re.search(rf"enum {start}\s*{{(.*?)}}", text, re.DOTALL)
    return [word.strip() for word in found[1].split(",")]


@pytest.mark.parametrize(
    ("kind", "file", "before"),
    [(ForceKind, "tree_inner.h", ""), (HistoryKind, "history.h", "HISTORY_")],
)
def test_kinds_have_the_order_of_c(kind, file, before):
    assert enumerated(file, kind.__name__) == [before + k.name for k in kind]


def test_sizes_are_those_that_c_reads():
    told = dict(word.split(" = ") for word in enumerated("tree_open.c", ""))
    rows = ("BODY", "MARKER", "FORCE", "HISTORY", "LOOP")
    assert [int(told[row]) for row in rows] == list(WIDTHS.values())[:-1]
    assert (int(told["FORMAT"]), int(told["HEAD"])) == (FORMAT, len(Head))
