"""What each package shows: sorted, complete, explained."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import bondline

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = sorted(
    p.parent.name for p in (ROOT / "src" / "bondline").glob("*/__init__.py")
)
TELLTALES = ("advance", "observe", "shapes", "reactions", "linearise", "place")
TELLTALES += ("gap", "problem", "sweep", "solve", "write")


def package(name: str) -> ModuleType:
    return importlib.import_module(f"bondline.{name}")


def listed(name: str) -> list[str]:
    return list(getattr(package(name), "__all__", []))


def named(name: str) -> Iterator[str]:
    """Public names that the package's `__init__` imports or defines."""
    file = package(name).__file__
    assert file is not None
    for node in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (t.id for t in node.targets if isinstance(t, ast.Name))


def order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions: as ruff sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def everything() -> list[tuple[str, str]]:
    return [(name, item) for name in PACKAGES for item in listed(name)]


def test_there_are_packages():
    assert {"core", "gluing", "leaves", "run", "wire"} <= set(PACKAGES)


@pytest.mark.parametrize("name", PACKAGES)
def test_all_is_sorted_and_says_nothing_twice(name):
    assert listed(name) == sorted(set(listed(name)), key=order)


@pytest.mark.parametrize("name", PACKAGES)
def test_all_lists_every_public_name(name):
    public = {item for item in named(name) if not item.startswith("_")}
    assert public == set(listed(name))


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_says_what_it_is(name):
    first = (package(name).__doc__ or "").partition("\n")[0]
    assert first.endswith((".", ":"))


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_exists_and_is_explained(name):
    for item in listed(name):
        thing = getattr(package(name), item)
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):
            continue  # a constant or an alias: its type and its module explain it
        text = thing.__doc__ or ""
        assert text, item
        assert not text.startswith(f"{item}("), "that is the text dataclass makes up"
        assert text.strip().partition("\n")[0][-1] in ".:,)", (item, text)


def test_every_class_with_a_role_is_checked_against_its_protocol():
    conformance = (ROOT / "tests" / "typing" / "conformance.py").read_text()
    final = [
        item
        for name, item in everything()
        if name in ("gluing", "leaves", "run")
        and inspect.isclass(thing := getattr(package(name), item))
        and not getattr(thing, "_is_protocol", False)
        and any(callable(getattr(thing, method, None)) for method in TELLTALES)
    ]
    words = {
        node.id for node in ast.walk(ast.parse(conformance)) if hasattr(node, "id")
    }
    assert set(final) <= words


def test_the_version_is_the_one_of_the_distribution():
    from importlib.metadata import version

    assert version("bondline") == bondline.__version__


def test_the_changelog_knows_the_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {bondline.__version__}" in changelog
