"""Every page with code shows what happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fences import blocks, commands, run_page, run_python

DOCS = Path(__file__).resolve().parents[1] / "docs"
GUIDES = sorted((DOCS / "guide").glob("*.md"))
OTHERS = [DOCS / "reference" / f"{name}.md" for name in ("joints", "model_file")]
SCRIPTS = [p for p in GUIDES + OTHERS if blocks(p.read_text("utf-8"), {"python"})]
WALKED = {"two_companies"}  # on two machines: tests/remote walks through it
WALKED |= {"fmus"}  # needs an extra: tests/fmi walks through it
SHELLS = [p for p in GUIDES if p.stem not in WALKED and commands(p.read_text("utf-8"))]


def name(path: Path) -> str:
    return path.stem


def test_there_are_guides() -> None:
    assert {"structures", "codes", "accuracy"} <= {p.stem for p in SCRIPTS}
    assert SHELLS


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_the_python_of_a_page_works(path: Path, tmp_path: Path) -> None:
    run_python(path.read_text(encoding="utf-8"), tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("path", SHELLS, ids=name)
def test_the_commands_of_a_guide_work(
    path: Path, project: Path, tmp_path: Path
) -> None:
    assert run_page(path.read_text(encoding="utf-8"), project, tmp_path)


@pytest.mark.parametrize("path", GUIDES, ids=name)
def test_a_guide_is_in_the_index(path: Path) -> None:
    index = (DOCS / "guide" / "index.md").read_text(encoding="utf-8")
    assert path.stem == "index" or path.stem in index.split()


PACKAGES = ("core", "gluing", "gluing.frequency", "gluing.statics", "leaves")
PACKAGES += ("leaves.fe", "leaves.fe.formats", "leaves.fe.generate")
PACKAGES += ("leaves.fe.profiles", "leaves.fe.reduction", "leaves.nonlinear")
PACKAGES += ("library", "numerics", "run", "sweep", "testing")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_public_package_has_a_page(package: str) -> None:
    pages = [p.read_text(encoding="utf-8") for p in (DOCS / "reference").glob("*.md")]
    line = f".. automodule:: bondline.{package}\n"
    assert sum(line in page for page in pages) == 1
