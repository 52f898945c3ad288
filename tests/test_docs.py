"""Citations: every equation the code names is on the page of its paper."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest
import typer

ROOT = Path(__file__).resolve().parents[1]
THEORY = ROOT / "docs" / "theory"
SOURCES = sorted((ROOT / "src" / "bondline").rglob("*.py"))
KERNELS = sorted((ROOT / "src" / "bondline" / "kernels" / "c").glob("*.[ch]"))
ENTRY = re.compile(r"^\| \((\d+)\) \|", re.MULTILINE)

NUMBERS = r"\(\d+\)(?:(?:,|-|–| and| to|,? or)?\s+\(\d+\)|[-–]\(\d+\))*"
EQUATION = re.compile(rf"\bEqs?\.\s+({NUMBERS})")


@cache
def keys() -> list[str]:
    """All entries of the bibliography."""
    bibliography = (THEORY / "references.bib").read_text(encoding="utf-8")
    return re.findall(r"^@\w+\{(\w+),", bibliography, re.MULTILINE)


def papers() -> list[str]:
    """Those with a page: their equations may be cited by number."""
    return [key for key in keys() if (THEORY / f"{key}.md").exists()]


@cache
def listed(key: str) -> list[int]:
    """Equation numbers on the page of a paper, in order; none without a page."""
    page = THEORY / f"{key}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return [int(number) for number in ENTRY.findall(text)]


def expand(text: str) -> set[int]:
    """Numbers of "(1)-(3), (7)": ranges are filled."""
    found = {int(n) for n in re.findall(r"\((\d+)\)", text)}
    for first, last in re.findall(r"\((\d+)\)(?:[-–]| to )\((\d+)\)", text):
        found |= set(range(int(first), int(last) + 1))
    return found


def plain(source: str) -> str:
    """Comments and docstrings that run over lines, on one line."""
    return re.sub(r"\s*\n\s*#?\s*", " ", source)


def cited_by_key(source: str) -> dict[str, set[int]]:
    """Equations cited as `key (3)`."""
    found: dict[str, set[int]] = {}
    for key, numbers in re.findall(
        rf"\b({'|'.join(keys())})\s+({NUMBERS})", plain(source)
    ):
        found.setdefault(key, set()).update(expand(numbers))
    return found


def cited_bare(source: str) -> set[int]:
    """Equations cited as `Eq. (3)`."""
    return {n for m in EQUATION.findall(plain(source)) for n in expand(m)}


def docstrings(source: str) -> str:
    """All docstrings of a module."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    return "\n".join(ast.get_docstring(node) or "" for node in nodes)


def problems(source: str) -> list[str]:
    """What is wrong with the citations of one module."""
    found = [
        f"{key} ({n}) is not in docs/theory/{key}.md"
        for key, numbers in cited_by_key(source).items()
        for n in sorted(numbers - set(listed(key)))
    ]
    bare = cited_bare(source)
    text = docstrings(source)
    named = [key for key in keys() if re.search(rf"\b{key}\b", text)]
    if not bare or not named:
        own = {int(n) for n in re.findall(r"\((\d+)\)", text)}
        return found + [f"Eq. ({n}) of what?" for n in sorted(bare - own)]
    if len(named) > 1:
        found.append(f"Eq. {sorted(bare)}: {' and '.join(named)} are named here")
    known = set(listed(named[0]))
    return found + [f"{named[0]} has no Eq. ({n})" for n in sorted(bare - known)]


@pytest.mark.parametrize("key", papers())
def test_a_paper_lists_its_equations_without_a_hole(key):
    assert listed(key) == list(range(1, len(listed(key)) + 1))
    assert listed(key)


def test_the_papers_have_as_many_equations_as_they_have():
    assert {key: len(listed(key)) for key in papers()} == {
        "wang2003": 51,
        "liu": 5,
        "kim2000": 46,
    }


def test_every_cited_equation_exists():
    found = {path: problems(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_every_equation_that_a_kernel_cites_exists():
    for path in KERNELS:
        for key, numbers in cited_by_key(path.read_text(encoding="utf-8")).items():
            assert numbers <= set(listed(key)), (path, key)


def test_every_work_that_a_page_names_is_in_the_bibliography():
    known, each = keys(), re.compile(r"\b[a-z]{2,}(?:19|20)\d\d[a-z]?\b")
    assert len(set(known)) == len(known)
    named = {
        word
        for page in THEORY.glob("*.md")
        for word in each.findall(page.read_text(encoding="utf-8"))
    }
    assert named - set(known) == set()


def test_somebody_cites_the_gluing_equation():
    cited = [cited_by_key(path.read_text(encoding="utf-8")) for path in SOURCES]
    assert any(3 in found.get("wang2003", ()) for found in cited)


@pytest.mark.parametrize(
    ("source", "finding"),
    [
        ('"""Glue, wang2003 (3), (99)."""', "wang2003 (99) is not in"),
        ('"""Glue, wang2003 (49)-(53)."""', "wang2003 (52) is not in"),
        ('"""Edges, allman1984 (1)."""', "allman1984 (1) is not in"),
        ('"""As in wang2003."""\nx = 1  # K*, Eq. (77)', "wang2003 has no Eq. (77)"),
        ('"""wang2003 and liu."""\nx = 1  # Eq. (3)', "wang2003 and liu are named"),
        ('"""Nothing."""\nx = 1  # Eqs. (3), (4)', "Eq. (4) of what?"),
    ],
)
def test_a_wrong_citation_is_found(source, finding):
    assert any(finding in problem for problem in problems(source))


@pytest.mark.parametrize(
    "source",
    [
        '"""Glue, wang2003 (3)."""\nx = 1  # Eqs. (34), (35)',
        '"""Ours: a = b, (1)."""\nx = 1  # Eq. (1)',
        '"""Bars, wang2003\n(38)-(42)."""',
    ],
)
def test_a_right_citation_is_not(source):
    assert problems(source) == []


def commands(app: typer.Typer, before: str = "") -> list[str]:
    """Every command for users, with the group it belongs to."""
    shown = [c for c in app.registered_commands if not c.hidden]
    found = [f"{before}{command.name}" for command in shown]
    for group in app.registered_groups:
        assert group.typer_instance is not None
        found += [f"{group.name}", *commands(group.typer_instance, f"{group.name} ")]
    return found


def test_the_command_line_page_shows_every_command():
    from bondline.cli.app import app

    page = (ROOT / "docs" / "reference" / "command_line.md").read_text()
    shown = re.findall(r"^```\{command-help\} (.+)$", page, re.MULTILINE)
    assert sorted(shown) == sorted(commands(app))


def test_decisions_are_numbered_and_say_why_and_what_was_rejected():
    pages = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
    assert pages
    for number, page in enumerate(pages, start=1):
        text = page.read_text(encoding="utf-8")
        assert page.name.startswith(f"{number:04d}-"), page.name
        assert text.startswith(f"# {number}. "), page.name
        for part in ("**Context.**", "**Decision.**", "**Rejected.**"):
            assert part in text, f"{page.name} lacks {part}"


def test_nothing_committed_names_a_registry_or_a_machine():
    words = (
        ("python", "hosted"),
        ("pyp", r"i\.org"),
        ("npm", r"js\.org"),
        ("/ro", "ot/"),
    )
    host = re.compile("|".join(map("".join, words)))  # so that this file names none
    pages = [*ROOT.glob("*.*"), *(ROOT / "docs").rglob("*.md"), ROOT / "run"]
    texts = [p for p in pages if p.is_file() and p.suffix not in (".png", ".gif")]
    assert [p.name for p in texts if host.search(p.read_text(encoding="utf-8"))] == []


def test_every_example_is_in_the_gallery():
    scripts = [p.stem for p in (ROOT / "docs" / "examples").glob("plot_*.py")]
    shown = {re.sub(r"^plot_\d+_", "", stem) for stem in scripts}
    known = {p.parent.name for p in ROOT.glob("examples/*/SystemStructure.ssd")}
    assert shown == known - {"leaf"}  # a repository to start from
