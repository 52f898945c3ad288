"""The files of one model as they are taken down, and what was wrong with them."""

from __future__ import annotations

from bondline.description.lending import lend
from bondline.description.place import Place, Problem
from bondline.description.schema import SSD, SSM, SSV, violations
from bondline.description.sources import MAX_DATA, Source, inside
from bondline.description.spec import FileSpec
from bondline.description.stored import SCHEME, Lookup, Stored, nowhere
from bondline.description.untrusted import MAX_BYTES, Node, read_xml, too_large

MAX_PIECES = 250_000  # values and included files in all, however they are shared
_PREFIX = {SSD: "ssd", SSV: "ssv", SSM: "ssm"}


class Shelf:
    """Reads each file once, keeps its bytes, collects problems.

    Files of a library's models are among them once `borrow` has found them.
    """

    def __init__(self, source: Source, library: Lookup = nowhere) -> None:
        self.source, self.library = source, library
        self._lent: dict[str, bytes] = {}
        self.problems: list[Problem] = []
        self.contents: dict[str, bytes] = {}
        self._roots: dict[str, Node | None] = {}
        self._pieces = 0

    def report(self, *problem: Problem) -> None:
        """Add problems, each once."""
        self.problems += [p for p in problem if p not in self.problems]

    def spend(self, pieces: int, where: Place) -> bool:
        """Whether the model may grow by that much: files that include or bind each
        other many times over would grow without end."""
        self._pieces += pieces
        if self._pieces <= MAX_PIECES:
            return True
        self.report(
            Problem(
                "BND003",
                where,
                f"the model has more than {MAX_PIECES} values and included parts.",
                "No model needs that many; look for files that include each other.",
            )
        )
        return False

    def borrow(self, source: str, kind: str, where: Place) -> Stored | None:
        """The library's model that `source` names, or None and a problem."""
        found = lend(source, kind, where, self.source, self.library)
        if isinstance(found, Problem):
            self.report(found)
            return None
        self._lent |= found.carried()
        self.contents |= found.carried()
        return found

    def find(self, source: str, base: str, where: Place, kind: str = "") -> str | None:
        """Name of the file that `source` means, or None and a problem.

        A component of type `kind` may take one from a library.
        """
        if kind and source.startswith(SCHEME):
            stored = self.borrow(source, kind, where)
            return f"{stored.folder}/{stored.main}" if stored else None
        name = inside(source, base, where)
        if isinstance(name, Problem):
            self.report(name)
            return None
        return name

    def take(self, name: str, where: Place, root: tuple[str, str]) -> Node | None:
        """Root element of a file, if it is what was expected."""
        if name not in self._roots:
            self._roots[name] = self._read(name, where)
        node = self._roots[name]
        if node is None or (node.space, node.name) == root:
            return node
        self.report(
            Problem(
                "BND010",
                node.where,
                f"the root element is {node.name!r}.",
                f"This file must start with {_PREFIX[root[0]]}:{root[1]}.",
            )
        )
        return None

    def bring(
        self, source: str, base: str, where: Place, kind: str = ""
    ) -> FileSpec | None:
        """A file with data that `source`, written in the file `base`, means."""
        name = self.find(source, base, where, kind)
        if name is None:
            return None
        data = self.contents.get(name)
        if data is None:
            found = self.source.read(name, where, MAX_DATA)
            if isinstance(found, Problem):
                self.report(found)
                return None
            data = self.contents[name] = found
        return FileSpec(name, self._shown(name), data)

    def _shown(self, name: str) -> str:
        """What the user would call a file."""
        if name in self._lent:
            return SCHEME + name.removeprefix("library/")
        return self.source.shown(name)

    def _bytes(self, name: str, where: Place) -> bytes | Problem:
        if name not in self._lent:
            return self.source.read(name, where)
        data = self._lent[name]
        fits = len(data) <= MAX_BYTES
        return data if fits else too_large(self._shown(name), len(data), MAX_BYTES)

    def _read(self, name: str, where: Place) -> Node | None:
        data = self._bytes(name, where)
        if isinstance(data, Problem):
            self.report(data)
            return None
        self.contents[name] = data
        document = read_xml(data, self._shown(name))
        if isinstance(document, Problem):
            self.report(document)
            return None
        self.report(*violations(document))
        return document.root
