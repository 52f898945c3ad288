"""How the process of an FMU is started: in bubblewrap where it can be.

Inside there is no network, no other process, no home, nothing to write but a folder in
memory; the FMU and Python can be read, and that is all. Where bubblewrap is missing or
does not work, FMUs are refused until the user says that they may run without.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from bondline.errors import SettingError

CONSENT = "BONDLINE_ALLOW_UNSANDBOXED"
_MODULE = "bondline.leaves.fmu.child"
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime")
_INSIDE = "/fmu"


def consented() -> bool:
    """Whether the user said so."""
    return os.environ.get(CONSENT) == "1"


@cache
def missing() -> str:
    """Why there is no sandbox on this machine; nothing if there is one."""
    if not sys.platform.startswith("linux"):
        return f"there is none for {sys.platform}"
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap (bwrap) is not installed"
    try:
        done = subprocess.run(
            [*_walls(program), "/usr/bin/env", "true"],
            capture_output=True,
            timeout=20.0,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here ({error})"
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        return f"bubblewrap does not work here ({told[-1] if told else 'no reason'})"
    return ""


def command(name: str, folder: Path) -> tuple[list[str], str]:
    """What starts the process of an FMU, and its folder as the process sees it.

    `SettingError` where there is no sandbox and nobody has agreed to go without.
    """
    python = [sys.executable, "-P", "-s", "-m", _MODULE]
    why = missing()
    if not why:
        walls = _walls(shutil.which("bwrap") or "bwrap")
        return [*walls, "--ro-bind", str(folder), _INSIDE, *python], _INSIDE
    if consented():
        return python, str(folder)
    raise SettingError(
        f"{name}: sandbox",
        f"an FMU is foreign code, and cannot be locked in: {why}.",
        "Install bubblewrap, or, if you trust where the FMU comes from, say "
        "bondline --allow-unsandboxed COMMAND ...",
    )


def _walls(program: str) -> list[str]:
    told = [program, "--unshare-all", "--die-with-parent", "--new-session"]
    told += ["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--clearenv"]
    told += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/tmp"]
    for path in _SYSTEM:
        told += _system(path)
    for path in (*_ETC, *_python()):
        told += ["--ro-bind-try", path, path]
    for key, value in _environment():
        told += ["--setenv", key, value]
    return told


def _system(path: str) -> Sequence[str]:
    """Folders of the system; links are links inside, too."""
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind-try", path, path]


def _python() -> Iterator[str]:
    """Where Python and its packages are, without what the system's folders hold."""
    paths = {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
    paths |= {os.path.dirname(os.path.realpath(sys.executable)), _home()}
    paths |= {p for p in sys.path if p.endswith(("/site-packages", "/dist-packages"))}
    for path in sorted(paths):
        others = (*_SYSTEM, *(p for p in paths if p != path))
        inside = any(path.startswith(f"{other}/") for other in others)
        if path not in (*_SYSTEM, "/") and not inside and os.path.exists(path):
            yield path


def _home() -> str:
    """The folder that holds this package."""
    return str(Path(__file__).resolve().parents[3])


def _environment() -> Iterator[tuple[str, str]]:
    yield "PATH", "/usr/bin:/bin"
    yield "HOME", "/tmp"
    yield "LC_ALL", "C.UTF-8"
    yield "PYTHONPATH", _home()
    yield "OPENBLAS_NUM_THREADS", "1"
    yield "OMP_NUM_THREADS", "1"
