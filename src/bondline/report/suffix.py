"""What a file can be written as, by its extension."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bondline.errors import UsageError, did_you_mean


def suffix_of(path: Path, known: Sequence[str], verb: str) -> str:
    """The extension of `path` in small letters; `UsageError` if it is not known."""
    suffix = path.suffix.lower()
    if suffix not in known:
        raise UsageError(
            str(path),
            f"cannot {verb} as {suffix or 'a file without extension'!r}.",
            did_you_mean(suffix, known),
        )
    return suffix
