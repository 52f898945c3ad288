"""TOML with the line of every key, so that a complaint can point at it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bondline.errors import SecurityError

Path: TypeAlias = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*[\w-]+)*)\s*=""")
_AT = re.compile(r"\s*\(at line (\d+), column (\d+)\)|\s*\(at end of document\)")


@dataclass(frozen=True)
class Lined:
    """A document, and where its keys are."""

    name: str
    tree: Mapping[str, Any]
    lines: Mapping[Path, int]

    def place(self, path: Path) -> str:
        """`policy.toml:7`, of the key or of the nearest table around it."""
        return f"{self.name}:{self.line(path)}"

    def line(self, path: Path) -> int:
        """The same, as a number."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return 1


def parse(name: str, text: str) -> Lined:
    """Read a document; a mistake in its writing is told with its line."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _unwritten(name, text, error) from error
    return lined(name, tree, text)


def lined(name: str, tree: Mapping[str, Any], text: str) -> Lined:
    """A document that was read already, with its text."""
    return Lined(name, tree, dict(_lines(text)))


def _unwritten(name: str, text: str, error: tomllib.TOMLDecodeError) -> SecurityError:
    words, at = str(error), _AT.search(str(error))
    line = at[1] if at and at[1] else str(len(text.splitlines()) or 1)
    what = _AT.sub("", words)
    return SecurityError(
        f"{name}:{line}",
        f"this is not TOML: {what[:1].lower()}{what[1:]}.",
        'Write key = value; texts in quotes ("60 Hz"), lists in [ ], tables as [name].',
    )


def _lines(text: str) -> Iterator[tuple[Path, int]]:
    """Every table and key with its line; good enough to point, never to parse."""
    table: Path = ()
    seen: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _within(seen, tuple(_words(header[2])), header[1] == "[[")
            yield table, number
        elif key := _KEY.match(line):
            yield (*table, *_words(key[1])), number


def _within(seen: dict[Path, int], words: Path, many: bool) -> Path:
    """The path of a table; in a list of tables the last one is meant."""
    made: Path = ()
    for k, word in enumerate(words):
        made = (*made, word)
        last = k == len(words) - 1
        if last and many:
            seen[made] = seen.get(made, -1) + 1
        if made in seen:
            made = (*made, seen[made])
    return made


def _words(dotted: str) -> list[str]:
    return [word.strip().strip("\"'") for word in _split(dotted)]


def _split(dotted: str) -> list[str]:
    return re.findall(r"\"[^\"]*\"|'[^']*'|[\w-]+", dotted)
