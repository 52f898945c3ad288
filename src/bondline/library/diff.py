"""Diff: what changed between two versions."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bondline.library.passport import Passport

_QUIET = ("files", "digest", "version", "created", "previous", "format")
_MAX_TEXT = 2**20


@dataclass(frozen=True, slots=True)
class Change:
    """A line of a passport (`ports.A.takes`) or a file, before and after."""

    what: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Diff:
    """Lines of the passport that differ, files that differ, and how."""

    passport: tuple[Change, ...]
    files: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs but number and date."""
        return not self.passport and not self.files


def diff(
    old: tuple[Passport, Mapping[str, bytes]], new: tuple[Passport, Mapping[str, bytes]]
) -> Diff:
    """Compare two versions with their files."""
    before, after = (_flat(_told(p)) for p, _ in (old, new))
    lines = _changes(before, after)
    return Diff(lines, tuple(_files(old[1], new[1])))


def _told(p: Passport) -> dict[str, Any]:
    return {k: v for k, v in p.plain().items() if k not in _QUIET}


def _changes(before: dict[str, Any], after: dict[str, Any]) -> tuple[Change, ...]:
    keys = sorted(before.keys() | after.keys())
    return tuple(
        Change(key, before.get(key), after.get(key))
        for key in keys
        if before.get(key) != after.get(key)
    )


def _flat(tree: Any, path: str = "") -> dict[str, Any]:
    """Every value with its dotted name; parameters by their own names."""
    rows = isinstance(tree, list | tuple) and all(isinstance(t, Mapping) for t in tree)
    if rows:
        tree = {str(row.get("name", k)): row for k, row in enumerate(tree)}
    if not isinstance(tree, Mapping):
        return {path: tree}
    found: dict[str, Any] = {}
    for name, value in tree.items():
        found.update(_flat(value, f"{path}.{name}" if path else str(name)))
    return found


def _files(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[Change]:
    found = []
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            found.append(Change(name, _size(before), _size(after)))
        elif before != after:
            found.append(Change(name, _size(before), _lines(before, after)))
    return found


def _size(data: bytes | None) -> str | None:
    return None if data is None else f"{len(data)} bytes"


def _lines(before: bytes, after: bytes) -> str:
    """How many lines of a text came and went; else its size."""
    if max(len(before), len(after)) > _MAX_TEXT or b"\0" in before + after:
        return f"{len(after)} bytes"
    old, new = (d.decode("utf-8", "replace").splitlines() for d in (before, after))
    marks = [line[:2] for line in difflib.unified_diff(old, new, n=0, lineterm="")]
    more = sum(m[0] == "+" and m != "++" for m in marks)
    less = sum(m[0] == "-" and m != "--" for m in marks)
    return f"{len(after)} bytes, {more} lines more, {less} less"
