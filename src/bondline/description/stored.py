"""Models of a library that a model file names: `source="library:rail@3"`.

A model that was packed (for a run, or to be sent) carries them inside, under
`library/rail@3/`, with their passports; those are taken before any library is asked.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bondline.description.place import Place, Problem

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
SCHEME = "library:"
PASSPORT = "passport.json"
_REFERENCE = re.compile(rf"library:({NAME.pattern})@([1-9][0-9]{{0,8}})")
_CARRIED = re.compile(rf"library/({NAME.pattern}@[1-9][0-9]{{0,8}})/{PASSPORT}")


@dataclass(frozen=True, slots=True)
class Stored:
    """A version of a library's model: its passport, and its files by name."""

    name: str
    version: int
    kind: str
    main: str
    digest: str
    passport: bytes
    files: Mapping[str, bytes]

    @property
    def folder(self) -> str:
        """Where its files are inside a model that carries it."""
        return f"library/{self.name}@{self.version}"

    def carried(self) -> dict[str, bytes]:
        """Its files, and its passport, as a model carries them."""
        files = {f"{self.folder}/{name}": data for name, data in self.files.items()}
        return {f"{self.folder}/{PASSPORT}": self.passport, **files}


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a library does not give a model out, with a code."""

    code: str
    finding: str
    remedy: str

    def at(self, where: Place) -> Problem:
        """As a problem of what asked for it."""
        return Problem(self.code, where, self.finding, self.remedy)


Lookup: TypeAlias = Callable[[str, int], Stored | Refused]


def nowhere(name: str, version: int) -> Refused:
    """What those say who have no library."""
    return Refused(
        "BND095",
        f"{name}@{version} is in a library, and there is none here.",
        "Say where it is: BONDLINE_LIBRARY=FOLDER, or a URL.",
    )


def parse(source: str) -> tuple[str, int] | Refused:
    """Name and version of `library:rail@3`."""
    found = _REFERENCE.fullmatch(source)
    if found:
        return found[1], int(found[2])
    return Refused(
        "BND090",
        f"{source[:200]!r} names no version of a library's model.",
        'Write source="library:NAME@VERSION", for example library:rail@3; bondline '
        "db search finds names.",
    )


def passport_name(name: str, version: int) -> str:
    """Where the passport is inside a model that carries it."""
    return f"library/{name}@{version}/{PASSPORT}"


def uses(files: Mapping[str, bytes]) -> dict[str, str]:
    """The library's models that the files of a model carry, with their digests."""
    found = {_CARRIED.fullmatch(name): data for name, data in files.items()}
    return {
        match[1]: str(_tree(data).get("digest", ""))
        for match, data in found.items()
        if match
    }


def own_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those that do not come from a library."""
    carried = tuple(f"library/{reference}/" for reference in uses(files))
    return {n: d for n, d in files.items() if not n.startswith(carried or ("\0",))}


def read_passport(data: bytes) -> tuple[str, str, str, list[str]] | None:
    """Kind, main file, digest and names of all files; None if it is no passport."""
    tree = _tree(data)
    files = tree.get("files")
    words = [tree.get(key) for key in ("kind", "main", "digest")]
    if not isinstance(files, dict) or not all(isinstance(w, str) for w in words):
        return None
    kind, main, digest = map(str, words)
    return kind, main, digest, sorted(map(str, files))


def _tree(data: bytes) -> dict[str, Any]:
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return tree if isinstance(tree, dict) else {}


def digest_of(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names, lengths and bytes, in the order of the names."""
    total = hashlib.sha256()
    for name in sorted(files):
        label = name.encode()
        total.update(f"{len(label)}:{len(files[name])}:".encode() + label)
        total.update(files[name])
    return total.hexdigest()
