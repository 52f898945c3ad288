"""What stands before BEGIN BULK: which sets of supports and loads are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bondline.leaves.fe.formats.row import whole

CHOICE = re.compile(
    r"\s*(SPC|LOAD|METHOD)\s*(?:\(.*\))?\s*=\s*(\d+)\s*$", re.IGNORECASE
)
SET = re.compile(r"\s*SET\s+(\d+)\s*=\s*(.*)", re.IGNORECASE)
LONGEST = 100_000  # members of a set


@dataclass
class Control:
    """The first choice of each kind, and sets by number."""

    chosen: dict[str, int] = field(default_factory=dict)
    sets: dict[int, list[int]] = field(default_factory=dict)
    subcases: int = 0


def split(text: str) -> tuple[Control, Iterator[tuple[int, str]]]:
    """Case control, and the numbered lines of the bulk data."""
    lines = [
        (number, line.split("$", 1)[0].rstrip())
        for number, line in enumerate(text.split("\n"), start=1)
    ]
    lines = [(number, line) for number, line in lines if line.strip()]
    begin = next((i for i, (_, line) in enumerate(lines) if _bulk(line)), None)
    if begin is None:
        return Control(), _bulk_lines(lines)
    return _control([line for _, line in lines[:begin]]), _bulk_lines(
        lines[begin + 1 :]
    )


def _bulk(line: str) -> bool:
    return line.upper().split()[:2] == ["BEGIN", "BULK"]


def _bulk_lines(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        if line.strip().upper().startswith("ENDDATA"):
            return
        yield number, line


def _control(lines: list[str]) -> Control:
    control = Control()
    for line in _joined(lines):
        if choice := CHOICE.match(line):
            control.chosen.setdefault(choice[1].upper(), int(choice[2][:9]))
        elif found := SET.match(line):
            control.sets[int(found[1][:9])] = _numbers(found[2])
        elif line.strip().upper().startswith("SUBCASE"):
            control.subcases += 1
    return control


def _joined(lines: list[str]) -> Iterator[str]:
    """Lines of which those that end with a comma go on."""
    held: list[str] = []
    for line in lines:
        held.append(line)
        if not line.rstrip().endswith(","):
            yield "".join(held)
            held = []
    yield "".join(held)


def _numbers(text: str) -> list[int]:
    """1, 2, 5 THRU 9."""
    found: list[int] = []
    for part in text.split(","):
        ends = [whole(word) for word in part.upper().split() if word != "THRU"]
        first, last = (ends[0], ends[-1]) if ends else (None, None)
        if first is not None and last is not None:
            found += range(first, min(last, first + LONGEST) + 1)
    return found[:LONGEST]
