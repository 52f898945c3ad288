"""Mappings over one array: each port as if it stood alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from bondline.core import (
    Effort,
    Forces,
    Motion,
    Motions,
    Output,
    Signal,
    changed,
    in_one_array,
    superposed,
)

PLACES = {"a": slice(0, 2), "b": slice(2, 5)}
LEVELS = np.arange(15.0).reshape(3, 5)


def test_motions_are_a_mapping_of_ports() -> None:
    shown = Motions(PLACES, LEVELS)
    assert list(shown) == ["a", "b"]
    assert len(shown) == 2
    assert "c" not in shown
    assert shown["b"].v.tolist() == [7.0, 8.0, 9.0]
    assert [m.x.tolist() for m in shown.values()] == [[0.0, 1.0], [2.0, 3.0, 4.0]]


def test_forces_are_a_mapping_of_signals() -> None:
    told = Forces(PLACES, LEVELS)
    assert {**told}.keys() == {"a", "b"}
    for port, place in PLACES.items():
        alone = Signal(LEVELS[:, place])
        assert told[port].at(0.3).tolist() == alone.at(0.3).tolist()
        assert told.end[place].tolist() == alone.end.tolist()
    assert Forces(PLACES, LEVELS[:1]).end.tolist() == LEVELS[0].tolist()


@pytest.mark.parametrize("rows", [1, 3])
def test_sums_and_differences_in_one_array_are_those_port_by_port(rows: int) -> None:
    one, two = Forces(PLACES, 0.1 * LEVELS[:rows]), Forces(PLACES, np.sqrt(LEVELS))
    ones: Mapping[str, Signal] = {**one}
    for both in (superposed, changed):
        whole, each = both(one, two), both(ones, {**two})
        assert isinstance(whole, Forces)
        assert whole.keys() == each.keys()
        for port, signal in each.items():
            known = whole[port].coefficients.tolist()
            assert known == signal.coefficients.tolist()


def test_what_acts_on_one_port_only_changes_that_one() -> None:
    push, pull = Signal.hold(np.ones(2)), Signal.hold(np.full(3, 7.0))
    assert changed({"a": push}, {"a": push, "b": pull})["a"].end.tolist() == [0.0, 0.0]
    assert changed({"a": push}, {"b": pull})["a"].end.tolist() == [-1.0, -1.0]
    assert changed({}, {"b": pull})["b"] is pull
    assert not changed({}, {})


def test_motions_of_points_come_together() -> None:
    each: dict[str, Output] = dict(Motions(PLACES, LEVELS))
    found = in_one_array(each)
    assert isinstance(found, Motions)
    assert (found.places, found.levels.tolist()) == (PLACES, LEVELS.tolist())


def test_what_is_not_that_plain_stays_as_it_is() -> None:
    motion = Motion(*np.ones((3, 2)))
    turned = Motion(np.ones(3), np.ones(6), np.ones(6), np.eye(4)[0])
    others: list[Output] = [Motion(*np.ones((2, 2))), Effort(np.ones(2), motion)]
    for odd in (*others, turned, 1.0):
        shown: dict[str, Output] = {"a": motion, "b": odd}
        assert in_one_array(shown) is shown
    assert in_one_array({}) == {}
