"""What users install: the package, its data and the example models."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bondline.kernels import digest

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = [p.name for p in sorted((ROOT / "examples").glob("*")) if p.is_dir()]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    """Built as a release is, by the build tools of the lock."""
    folder, source = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "build_kernels.py"):
        shutil.copy(ROOT / name, source)
    for name in ("src", "examples"):
        ignore = shutil.ignore_patterns("__pycache__", "runs", "built")
        shutil.copytree(ROOT / name, source / name, ignore=ignore)
    command = [
        sys.executable,
        "-m",
        "uv",
        "build",
        "--wheel",
        "--offline",
        "--no-build-isolation",
        "-q",
    ]
    subprocess.run([*command, "--out-dir", folder], cwd=source, check=True)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    files = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "bondline").rglob("*")
        if path.is_file() and not {"__pycache__", "built"} & set(path.parts)
    }
    assert files <= set(wheel.namelist())
    assert "bondline/py.typed" in files


@pytest.mark.parametrize("name", TEMPLATES)
def test_an_example_is_in_the_wheel_as_a_template_byte_for_byte(wheel, name):
    folder = ROOT / "examples" / name
    for path in folder.rglob("*"):
        if path.is_file() and not {"__pycache__", "runs"} & set(path.parts):
            inside = f"bondline/templates/{name}/{path.relative_to(folder).as_posix()}"
            assert wheel.read(inside) == path.read_bytes()


def test_the_compiled_kernels_are_in_the_wheel_and_its_name_says_so(wheel):
    (library,) = (n for n in wheel.namelist() if n.endswith(".so"))
    assert library == f"bondline/kernels/built/bondline-{digest()}.so"
    assert "-py3-none-" in Path(wheel.filename).name
    assert not Path(wheel.filename).name.endswith("-any.whl")


def test_the_licence_and_the_command_come_along(wheel):
    names = wheel.namelist()
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    (entry,) = (name for name in names if name.endswith("entry_points.txt"))
    assert b"bondline = bondline.cli:main" in wheel.read(entry)


def test_nothing_else_is_in_the_wheel(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top.partition("-")[0] for top in tops} == {"bondline"}
    assert not any("test" in Path(name).parts for name in wheel.namelist())
