"""Build the kernels with the C compiler at hand.

Wheels carry the library; a checkout builds it when it is installed, and again when a
source has changed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from bondline.errors import KernelError
from bondline.kernels.sources import FLAGS, LIBRARIES, SOURCES, built_name, files

COMPILER = (
    "Install a C compiler (Debian: apt-get install gcc libc6-dev; anywhere: "
    "pip install ziglang)"
)


def compilers() -> Iterator[list[str]]:
    """Commands that compile C: the one asked for, the system's, then zig's wheel."""
    asked = os.environ.get("CC")
    if asked:
        yield _words(asked)
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            yield [name]
    if find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "cc"]


def _words(command: str) -> list[str]:
    """As a shell would cut it; a quotation without an end is one word."""
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def build(folder: Path) -> Path:
    """Compile into `folder`; `KernelError` says what was tried."""
    finding = compiled(folder / built_name(), files())
    if finding:
        raise KernelError(
            "compiled kernels",
            f"they could not be built ({finding}).",
            f"{COMPILER}, or a wheel of bondline, which carries them.",
        )
    return folder / built_name()


def compiled(target: Path, sources: Sequence[Path], told: Sequence[str] = ()) -> str:
    """Nothing where `target` is made, whole; else what went wrong, by compiler.

    `told` are more words for the compiler.
    """
    tried = []
    for compiler in compilers():
        complaint = _compile([*compiler, *told], target, sources)
        if complaint is None:
            return ""
        tried.append(f"{shlex.join(compiler)}: {complaint}")
    return "; ".join(tried) or "there is no C compiler"


def _compile(compiler: list[str], target: Path, sources: Sequence[Path]) -> str | None:
    """Write the library and return None, or the last line of what went wrong."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        draft = Path(scratch) / target.name
        where = ["-I", str(SOURCES), "-o", str(draft)]
        line = [*compiler, *FLAGS, *where, *map(str, sources), *LIBRARIES]
        try:
            done = subprocess.run(line, capture_output=True, text=True, timeout=300)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if done.returncode:
            said = [row for row in done.stderr.splitlines() if row.strip()]
            errors = [row for row in said if "error" in row]
            return (errors or said or [f"it ended with {done.returncode}"])[0]
        if not draft.is_file():
            return "it says that all is well, and has made nothing"
        os.replace(draft, target)  # whole, or not at all
    return None
