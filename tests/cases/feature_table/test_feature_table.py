"""Joints x couplings x solvers x levels: it works, or it is refused with the reason."""

from __future__ import annotations

from functools import cache

import pytest

from bondline.gluing import JOINT_KINDS
from tests.cases.feature_table import make
from tests.cases.feature_table.combine import (
    ALL_SOLVERS,
    COUPLINGS,
    LEVELS,
    attempt,
    cells,
    covering,
)

LEARNERS = ("iqn-ils", "anderson", "aitken", "relaxation", "diagonal-secant")


@cache
def problems():
    return make.problems()


def test_every_kind_of_joint_has_a_problem():
    assert {p.joint for p in problems()} == set(JOINT_KINDS)


def test_some_turn_shows_every_pair():
    """Problem and coupling, coupling and level, solver and level."""
    some = covering(problems())
    ways = {(c.coupling, c.scheme, c.level) for c in some}
    assert len(ways) == len(COUPLINGS) * len(LEVELS)
    assert len({(c.solver, c.level) for c in some}) == len(ALL_SOLVERS) * len(LEVELS)
    pairs = {(c.problem.name, c.coupling, c.scheme) for c in some}
    assert len(pairs) == len(COUPLINGS) * len(problems())


def silent(some):
    """Cells that went wrong without a word, and those that the page has otherwise."""
    told = make.verdicts(make.PAGE.read_text(encoding="utf-8"))
    wrong, stale = [], []
    for cell in some:
        found = attempt(cell)
        if found.verdict == "wrong":
            wrong.append((str(cell), found))
        way = f"{cell.coupling} {cell.scheme}"
        key = cell.problem.name.lower(), way, cell.level, cell.solver
        if not same(cell, found.verdict, told.get(key, "refused")):
            stale.append((str(cell), found.verdict, told.get(key)))
    return wrong, stale


def same(cell, found, told):
    """Solvers that learn as they go may just make it, or just not."""
    if cell.solver in LEARNERS and "refused" not in (found, told):
        return True
    return found == told


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("i", range(21))
def test_nothing_fails_silently(i, half):
    """Quick: every problem with every second coupling, every coupling with some."""
    own = problems()[i].name
    some = [c for c in covering(problems()) if c.problem.name == own]
    assert silent(some[(i + half) % 2 :: 2]) == ([], [])


@pytest.mark.full
@pytest.mark.parametrize("i", range(21))
def test_nothing_in_the_product_fails_silently(i):
    assert silent(cells(problems()[i : i + 1])) == ([], [])


def test_the_page_has_every_problem():
    text = make.PAGE.read_text(encoding="utf-8").lower()
    assert all(f"## {p.name.lower()}\n" in text for p in problems())
    assert text.count("\n## ") == len(problems()) == 21
