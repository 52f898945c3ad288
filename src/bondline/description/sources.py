"""Where the files of a model lie: in a folder or in an archive. Never outside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import Protocol
from urllib.parse import unquote

from bondline.description.place import Place, Problem
from bondline.description.untrusted import MAX_BYTES, too_large

MAIN = "SystemStructure.ssd"
MAX_DATA = 128 * 2**20  # bytes of a file that is not XML
DATA = (
    *(".inp", ".bdf", ".nas", ".dat", ".msh", ".mtx", ".op4", ".h5", ".hdf5"),
    *(".leaf.xml", ".fmu"),
    *(".py", ".mdpa", ".mjcf", ".xml", ".urdf", ".stl", ".obj"),  # of other programs
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Source(Protocol):
    """Reads files by their name inside the model."""

    @property
    def main(self) -> str:
        """Name of the root description."""
        ...

    def shown(self, name: str) -> str:
        """How the user would call that file."""
        ...

    def read(self, name: str, where: Place, most: int = MAX_BYTES) -> bytes | Problem:
        """Its content, of `most` bytes; `where` is what asked for it."""
        ...


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on disk; links that lead out of it are refused."""

    root: Path
    main: str = MAIN

    def shown(self, name: str) -> str:
        """Path as the user would type it."""
        return str(self.root / name)

    def read(self, name: str, where: Place, most: int = MAX_BYTES) -> bytes | Problem:
        """The file, if it is a regular one inside the folder."""
        try:
            path = (self.root / name).resolve(strict=True)
            if not path.is_relative_to(self.root.resolve()):
                return escape(name, where, "it is a link out of the model's folder")
            return read_limited(path, self.shown(name), most)
        except (OSError, ValueError, RuntimeError) as error:
            return missing(self.shown(name), where, error)


@dataclass(frozen=True, slots=True)
class Unpacked:
    """Files of an archive, already read and judged."""

    label: str
    contents: Mapping[str, bytes]
    main: str = MAIN

    def shown(self, name: str) -> str:
        """The archive, then the name inside it."""
        return f"{self.label}/{name}"

    def read(self, name: str, where: Place, most: int = MAX_BYTES) -> bytes | Problem:
        """The member of that name."""
        if name not in self.contents:
            return missing(self.shown(name), where, None)
        data = self.contents[name]
        if len(data) > most:
            return too_large(self.shown(name), len(data), most)
        return data


def read_limited(path: Path, shown: str, most: int = MAX_BYTES) -> bytes | Problem:
    """A regular file below the size limit; its size is asked before it is read."""
    status = path.stat()
    if not S_ISREG(status.st_mode):
        return _unreadable(shown, "it is not a regular file")
    if status.st_size > most:
        return too_large(shown, status.st_size, most)
    with path.open("rb") as file:
        data = file.read(most + 1)
    return data if len(data) <= most else too_large(shown, len(data), most)


def _unreadable(shown: str, why: str) -> Problem:
    return Problem(
        "BND005",
        Place(shown),
        f"cannot read the model: {why}.",
        "Give a folder with SystemStructure.ssd, an .ssd file or an .ssp archive.",
    )


def missing(shown: str, where: Place, error: Exception | None) -> Problem:
    """The problem of a file that is not there, or not readable."""
    why = getattr(error, "strerror", None) or "no such file"
    if where.line == 0:
        return _unreadable(shown, why[0].lower() + why[1:])
    return Problem(
        "BND009",
        where,
        f"{shown} cannot be read: {why[0].lower() + why[1:]}.",
        "Correct the source attribute, or add the file.",
    )


def escape(source: str, where: Place, why: str) -> Problem:
    """The problem of a source that is not inside the model."""
    return Problem(
        "BND008",
        where,
        f"the source {source[:200]!r} is refused: {why}.",
        "Name a file inside the model, relative to the .ssd, with forward slashes.",
    )


def inside(source: str, base: str, where: Place) -> str | Problem:
    """The name inside the model that `source`, written in the file `base`, means."""
    plain = unquote(source)
    why = _outside(plain)
    if why:
        return escape(source, where, why)
    return str(PurePosixPath(base).parent / plain)


def _outside(plain: str) -> str | None:
    if not plain or any(ord(c) < 32 for c in plain):
        return "it is empty or has control characters"
    if _SCHEME.match(plain):
        return "it is a URL or a drive, not a relative path"
    if plain.startswith("/") or "\\" in plain:
        return "it is an absolute path or has a backslash"
    if ".." in plain.split("/"):
        return "it leaves the model's folder"
    return None
