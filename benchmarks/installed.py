"""What a benchmark would need and does not find."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version


def absent(packages: Iterable[str], extra: str) -> str:
    """The first package that is not installed and the extra it is in, or nothing."""
    for name in packages:
        try:
            version(name)
        except PackageNotFoundError:
            return f"{name} (extra '{extra}')"
    return ""
