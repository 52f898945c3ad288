"""Archives, treated as hostile: judged entry by entry before anything is read.

Those of models (.ssp) are never unpacked to disk; see `fmu.archive` for FMUs.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from bondline.description.place import Place, Problem
from bondline.description.sources import DATA, MAIN, Unpacked
from bondline.description.stored import PASSPORT

MAX_ENTRIES = 4096
MAX_UNPACKED = 512 * 2**20
MAX_RATIO = 100
_FREE = 2**20  # below this size no ratio is suspicious
_TAIL = struct.Struct("<4s4H2LH")
_MAX_DIRECTORY = MAX_ENTRIES * 512
_BLOCK = 64 * 2**10
UNSOUND = (
    *(zipfile.BadZipFile, zlib.error, EOFError, struct.error),
    *(NotImplementedError, RuntimeError, ValueError, OSError),
)
_READ = (".ssd", ".ssv", ".ssm", *DATA, f"/{PASSPORT}")


def open_archive(
    path: Path, main: str = MAIN, every: bool = False
) -> Unpacked | Problem:
    """The files we read of an archive that follows the rules, or why it is refused.

    `main` is the description to begin with; `every` reads files that we do not know.
    """
    shown = str(path)
    try:
        with path.open("rb") as file:
            problem = judge(file, shown, MAIN)
            if problem is not None:
                return problem
            with zipfile.ZipFile(file) as archive:
                unpacked = _read(archive, shown, every)
    except UNSOUND as error:
        return unsound(shown, error)
    return replace(unpacked, main=main) if isinstance(unpacked, Unpacked) else unpacked


def _bad(shown: str, why: str) -> Problem:
    return Problem(
        "BND006",
        Place(shown),
        f"the archive is refused: {why}.",
        "Make it anew: plain files, stored or deflated, SystemStructure.ssd at the "
        "root.",
    )


def _heavy(shown: str, why: str) -> Problem:
    return Problem(
        "BND007",
        Place(shown),
        f"the archive is refused: {why}.",
        "Keep large data out of the archive.",
    )


def unsound(shown: str, error: Exception) -> Problem:
    """The problem of an archive that `zipfile` stumbles over."""
    broken = (zipfile.BadZipFile, zlib.error, EOFError, struct.error)
    what = "is not a sound zip file" if isinstance(error, broken) else "cannot be read"
    return _bad(shown, f"it {what} ({error})")


def judge(file: BinaryIO, shown: str, main: str) -> Problem | None:
    """Why an archive with the root file `main` is refused; one of `UNSOUND` may rise.

    The directory's size is judged before `zipfile` reads it whole.
    """
    problem = _directory(file, shown)
    if problem is not None:
        return problem
    with zipfile.ZipFile(file) as archive:
        return _judge(archive, shown, main)


def _directory(file: BinaryIO, shown: str) -> Problem | None:
    size = file.seek(0, os.SEEK_END)
    if size > MAX_UNPACKED:
        return _heavy(shown, f"it has {size} bytes, more than {MAX_UNPACKED}")
    file.seek(max(0, size - 2**16 - _TAIL.size - 20))
    tail = file.read()
    at = _end_record(tail)
    if at is None:
        return _bad(shown, "it is not a zip file")
    if tail[max(0, at - 20) : at].startswith(b"PK\6\7"):
        return _bad(shown, "it uses zip64, which no archive this small needs")
    entries, length = _TAIL.unpack_from(tail, at)[4:6]
    if entries > MAX_ENTRIES or length > _MAX_DIRECTORY:
        return _heavy(shown, f"it has more than {MAX_ENTRIES} entries")
    return None


def _end_record(tail: bytes) -> int | None:
    """Where the end-of-directory record starts, found as `zipfile` finds it."""
    last = len(tail) - _TAIL.size
    if last >= 0 and tail[last : last + 4] == b"PK\5\6" and tail[-2:] == b"\0\0":
        return last
    at = tail.rfind(b"PK\5\6")
    return at if 0 <= at <= last else None


def _judge(archive: zipfile.ZipFile, shown: str, main: str) -> Problem | None:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        return _heavy(shown, f"it has more than {MAX_ENTRIES} entries")
    for entry in entries:
        why = _suspicious(entry)
        if why:
            return _bad(shown, f"entry {entry.filename[:200]!r} {why}")
    names = [e.filename.casefold().rstrip("/") for e in entries]
    if len(set(names)) < len(names):
        twice = next(n for n in names if names.count(n) > 1)
        return _bad(shown, f"two entries are named {twice[:200]!r}")
    if main not in {e.filename for e in entries}:
        return _bad(shown, f"there is no {main} at its root")
    return _bomb(entries, shown)


def _suspicious(entry: zipfile.ZipInfo) -> str | None:
    name, mode = entry.orig_filename, entry.external_attr >> 16
    parts = name.removesuffix("/").split("/")
    if "\\" in name or ":" in name or any(ord(c) < 32 for c in name):
        return "has a drive, a backslash or control characters in its name"
    if any(p in ("", ".", "..") for p in parts):
        return "has an absolute name or one that leaves the archive"
    if entry.flag_bits & 0x1:
        return "is encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is neither stored nor deflated"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a device, not a file"
    return None


def _bomb(entries: list[zipfile.ZipInfo], shown: str) -> Problem | None:
    unpacked = sum(e.file_size for e in entries)
    packed = sum(e.compress_size for e in entries)
    if unpacked > MAX_UNPACKED:
        return _heavy(shown, f"it unpacks to more than {MAX_UNPACKED} bytes")
    if unpacked > _FREE and unpacked > MAX_RATIO * max(packed, 1):
        return _heavy(shown, f"it unpacks to more than {MAX_RATIO} times its size")
    return None


def _read(archive: zipfile.ZipFile, shown: str, every: bool) -> Unpacked | Problem:
    contents: dict[str, bytes] = {}
    for entry in archive.infolist():
        if every or entry.filename.lower().endswith(_READ):
            data = member(archive, entry, shown)
            if isinstance(data, Problem):
                return data
            contents[entry.filename] = data
    return Unpacked(shown, contents)


def member(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, shown: str
) -> bytes | Problem:
    """Bytes of an entry, counted as they come: sizes in headers are only claims."""
    data = bytearray()
    with archive.open(entry) as stream:
        while len(data) <= entry.file_size and (block := stream.read(_BLOCK)):
            data += block
    if len(data) > entry.file_size:
        return _heavy(shown, f"{entry.filename} is larger than it says")
    return bytes(data)
