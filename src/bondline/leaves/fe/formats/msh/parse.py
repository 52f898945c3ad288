"""The sections of an MSH file, version 2.2 or 4.1, as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bondline.errors import DeckError
from bondline.leaves.fe.formats.acting import Vector3
from bondline.leaves.fe.formats.row import Row, short


class Cell(NamedTuple):
    """An element of gmsh: its type, its nodes, its physical groups and where it is."""

    kind: int
    nodes: tuple[int, ...]
    groups: tuple[tuple[int, int], ...]  # dimension and tag
    place: str


@dataclass
class Parsed:
    """Nodes, elements and names of physical groups."""

    nodes: dict[int, Vector3] = field(default_factory=dict)
    cells: dict[int, Cell] = field(default_factory=dict)
    names: dict[tuple[int, int], str] = field(default_factory=dict)


@dataclass
class Lines:
    """The lines of a file, one after the other."""

    file: str
    text: list[str]
    at: int = 0
    section: str = ""

    def next(self) -> Row:
        """The next line that is not empty."""
        while self.at < len(self.text):
            line = self.text[self.at].strip()
            self.at += 1
            if line:
                return Row(self.place, line.split())
        raise DeckError(self.place, "the file ends.", "Save it anew: it is not whole.")

    @property
    def place(self) -> str:
        """File, line and section."""
        return f"{self.file}:{self.at}{', ' if self.section else ''}{self.section}"

    def sections(self) -> Iterator[str]:
        """Names of the sections, the lines at the first of each."""
        while self.at < len(self.text):
            line = self.text[self.at].strip()
            self.at += 1
            if line.startswith("$") and not line.startswith("$End"):
                self.section = line
                yield line

    def rows(self, count: int) -> Iterator[Row]:
        """So many lines, none of which ends the section."""
        for _ in range(count):
            row = self.next()
            if row.fields[0].startswith("$End"):
                raise row.wrong(
                    "the section ends too early.", "Save it anew: it is not whole."
                )
            yield row


def parse(text: str, file: str) -> Parsed:
    """Read the sections that matter here."""
    lines, parsed, version = Lines(file, text.split("\n")), Parsed(), ""
    entities: dict[tuple[int, int], list[int]] = {}
    for name in lines.sections():
        if name == "$MeshFormat":
            version = _version(lines.next())
        elif name == "$PhysicalNames":
            _names(lines, parsed)
        elif name == "$Entities":
            _entities(lines, entities)
        elif name in ("$Nodes", "$Elements"):
            _mesh(lines, parsed, version, entities)
    if not version:
        raise DeckError(file, "there is no $MeshFormat.", "Is this a file of gmsh?")
    return parsed


def _mesh(
    lines: Lines,
    parsed: Parsed,
    version: str,
    entities: dict[tuple[int, int], list[int]],
) -> None:
    nodes = lines.section == "$Nodes"
    if version == "2.2":
        (_nodes_2 if nodes else _cells_2)(lines, parsed)
    elif nodes:
        _nodes_4(lines, parsed)
    else:
        _cells_4(lines, parsed, entities)


def _version(row: Row) -> str:
    version, mode = row.word(0), row.word(1)
    if version not in ("2.2", "4.1") or mode != "0":
        raise row.wrong(
            f"the format is {short(version)}, mode {short(mode)}.",
            "Save as text in version 4.1 or 2.2: gmsh -save -bin 0 -format msh41.",
        )
    return version


def _count(row: Row, i: int) -> int:
    return 0 if row.word(i) == "0" else row.label(i, "a count")


def _names(lines: Lines, parsed: Parsed) -> None:
    for row in lines.rows(_count(lines.next(), 0)):
        dimension, tag = _count(row, 0), row.label(1, "the group")
        parsed.names[dimension, tag] = " ".join(row.fields[2:]).strip('"')


def _entities(lines: Lines, found: dict[tuple[int, int], list[int]]) -> None:
    """The physical groups of points, curves, surfaces and volumes."""
    head = lines.next()
    for dimension in range(4):
        skip = 4 if dimension == 0 else 7  # tag and coordinates
        for row in lines.rows(_count(head, dimension)):
            count = _count(row, skip)
            last = min(skip + 1 + count, len(row))
            tags = [_group(row, i) for i in range(skip + 1, last)]
            found[dimension, row.label(0, "the entity")] = tags


def _group(row: Row, i: int) -> int:
    text = row.word(i).removeprefix("-")  # a group of opposite orientation
    return Row(row.place, [text]).label(0, "the group")


def _put(parsed: Parsed, number: int, row: Row, first: int) -> None:
    x, y, z = (row.number(first + i, "a coordinate") for i in range(3))
    parsed.nodes[number] = x, y, z


def _nodes_2(lines: Lines, parsed: Parsed) -> None:
    for row in lines.rows(_count(lines.next(), 0)):
        _put(parsed, row.label(0, "the node"), row, 1)


def _nodes_4(lines: Lines, parsed: Parsed) -> None:
    for block in lines.rows(_count(lines.next(), 0)):
        count = _count(block, 3)
        numbers = [row.label(0, "the node") for row in lines.rows(count)]
        for number, row in zip(numbers, lines.rows(count), strict=True):
            _put(parsed, number, row, 0)


def _cells_2(lines: Lines, parsed: Parsed) -> None:
    for row in lines.rows(_count(lines.next(), 0)):
        kind, tags = row.label(1, "the type"), _count(row, 2)
        group = _group(row, 3) if tags and row.word(3) != "0" else 0
        dimension = DIMENSIONS.get(kind, 3)
        groups = ((dimension, group),) if group else ()
        _cell(parsed, row, kind, (3 + tags, groups))


def _cells_4(
    lines: Lines, parsed: Parsed, entities: dict[tuple[int, int], list[int]]
) -> None:
    for block in lines.rows(_count(lines.next(), 0)):
        dimension, entity = _count(block, 0), block.label(1, "the entity")
        kind = block.label(2, "the type")
        tags = entities.get((dimension, entity), [])
        groups = tuple((dimension, tag) for tag in tags)
        for row in lines.rows(_count(block, 3)):
            _cell(parsed, row, kind, (1, groups))


def _cell(
    parsed: Parsed,
    row: Row,
    kind: int,
    rest: tuple[int, tuple[tuple[int, int], ...]],
) -> None:
    first, groups = rest
    nodes = tuple(row.label(i, "a node") for i in range(first, len(row)))
    lost = next((node for node in nodes if node not in parsed.nodes), None)
    if lost is not None:
        raise row.wrong(f"there is no node {lost}.", "Save the mesh anew.")
    number = row.label(0, "the element")
    parsed.cells[number] = Cell(kind, nodes, groups, row.place)


DIMENSIONS = {
    15: 0, 1: 1, 8: 1, 26: 1, 2: 2, 3: 2, 9: 2, 10: 2, 16: 2, 20: 2, 21: 2,
}  # fmt: skip
