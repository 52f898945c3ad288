"""Lines of Nastran bulk data into entries: free, small and large fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bondline.leaves.fe.formats.row import Row

EXPONENT = re.compile(r"([+-]?(?:\d+\.\d*|\.\d+))[dD]?([+-]\d+)")
TAB = 8


@dataclass(frozen=True)
class Entry:
    """A bulk data entry; the fields of `row` are from 0: the name is not one."""

    name: str
    row: Row


def entries(lines: Iterable[tuple[int, str]], file: str) -> Iterator[Entry]:
    """The entries of numbered lines, continuations joined."""
    name, place, fields = "", "", list[str]()
    for number, text in lines:
        first, rest, eights = _cut(text)
        if first and first[0] not in "+*":
            if name:
                yield Entry(name, Row(place, _trimmed(fields)))
            name = first.removesuffix("*").upper()
            place, fields = f"{file}:{number}, {name}", rest
        else:
            missing = -len(fields) % 8 if eights else 0
            fields = [*fields, *[""] * missing, *rest]
    if name:
        yield Entry(name, Row(place, _trimmed(fields)))


def _cut(text: str) -> tuple[str, list[str], bool]:
    """The first field, the others, and whether lines start at every eighth field."""
    if "," in text:
        first, *rest = [part.strip() for part in text.split(",")]
        return first, [plain(part) for part in rest[:8]], True
    text = text.expandtabs(TAB)
    first = text[:8].strip()
    if first.endswith("*") or first.startswith("*"):
        return first, [plain(text[i : i + 16]) for i in range(8, 72, 16)], False
    return first, [plain(text[i : i + 8]) for i in range(8, 72, 8)], True


def plain(field: str) -> str:
    """A field with numbers such as 7.8-9 written with an e.

    >>> plain(" 7.8-9 "), plain("2.1+11"), plain("12")
    ('7.8e-9', '2.1e+11', '12')
    """
    bare = field.strip()
    match = EXPONENT.fullmatch(bare)
    return f"{match[1]}e{match[2]}" if match else bare


def _trimmed(fields: list[str]) -> list[str]:
    last = max((i for i, field in enumerate(fields) if field), default=-1)
    return fields[: last + 1]
