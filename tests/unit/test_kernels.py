"""The compiled kernels: built where they are needed, or a lesson in how."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from bondline.errors import KernelError
from bondline.kernels import building, built_with, digest, sources

STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")


def compiler():
    return next(building.compilers())


def test_the_library_says_what_made_it():
    assert built_with().split()[0] in ("gcc", "clang")


@pytest.mark.parametrize("path", sources.files(), ids=lambda p: p.name)
def test_the_sources_compile_without_a_warning(path):
    line = [*compiler(), *sources.FLAGS, *STRICT, "-Wno-sign-conversion"]
    done = subprocess.run(
        [*line, "-fsyntax-only", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_without_a_compiler_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(KernelError) as raised:
        building.build(tmp_path / "out")
    assert raised.value.place == "compiled kernels"
    assert "there is no C compiler" in raised.value.finding
    assert "apt-get install gcc" in raised.value.remedy
    assert "pip install ziglang" in raised.value.remedy


def test_what_a_broken_compiler_said_is_told(tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'x.c:1: error: no sun today' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CC", str(broken))
    with pytest.raises(KernelError, match=r"error: no sun today"):
        building.build(tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_who_may_not_write_the_installation_builds_into_the_cache(tmp_path):
    """In a process of its own, from a copy that nobody may write."""
    package = tmp_path / "bondline"
    for name in ("kernels", "kernels/c"):
        (package / name).mkdir(parents=True)
    (package / "__init__.py").touch()
    root = sources.SOURCES.parents[1]
    for path in [root / "errors.py", *root.glob("kernels/*.py")]:
        (package / path.relative_to(root)).write_bytes(path.read_bytes())
    for path in [*sources.files(".h"), *sources.files(".c")]:
        (package / path.relative_to(root)).write_bytes(path.read_bytes())
    (package / "kernels" / "built").touch()  # a file where the folder would be
    code = "from bondline.kernels import built_with; print(built_with())"
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == built_with()
    assert (package / f"bondline-{digest()}.so").is_file()


def test_many_builds_at_once_leave_one_whole_library(tmp_path):
    threads = [threading.Thread(target=building.build, args=(tmp_path,)) for _ in "abc"]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [path.name for path in tmp_path.iterdir()] == [sources.built_name()]
