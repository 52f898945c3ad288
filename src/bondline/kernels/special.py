"""Libraries of programs that are written for one model: built once, then kept.

They are in the user's cache, named by the digest of all they are made of and of the
machine they are for: the same program is never built twice, and an old one is never
taken for a new one. The compiler is not in the name: what one has built serves where
there is none.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shlex
import stat
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bondline.errors import KernelError
from bondline.kernels.sources import SOURCES, digest, in_cache

_GENERAL = "say kernel=general, which needs none"
_REFUSED = (
    "Where that compiler builds other programs the fault is ours: report it, with "
    "these words and the model; kernel=general works meanwhile."
)


def library(
    place: str, source: str, parts: Sequence[str] = (), told: Sequence[str] = ()
) -> ctypes.CDLL:
    """A program in C, loaded.

    `parts` are sources of the kernels that are built with it, `told` definitions for
    the compiler.
    """
    made_of = (digest(), sys.platform, platform.machine(), *parts, *told, source)
    named = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:32]
    try:
        path = _private(place, in_cache() / "special") / f"special-{named}.so"
        if not _whole(path):
            _build(place, path, source, parts, told)
            _seal(path).write_text(_checksum(path), encoding="ascii")
    except (OSError, RuntimeError) as error:  # or the user has no home
        raise KernelError(
            place,
            f"the cache of programs cannot be written ({error}).",
            f"Set XDG_CACHE_HOME to a folder of your own, or {_GENERAL}.",
        ) from error
    try:
        return _loaded(path)
    except OSError as error:
        raise KernelError(
            place,
            f"{path} cannot be loaded ({error}).",
            "Remove that file; the next run builds it again.",
        ) from error


def _seal(path: Path) -> Path:
    """Where it stands what a library was when it was built."""
    return path.with_suffix(".sha256")


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _whole(path: Path) -> bool:
    """Whether it is what was built: half a file ends a process without a word."""
    if not (path.is_file() and _seal(path).is_file()):
        return False
    return _seal(path).read_text(encoding="ascii", errors="replace") == _checksum(path)


@cache
def _loaded(path: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(path))


def _private(place: str, folder: Path) -> Path:
    """The folder, which nobody else may write: what is in it is run."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.stat()
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        raise KernelError(
            place,
            f"{folder} belongs to another user, whose programs are not run.",
            f"Set XDG_CACHE_HOME to a folder of your own, or {_GENERAL}.",
        )
    if stat.S_IMODE(found.st_mode) & 0o022:
        raise KernelError(
            place,
            f"others may write {folder}, and what is in it is run.",
            "Remove it, with all that somebody may have put there: "
            f"rm -r {shlex.quote(str(folder))}; the next run makes it anew.",
        )
    return folder


def _build(
    place: str, path: Path, source: str, parts: Sequence[str], told: Sequence[str]
) -> None:
    # imports what only builds need
    from bondline.kernels.building import COMPILER, compiled, compilers

    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        text = Path(scratch) / "program.c"
        text.write_text(source, encoding="ascii")
        finding = compiled(path, [text, *(SOURCES / part for part in parts)], told)
    if finding:
        raise KernelError(
            place,
            f"a program for this mechanism alone could not be built ({finding}).",
            _REFUSED if any(compilers()) else f"{COMPILER}, or {_GENERAL}.",
        )
