"""The real thing: a fresh clone, an empty home, the network. Minutes, so long forms."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def tracked(project: Path) -> list[str]:
    """Files that a clone would have, uncommitted ones included."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(listing, cwd=project, capture_output=True, check=True)
    names = found.stdout.decode().split("\0")
    return [name for name in names if name and (project / name).is_file()]


@pytest.fixture
def ground() -> Iterator[Path]:
    """A folder that every user may enter, with a space in its name."""
    with tempfile.TemporaryDirectory(prefix="fresh clone ") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def fresh(project: Path, ground: Path, owner: str | None) -> Path:
    """A clone and an empty home in `ground`, both belonging to `owner`."""
    clone = ground / "bondline"
    (ground / "home").mkdir()
    for name in tracked(project):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / name, clone / name)
    if owner:
        for path in (ground, *ground.rglob("*")):
            shutil.chown(path, owner)
    return clone


def call(
    clone: Path, *words: str, user: str | None, **env: str
) -> subprocess.CompletedProcess[str]:
    """./run there, with nothing in the environment but what a login gives."""
    certificates = {k: v for k, v in os.environ.items() if k.startswith("SSL_CERT")}
    proxies = {k: v for k, v in os.environ.items() if k.lower().endswith("_proxy")}
    began = time.perf_counter()
    done = subprocess.run(
        [clone / "run", *words],
        cwd=clone,
        env={"PATH": SYSTEM, **certificates, **proxies, **env},
        user=user,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    print(f"{time.perf_counter() - began:.2f} s: ./run {' '.join(words)}")
    print(done.stdout, done.stderr)
    return done


def users() -> list[str | None]:
    """Whoever is calling, and a plain user where the caller may become one."""
    return [None, "nobody"] if os.geteuid() == 0 else [None]


@pytest.mark.full
@pytest.mark.parametrize(
    "user", users(), ids=lambda u: u or pwd.getpwuid(os.geteuid())[0]
)
def test_a_fresh_clone_with_an_empty_home_shows_the_demo(project, ground, user):
    clone = fresh(project, ground, user)
    home = str(ground / "home")
    first = call(clone, "demo", user=user, HOME=home)
    assert first.returncode == 0, first.stderr
    left = {path.suffix for path in (clone / "bondline-demo").rglob("*.*")}
    assert {".html", ".png"} <= left
    stamp = clone / ".venv" / ".bondline-stamp"
    before = stamp.stat()
    second = call(clone, "bondline", "--version", user=user, HOME=home)
    assert second.returncode == 0, second.stderr
    assert stamp.stat().st_ino == before.st_ino
    assert stamp.stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.full
def test_without_any_home_the_tools_work_all_the_same(project, ground):
    user = users()[-1]
    clone = fresh(project, ground, user)
    code = "import matplotlib.pyplot, scipy, bondline; print('here')"
    done = call(clone, "python", "-W", "error", "-c", code, user=user)
    assert (done.returncode, done.stdout) == (0, "here\n"), done.stderr


@pytest.mark.full
def test_an_environment_that_lost_its_stamp_is_made_again(project, ground):
    clone = fresh(project, ground, None)
    home = str(ground / "home")
    assert call(clone, "python", "-V", user=None, HOME=home).returncode == 0
    (clone / ".venv" / ".bondline-stamp").write_text("")
    (clone / ".venv" / "bin" / "python").unlink()
    again = call(clone, "python", "-c", "import numpy, bondline", user=None, HOME=home)
    assert again.returncode == 0, again.stderr
