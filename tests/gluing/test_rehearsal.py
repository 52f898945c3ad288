"""What a rehearsal says of windows that fail, and of forces that are no numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import NamedTuple

import numpy as np
import pytest

from bondline.core import Advance, Rejected, Window
from bondline.gluing.rehearsal import rehearsed


class History(NamedTuple):
    felt: np.ndarray
    asked: np.ndarray


@dataclass(frozen=True)
class State:
    history: History
    window: int = 0


class Scripted:
    """Errors grow by a factor a window; from some window on, glueing is rejected."""

    def __init__(self, factor=0.5, good_until=99, bad_until=99):
        self.factor, self.until = factor, (good_until, bad_until)

    def glue(self, state, window, inputs):
        off = state.history.asked
        if state.window >= self.until[bool(off.any())]:
            return Rejected("pair", "no", None)
        factor = self.factor if off.any() else 1.0
        after = State(History(off, off * factor), state.window + 1)
        return Advance(after, {}, stats={"speed": 1.0, "gap_rate": 0.0})


def tried(**how):
    state = State(History(np.zeros(2), np.zeros(2)))
    return rehearsed(Scripted(**how), state, Window(0.0, 0.1))


def test_errors_that_die_out_are_good():
    assert tried().good
    assert tried(factor=2.0).grown == 2.0**16


@pytest.mark.parametrize("windows", [1, 2, 5])
def test_an_error_that_makes_windows_fail_is_not_good(windows):
    found = tried(bad_until=windows)
    assert found.grown == inf
    assert "makes windows fail" in found.words


def test_a_force_that_is_no_number_is_not_good():
    assert tried(factor=nan).grown == inf


def test_windows_that_fail_by_themselves_tell_nothing_more():
    assert tried(good_until=0) is None
    assert tried(good_until=1, bad_until=1) is None
    assert tried(good_until=3, bad_until=3).good
