"""Every rung: the uncut model meets the reference, the glued one is the uncut one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cases.ladder import slider_crank, slider_points
from tests.cases.ladder.__main__ import main
from tests.cases.ladder.cutting import Cut, bisected
from tests.cases.ladder.every import CASES, CHAPTERS, short
from tests.cases.ladder.page import PAGE, page, rows
from tests.cases.ladder.pinched_cylinder import model as cylinder
from tests.cases.ladder.rung import Rung, within


def check(rung: Rung) -> None:
    assert rung.passes != bool(rung.excuse), rung


@pytest.mark.parametrize("case", CASES, ids=short)
def test_every_rung_holds_or_says_why_not(case):
    found = list(case.rungs(fine=False))
    for rung in found:
        check(rung)
    assert any(rung.passes for rung in found)


@pytest.mark.full
def test_the_page_says_what_is_found():
    """Values to the digits printed; round-off differs from machine to machine."""
    found = [
        (chapter, rung)
        for chapter, cases in CHAPTERS.items()
        for case in cases
        for rung in case.rungs(fine=True)
    ]
    for _, rung in found:
        check(rung)
    said, now = (rows(text) for text in (PAGE.read_text("utf-8"), page(found)))
    assert list(said) == list(now)
    for (case, *_), (key, row) in zip(said, now.items(), strict=True):
        assert (said[key].gate, said[key].holds) == (row.gate, row.holds), key
        if abs(row.found) > 1e-8 and case != "identity":
            assert said[key].found == pytest.approx(row.found, rel=2e-4), key


@pytest.mark.full
def test_points_with_mass_end_where_the_page_says():
    found = slider_points.found(1e-10)
    for name, wanted in slider_crank.POINTS.items():
        assert found[name] == pytest.approx(wanted, rel=1e-9), name


def test_a_rung_that_misses_says_no_on_the_page():
    good = Rung("a", "b", 2.0, 2.01, within(0.01), 1e-12, 1e-8, "2", 7, "s")
    bad = Rung("a", "c", 2.0, 1.0, within(0.01), None, 0.0, "", 7, "s", excuse="soft")
    torn = Rung("a", "d", 2.0, 2.0, within(0.01), 1e-3, 1e-8, "2", 7, "s")
    assert (good.passes, bad.passes, torn.passes) == (True, False, False)
    text = page([("Chapter", good), ("Chapter", bad), ("Chapter", torn)])
    assert [row.holds for row in rows(text).values()] == [True, False, False]
    assert "- a (c): soft." in text


def test_a_cut_shares_every_node_and_loses_no_element():
    model = cylinder("S4", 6)
    cut = Cut(model, bisected(model.mesh, 4))
    assert sum(m.mesh.elements for m in cut.parts) == model.mesh.elements
    assert set(np.concatenate(cut.rows)) == set(range(len(model.mesh.points)))
    assert max(len(key) for key in cut.shared) == 4  # all meet in one node
    forces = [load.value * len(load.nodes) for m in cut.parts for load in m.loads]
    assert forces == [model.loads[0].value]


def test_single_cases_are_shown_and_no_page_is_written(capsys):
    before = PAGE.stat().st_mtime_ns
    assert main(["--fast", "cook"]) == 0
    shown = capsys.readouterr().out
    assert "Cook's membrane" in shown
    assert "(S3 16 × 16): constant strain in the plane." in shown
    assert PAGE.stat().st_mtime_ns == before


def test_an_unknown_case_is_named_with_the_nearest_one(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["rof"])
    assert stop.value.code == 2
    told = capsys.readouterr().err
    assert "there is no case 'rof'. Did you mean 'roof'?" in told
