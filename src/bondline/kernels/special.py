"""Libraries of programs that are written for one model: built once, then kept.

They are in the user's cache, named by the digest of all they are made of: the same
program is never built twice, and an old one is never taken for a new one.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import stat
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


@cache
def library(
    place: str, source: str, parts: Sequence[str] = (), told: Sequence[str] = ()
) -> ctypes.CDLL:
    """A program in C, loaded.

    `parts` are sources of the kernels that are built with it, `told` definitions for
    the compiler.
    """
    named = hashlib.sha256("\0".join((digest(), *parts, *told, source)).encode())
    path = _private(place) / f"special-{named.hexdigest()[:32]}.so"
    if not path.is_file():
        _build(place, path, source, parts, told)
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise KernelError(
            place,
            f"{path} cannot be loaded ({error}).",
            "Remove that file; the next run builds it again.",
        ) from error


def _private(place: str) -> Path:
    """The folder, which nobody else may write: what is in it is run."""
    folder = in_cache() / "special"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.stat()
    shared = stat.S_IMODE(found.st_mode) & 0o022
    if shared or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
        raise KernelError(
            place,
            f"others may write {folder}.",
            f"Make it yours alone: chmod 700 {folder}.",
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
