"""The one gate for XML that somebody else wrote.

One streaming pass refuses whatever could hurt (document types, entities, depth,
size) before anything is built in C, and keeps line and column of every element, which
lxml does not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from bondline.description.place import Place, Problem

MAX_BYTES = 16 * 2**20
MAX_DEPTH = 64
MAX_ELEMENTS = 100_000  # each costs about 2 kB and 20 µs until it is checked
MAX_ATTRIBUTES = 256
MAX_TEXT = 64 * 2**10
_CHUNK = 64 * 2**10  # of the first piece; see `_pieces`
_ENCODINGS = {"utf-8", "utf8", "us-ascii", "ascii"}
_DOCTYPE = "Remove the <!DOCTYPE ...>; SSP files need none."


@dataclass(slots=True)
class Node:
    """An element as written: namespace, name, prefix, attributes, children, place."""

    space: str
    name: str
    prefix: str
    attributes: dict[str, str]
    where: Place
    children: list[Node] = field(default_factory=list)

    def get(self, key: str, default: str = "") -> str:
        """An attribute, or `default`."""
        return self.attributes.get(key, default)

    def all(self, space: str, *names: str) -> Iterator[Node]:
        """Children of that namespace and one of those names."""
        return (c for c in self.children if c.space == space and c.name in names)

    def one(self, space: str, name: str) -> Node | None:
        """The first such child."""
        return next(self.all(space, name), None)

    def walk(self) -> Iterator[Node]:
        """This element and everything below it, in document order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Document:
    """XML that passed the gate."""

    file: str
    data: bytes
    root: Node
    elements: int


class _Refused(Exception):
    """Leaves the parser at once; never leaves this module."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def read_xml(data: bytes, file: str) -> Document | Problem:
    """The document, or why it is refused."""
    return (
        _oversized(data, file)
        or _not_utf8(data, file)
        or _typed(data, file)
        or _crowded(data, file)
        or _parse(data, file)
    )


def _oversized(data: bytes, file: str) -> Problem | None:
    return too_large(file, len(data)) if len(data) > MAX_BYTES else None


def too_large(file: str, size: int, most: int = MAX_BYTES) -> Problem:
    """The problem of a file above the size limit."""
    return Problem(
        "BND003",
        Place(file),
        f"the file has {size} bytes; the limit is {most} ({most >> 20} MB).",
        "Move large data out of the model description into resources."
        if most == MAX_BYTES
        else "Cut the model into parts, or reduce it.",
    )


def _not_utf8(data: bytes, file: str) -> Problem | None:
    try:
        data.decode("utf-8")
        at = data.find(b"\0")
    except UnicodeDecodeError as error:
        at = error.start
    if at < 0:
        return None
    return Problem(
        "BND004",
        _at(data, at, file),
        f"byte 0x{data[at]:02x} is not UTF-8 text.",
        "Save the file as UTF-8.",
    )


def _at(data: bytes, at: int, file: str) -> Place:
    line = data.count(b"\n", 0, at) + 1
    return Place(file, line, at - data.rfind(b"\n", 0, at))


def _typed(data: bytes, file: str) -> Problem | None:
    """Refuse any document type unparsed: pyexpat would finish the piece first."""
    at = data.find(b"<!DOCTYPE")
    if at < 0:
        return None
    finding = "the file has a document type declaration."
    return Problem("BND002", _at(data, at, file), finding, _DOCTYPE)


def _crowded(data: bytes, file: str) -> Problem | None:
    """Refuse far too many elements by counting, before any is made."""
    tags = data.count(b"<") - data.count(b"</") - data.count(b"<!")
    return _beyond(Place(file), MAX_ELEMENTS, "elements", tags) or _beyond(
        Place(file), 4 * MAX_ELEMENTS, "attributes in all", data.count(b"=")
    )


def _beyond(where: Place, most: int, what: str, count: int) -> Problem | None:
    if count <= most:
        return None
    remedy = "No model needs that many; the file is refused unread."
    return Problem("BND003", where, f"more than {most} {what}.", remedy)


def _pieces(data: bytes) -> Iterator[bytes]:
    """Pieces that double in size.

    The first is small, so that an attack is refused early; but a token that spans
    many pieces is scanned again with each, and so they must not stay small.
    """
    start, size = 0, _CHUNK
    while start < len(data):
        yield data[start : start + size]
        start, size = start + size, 2 * size


def _parse(data: bytes, file: str) -> Document | Problem:
    gate = _Gate(file)
    try:
        for piece in _pieces(data):
            gate.parser.Parse(piece, False)
        gate.parser.Parse(b"", True)
    except _Refused as refused:
        return refused.problem
    except expat.ExpatError as error:
        return Problem(
            "BND001",
            Place(file, error.lineno, error.offset + 1),
            f"not well-formed XML: {expat.ErrorString(error.code)}.",
            "Correct the markup here; an XML editor shows the same place.",
        )
    assert gate.root is not None  # expat refuses a document without a root
    return Document(file, data, gate.root, gate.elements)


class _Gate:
    """Builds nodes, counting as it goes."""

    def __init__(self, file: str) -> None:
        self.file, self.elements, self.text = file, 0, 0
        self.root: Node | None = None
        self.open: list[Node] = []
        self.parser = parser = expat.ParserCreate("UTF-8", namespace_separator=" ")
        parser.namespace_prefixes = True
        parser.XmlDeclHandler = self.declaration
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters

    def here(self) -> Place:
        return Place(
            self.file,
            self.parser.CurrentLineNumber,
            self.parser.CurrentColumnNumber + 1,
        )

    def declaration(self, version: str, encoding: str | None, alone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            finding = f"the file declares the encoding {encoding[:40]!r}."
            remedy = 'Save it as UTF-8 and declare encoding="UTF-8", or nothing.'
            raise _Refused(Problem("BND004", self.here(), finding, remedy))

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.text = 0
        self.elements += 1
        self.limit(self.elements, MAX_ELEMENTS, "elements")
        self.limit(len(self.open) + 1, MAX_DEPTH, "levels of nesting")
        self.limit(len(attributes), MAX_ATTRIBUTES, "attributes on one element")
        for value in attributes.values():
            self.limit(len(value), MAX_TEXT, "characters in one attribute")
        self.push(_node(tag, attributes, self.here()))

    def push(self, node: Node) -> None:
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def end(self, _: str) -> None:
        self.text = 0
        self.open.pop()

    def characters(self, text: str) -> None:
        self.text += len(text)
        self.limit(self.text, MAX_TEXT, "characters in one run of text")

    def limit(self, count: int, most: int, what: str) -> None:
        problem = _beyond(self.here(), most, what, count) if count > most else None
        if problem is not None:
            raise _Refused(problem)


def _node(tag: str, attributes: dict[str, str], where: Place) -> Node:
    """expat writes `namespace name prefix`, as far as there are any."""
    space, _, rest = tag.rpartition(" ") if tag.count(" ") == 1 else ("", "", tag)
    name, prefix = rest, ""
    if tag.count(" ") == 2:
        space, name, prefix = tag.split(" ")
    return Node(space, name, prefix, attributes, where)
