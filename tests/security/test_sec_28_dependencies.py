"""SEC-28: what is installed is what was written down, and nothing else."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

PINNED = re.compile(r"[a-z0-9][a-z0-9._-]*(\[[a-z0-9,_-]+\])?==[0-9][\w.!+-]*( ; .+)?")
NAME = re.compile(r"[A-Za-z0-9._-]+")


def lines(file: Path) -> list[str]:
    every = file.read_text(encoding="utf-8").splitlines()
    return [line for line in every if line and not line.startswith("#")]


def plain(name: str) -> str:
    found = NAME.match(name)
    assert found is not None
    return re.sub(r"[._-]+", "-", found.group()).lower()


@pytest.mark.parametrize("lock", ["requirements.lock", "extras.lock"])
def test_every_package_is_pinned_to_one_version(project: Path, lock: str):
    for line in lines(project / lock):
        assert PINNED.fullmatch(line), line


def test_locks_agree_and_have_all_that_is_asked_for(project: Path):
    locks = [lines(project / f) for f in ("requirements.lock", "extras.lock")]
    base, extras = ({plain(x): x for x in lock} for lock in locks)
    assert {n: extras[n] for n in base if n in extras} == {
        n: base[n] for n in base if n in extras
    }
    told = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    asked = told["project"]["dependencies"]
    assert {plain(name) for name in asked} <= set(base)


def test_nothing_is_taken_from_an_address(project: Path):
    for lock in ("requirements.lock", "extras.lock"):
        text = (project / lock).read_text(encoding="utf-8")
        assert "://" not in text
        assert "--" not in text, "no other index, no editable package"
