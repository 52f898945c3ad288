"""SSP archives, treated as hostile: judged entry by entry, never unpacked to disk."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from pathlib import Path

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
_READ = (".ssd", ".ssv", ".ssm", *DATA, f"/{PASSPORT}")


def open_archive(path: Path) -> Unpacked | Problem:
    """The files we read of an archive that follows the rules, or why it is refused."""
    shown = str(path)
    try:
        problem = _directory(path)
        if problem is not None:
            return problem
        with zipfile.ZipFile(path) as archive:
            return _judge(archive, shown) or _read(archive, shown)
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error) as error:
        return _bad(shown, f"it is not a sound zip file ({error})")
    except (NotImplementedError, RuntimeError, ValueError, OSError) as error:
        return _bad(shown, f"it cannot be read ({error})")


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


def _directory(path: Path) -> Problem | None:
    """Judge the directory's size before `zipfile` reads it whole."""
    shown, size = str(path), path.stat().st_size
    if size > MAX_UNPACKED:
        return _heavy(shown, f"it has {size} bytes, more than {MAX_UNPACKED}")
    with path.open("rb") as file:
        start = max(0, size - 2**16 - _TAIL.size - 20)
        file.seek(start)
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


def _judge(archive: zipfile.ZipFile, shown: str) -> Problem | None:
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
    if MAIN not in {e.filename for e in entries}:
        return _bad(shown, f"there is no {MAIN} at its root")
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


def _read(archive: zipfile.ZipFile, shown: str) -> Unpacked | Problem:
    contents: dict[str, bytes] = {}
    for entry in archive.infolist():
        if entry.filename.lower().endswith(_READ):
            data = _stream(archive, entry)
            if len(data) > entry.file_size:
                return _heavy(shown, f"{entry.filename} is larger than it says")
            contents[entry.filename] = data
    return Unpacked(shown, contents)


def _stream(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Bytes of an entry, counted as they come: sizes in headers are only claims."""
    data = bytearray()
    with archive.open(entry) as member:
        while len(data) <= entry.file_size and (block := member.read(_BLOCK)):
            data += block
    return bytes(data)
