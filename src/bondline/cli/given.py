"""What was given with `--set`."""

from __future__ import annotations

from collections.abc import Iterable

from bondline.errors import UsageError


def pairs(texts: Iterable[str]) -> dict[str, str]:
    """`leaf.param=value` texts as a dictionary; the last one of a name counts."""
    found = {}
    for text in texts:
        name, mark, value = (piece.strip() for piece in text.partition("="))
        if not (name and mark and value):
            raise UsageError(
                f"--set {text}",
                "this is not a name and a value.",
                "Write leaf.param=value, for example --set upper.mass=12kg.",
            )
        found[name] = value
    return found
