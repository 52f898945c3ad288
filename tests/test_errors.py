"""The exception tree: what errors.py says about itself is what it does."""

from __future__ import annotations

import inspect
import re

import pytest

from bondline import errors
from bondline.errors import BondlineError, did_you_mean, nearest

ENTRY = re.compile(r"^( *)[*-] (\w+) +(\d+)  (\S.*)$", re.MULTILINE)


def classes() -> dict[str, type[BondlineError]]:
    """Every exception that errors.py defines, by name."""
    return {
        name: item
        for name, item in vars(errors).items()
        if inspect.isclass(item) and issubclass(item, BaseException)
    }


def documented() -> list[tuple[str, int, str | None]]:
    """Name, exit code and parent of each line of the docstring's tree."""
    entries, above = [], {}
    for indent, name, code, _ in ENTRY.findall(errors.__doc__ or ""):
        above[len(indent)] = name
        entries.append((name, int(code), above.get(len(indent) - 2)))
    return entries


def test_the_docstring_lists_every_class_once():
    assert sorted(name for name, _, _ in documented()) == sorted(classes())


@pytest.mark.parametrize(("name", "code", "parent"), documented())
def test_a_class_has_the_exit_code_and_parent_the_docstring_says(name, code, parent):
    cls = classes()[name]
    assert cls.exit_code == code
    assert cls.__base__ is (classes()[parent] if parent else Exception)


@pytest.mark.parametrize("cls", classes().values(), ids=classes())
def test_every_error_says_place_finding_and_remedy(cls):
    error = cls("frame", "bolt_3 is missing.", "Add it.")
    assert str(error) == "frame: bolt_3 is missing. Add it."
    assert (error.place, error.finding, error.remedy) == (
        "frame",
        "bolt_3 is missing.",
        "Add it.",
    )


def test_exit_codes_fit_a_shell():
    assert all(0 < cls.exit_code < 126 for cls in classes().values())


def test_lists_carried_by_errors_cannot_change():
    problems = ["a"]
    error = errors.DescriptionError("m.ssd", "found.", "fix.", problems)
    problems.append("b")
    assert error.problems == ("a",)
    assert errors.CouplingDiverged("m", "f", "r", [1.0]).history == (1.0,)


def test_the_nearest_name_is_proposed():
    assert nearest("lowr", ["upper", "lower"]) == "lower"
    assert did_you_mean("lowr", ["upper", "lower"]) == (
        "Did you mean 'lower'? Known: lower, upper."
    )


def test_nothing_near_proposes_nothing():
    assert nearest("xyz", ["upper", "lower"]) is None
    assert did_you_mean("xyz", ["upper"]) == "Known: upper."
    many = did_you_mean("xyz", (f"A[{k}]" for k in range(103)))
    assert many.endswith("and 3 more.")
    assert did_you_mean("xyz", []) == "Known: none."
