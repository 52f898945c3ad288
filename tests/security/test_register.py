"""The register: every attack, privacy and fault case has a test, or a reason."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = HERE.parent
SIZES = {"SEC": 30, "PRIV": 8, "FT": 34}


@cache
def register():
    return tomllib.loads((HERE / "register.toml").read_text(encoding="utf-8"))


def test_every_case_is_listed_once_and_in_order():
    wanted = [
        f"{kind}-{n:02d}" for kind, size in SIZES.items() for n in range(1, size + 1)
    ]
    assert list(register()) == wanted


@pytest.mark.parametrize("case", register())
def test_a_case_has_tests_or_a_reason(case):
    entry = register()[case]
    assert entry["what"]
    assert bool(entry.get("tests")) != bool(entry.get("why"))
    assert set(entry) <= {"what", "tests", "why", "limits"}


@pytest.mark.parametrize("case", [c for c in register() if register()[c].get("tests")])
def test_the_tests_of_a_case_exist(case):
    for name in register()[case]["tests"]:
        file, _, function = name.partition("::")
        assert (TESTS / file).is_file(), name
        assert not function or function in functions(TESTS / file), name


@cache
def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
