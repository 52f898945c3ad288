"""Every lie is refused, by the right check, with the right quantity."""

from __future__ import annotations

import re

import pytest

from bondline.errors import LeafInconsistent, UsageError
from bondline.testing import CHECKS, assert_conforms, check_leaf
from bondline.testing.report import REMEDIES
from tests.testing.honest import spring, wound
from tests.testing.liars import (
    ForgetsHistory,
    ForgetsVelocity,
    counting,
    half_pace,
    noisy,
    pushed_back,
    twisted,
)
from tests.testing.zoo import LIES


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_refused_with_its_quantity(lie):
    make, check, quantity = LIES[lie]
    report = check_leaf(make())
    found = [f for f in report.failed if f.check == check]
    assert found, [(f.check, f.quantity, f.words) for f in report.failed]
    assert found[0].quantity.startswith(quantity), found[0]
    assert not any(f.words.startswith("it raises TypeError") for f in report.failed)


def test_a_forgotten_velocity_is_named_with_its_windows():
    (found,) = (
        f for f in check_leaf(wound(ForgetsVelocity)).failed if f.check == "rollback"
    )
    assert found.quantity == "port end: velocity"
    assert re.fullmatch(
        r"1 window ahead and back: velocity differs by \S+: it is not restored. "
        r"It shows after 1 window.",
        found.words,
    )


def test_a_history_that_no_port_shows_is_told_as_such():
    report = check_leaf(wound(ForgetsHistory))
    assert "something that no port shows is remembered" in report.failed[0].words


@pytest.mark.parametrize("make", [noisy, counting])
def test_what_changes_from_call_to_call_is_not_called_forgotten(make):
    assert "from call to call" in check_leaf(make()).failed[0].words


def test_the_refusal_names_place_finding_and_remedy():
    with pytest.raises(LeafInconsistent) as caught:
        assert_conforms(wound(ForgetsVelocity))
    error = caught.value
    assert error.exit_code == 33
    assert error.place == "old code: repeatability"
    assert error.finding.startswith("port end: velocity: the same window")
    assert "Also: rollback, determinism" in error.finding
    assert error.remedy == REMEDIES["repeatability"]


def test_every_check_has_a_remedy_unless_it_only_hints():
    assert {*CHECKS, "ports", "window"} - {*REMEDIES} == {"reciprocity", "passivity"}


@pytest.mark.parametrize(
    ("make", "check"),
    [
        (spring, "affinity"),
        (half_pace, "one step"),
        (pushed_back, "passivity"),
        (twisted, "reciprocity"),
    ],
)
def test_what_is_legal_but_odd_is_a_hint(make, check):
    report = check_leaf(make())
    report.raise_if_failed()
    assert check in [f.check for f in report.hints]
    strict = check_leaf(make(), strict=True)
    assert check in strict.refused
    with pytest.raises(LeafInconsistent):
        strict.raise_if_failed()


@pytest.mark.parametrize("wrong", [{"window": 0.0}, {"windows": 2}])
def test_nonsense_asked_of_the_kit_is_refused(wrong):
    with pytest.raises(UsageError) as caught:
        check_leaf(spring(), **wrong)
    assert caught.value.place == "check_leaf"
    assert "windows of" in caught.value.finding
    assert caught.value.remedy == "Give at least 3 windows of a positive length."
