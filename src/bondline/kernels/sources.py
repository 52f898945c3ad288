"""What the kernels are built from, the digest that names a build, and its places."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).with_name("c")
# No contraction and no fast mathematics: the same source gives the same bits.
FLAGS = ("-std=c99", "-O3", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno")
LIBRARIES = ("-lm",)


def files(suffix: str = ".c") -> list[Path]:
    """The sources in order."""
    return sorted(SOURCES.rglob(f"*{suffix}"))


@cache
def digest() -> str:
    """Sixteen hex digits of sources and flags: builds that share them are alike."""
    total = hashlib.sha256(" ".join((*FLAGS, *LIBRARIES)).encode())
    for path in (*files(".h"), *files(".c")):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]


def built_name() -> str:
    """The file name of the library of these sources."""
    return f"bondline-{digest()}.so"


def beside() -> Path:
    """Where installations keep the library."""
    return SOURCES.with_name("built")


def in_cache() -> Path:
    """Where users who may not write the installation keep it."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "bondline"
