"""The page on model files lists what can be named in one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bondline.build import catalogue

PAGE = (
    Path(__file__).resolve().parents[2] / "docs" / "reference" / "model_file.md"
).read_text()


def rows(head: str, page: str = PAGE) -> dict[str, str]:
    """Rows of the table with that first column, by their names in it."""
    table = page[page.index(f"\n| {head} |") :].split("\n\n")[0].strip().split("\n")
    found = {}
    for row in table[2:]:
        names = re.findall(r"`([^`]+)`", row.split("|")[1])
        found |= dict.fromkeys(names, row)
    return found


def test_every_kind_of_leaf_is_listed() -> None:
    assert set(rows("kind | what it is")) == set(catalogue().kinds)


def test_every_kind_of_joint_is_listed_with_its_settings() -> None:
    listed = rows("kind | what it does")
    assert set(listed) == set(catalogue().joints)
    for name, form in catalogue().joints.items():
        for setting in form.settings:
            assert f"`{setting}`" in listed[name], (name, setting)
        assert f'kind="{name}"' in listed[name]


def test_every_coupling_is_listed_with_its_schemes() -> None:
    listed = rows("`method` | meaning | ports")
    assert set(listed) == set(catalogue().methods)
    for method, schemes in catalogue().schemes.items():
        assert all(f"`{scheme}`" in listed[method] for scheme in schemes), method


@pytest.mark.parametrize("solver", catalogue().solvers)
def test_every_solver_is_listed_with_its_settings(solver: str) -> None:
    after = PAGE[PAGE.index("### Interface solvers") :]
    common = rows("attribute | meaning | without it", after)
    row = rows("`solver` | what it does")[solver]
    for setting in set(catalogue().solvers[solver].settings) - set(common):
        assert f"`{setting}`" in row, setting
