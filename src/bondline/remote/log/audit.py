"""The audit log: what left, when and to whom, chained by hashes.

One JSON object a line, spelled in one way (sorted keys, no spaces, `hash` at the end).
Record n has

    hash_n = SHA-256(hash_n−1, line without its hash)

so that no byte can change, and no record inside can go, without the chain breaking
there. The last ones can be cut off a file; therefore both sides exchange their heads at
checkpoints and write down the other's. Order is by number; the wall clock is for
people. A record is in the system's hands when `write` returns, and on the disk after
`seal`, at checkpoints and at the end.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, TypeVar

from bondline.errors import CorruptLog
from bondline.remote.log.spelling import chained, line_of
from bondline.remote.log.unwritten import SO, unwritten
from bondline.wire.durable import make_folder, sync

FORMAT = "bondline-audit 1"
NAME = "audit.jsonl"  # in the folder of a run
_UNWRITTEN = (OSError, ValueError, KeyError)
_ZERO = "0" * 64
_PIECE = 1 << 20  # bytes that are read at a time
_HOLES = 99  # at one record, of which the rest is kept
Entry: TypeAlias = tuple[str, Mapping[str, object]]  # a form, and its values as spelled
T = TypeVar("T")


class AuditLog:
    """Appends to the log of one side; safe in threads and processes."""

    def __init__(self, path: Path, side: str) -> None:
        self.path, self._place, self._side = path, path.absolute(), side
        self._lock = threading.Lock()
        self._end, self._number = 0, -1
        self._hash, self.id = _ZERO, ""
        self._lost: int | None = None  # why records may not be on the disk
        with self._explained():
            make_folder(path.parent)
            self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
            sync(path.parent)  # its own name is on the disk before any record
        self.id = self._alone(self._opened)
        self.seal()

    def write(self, kind: str, **what: Any) -> int:
        """Add a record; its number."""
        return self._alone(self._append, {"kind": kind, **what})

    def write_all(self, entries: Iterable[Entry]) -> int:
        """Add records whose forms are known, in one write; the number of the last."""
        return self._alone(self._fill_in, entries)

    def head(self) -> tuple[int, str]:
        """Number of the last record, and what it looks like to the other side."""
        return self._alone(self._head)

    def heard(self, who: str, number: int, head: str) -> int:
        """Write down the other side's head."""
        made = self.write("head", who=who, number=number, head=head)
        self.seal()
        return made

    def seal(self) -> None:
        """Everything so far is on the disk, under its name, when this returns."""
        with self._explained():
            self._sync()
            if not os.path.samestat(os.fstat(self._fd), self._place.stat()):
                raise OSError(errno.ESTALE, "another file has taken its place")

    def close(self) -> None:
        """Seal and let go."""
        try:
            self.seal()
        finally:
            os.close(self._fd)

    def _sync(self) -> None:
        """Whoever failed once has failed for good: the system may have let it go.

        A second sync would say that all is well.
        """
        if self._lost is None:
            try:
                os.fsync(self._fd)
            except OSError as error:
                self._lost = error.errno or errno.EIO
        if self._lost is not None:
            raise OSError(self._lost, "the disk did not take it; start again then")

    def _opened(self) -> str:
        self._begin()
        return self._first()

    def _begin(self) -> None:
        """The first record, if there is none yet."""
        if self._number < 0:
            first = {"kind": "begin", "format": FORMAT, "side": self._side}
            nonce = secrets.token_hex(16)  # two logs are never the same
            self._append({**first, "nonce": nonce})

    def _head(self) -> tuple[int, str]:
        return self._number, f"{self.id[:16]}:{self._hash}"

    def _append(self, record: Mapping[str, Any]) -> int:
        n = self._number + 1
        own, line = chained(self._hash, line_of({"n": n, "at": _now(), **record}))
        return self._add(f"{line}\n", own, n)

    def _fill_in(self, entries: Iterable[Entry]) -> int:
        at, n, own, lines = f'"{_now()}"', self._number, self._hash, ""
        for known, values in entries:
            n += 1
            own, line = chained(own, known % {**values, "at": at, "n": n})
            lines += f"{line}\n"
        return self._add(lines, own, n)

    def _add(self, lines: str, own: str, number: int) -> int:
        """All of them, or else the next one who writes finds what there is of them."""
        data = lines.encode()
        written = os.write(self._fd, data)
        if written != len(data):
            raise OSError(errno.ENOSPC, "a record was written in part")
        # not before: what a full disk refused is no link
        self._hash, self._number = own, number
        self._end += written
        return number

    def _alone(self, work: Callable[..., T], *what: Any) -> T:
        """One writer at a time, here and in other processes; first read what is new."""
        with self._lock:
            try:
                if self._lost is not None:
                    self._sync()
                fcntl.flock(self._fd, fcntl.LOCK_EX)
                try:
                    self._catch_up()
                    return work(*what)
                finally:
                    fcntl.flock(self._fd, fcntl.LOCK_UN)
            except _UNWRITTEN as error:
                raise unwritten(self.path, self._side, error) from error

    def _catch_up(self) -> None:
        """Take up what others wrote, if it goes on from what is known.

        Only a log that is opened may have lost pages: the power was away.
        """
        seen = os.fstat(self._fd)
        if seen.st_nlink == 0:
            raise OSError(errno.ENOENT, "it was deleted while it was written")
        if seen.st_size < self._end:
            raise OSError(errno.EIO, "it became shorter while it was written")
        if seen.st_size == self._end:
            return
        rest = b""
        while piece := os.pread(self._fd, _PIECE, self._end + len(rest)):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                if b"\0" in line and not self.id:
                    self._mend_hole(seen.st_size - self._end)
                    return
                self._follow(line)
        if rest:
            self._mend(len(rest))

    def _follow(self, line: bytes) -> None:
        """One more record, if its hash is that of the chain."""
        text, mark, own = line.rpartition(b',"hash":"')
        made = hashlib.sha256(b"%b\n%b}" % (self._hash.encode(), text)).hexdigest()
        if not mark or own != b'%b"}' % made.encode():
            raise CorruptLog(
                f"{self.path}: record {self._number + 1}",
                "it is not what was written, by its hash, so that "
                f"{SO.get(self._side, SO['owner'])}.",
                "Somebody changed this file. Put it back from a copy, or move it away "
                "to keep it and begin another; bondline audit verify says more.",
            )
        self._hash, self._number = made, self._number + 1
        self._end += len(line) + 1

    def _mend(self, torn: int, **more: str) -> None:
        """A power cut left half a record: cut it off, and say so in the next one."""
        os.ftruncate(self._fd, self._end)
        os.fsync(self._fd)  # else the next power cut may leave some of both
        self._begin()
        self._append({"kind": "torn", "bytes": torn, **more})

    def _mend_hole(self, torn: int) -> None:
        """A power cut lost a page, and left some that were written after it.

        Nobody writes zeros; who could put them there could cut the file as well, which
        the heads that others have would tell. What is cut off is kept beside the log,
        under a name of its own: power may fail here twice.
        """
        with self._aside() as out:
            at = self._end
            while piece := os.pread(self._fd, _PIECE, at):
                at += out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        sync(self.path.parent)
        self._mend(torn, kept=Path(out.name).name)

    def _aside(self) -> BinaryIO:
        """A new file for what is cut off, named by the first record that is gone."""
        name = f"{self.path.name}.{self._number + 1}"
        for suffix in ("", *(f".{k}" for k in range(2, _HOLES + 1))):
            aside = self.path.with_name(f"{name}{suffix}.torn")
            with suppress(FileExistsError):
                return open(aside, "xb", opener=_private)
        raise OSError(errno.EEXIST, f"{_HOLES} files {name}*.torn are beside it")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except _UNWRITTEN as error:
            raise unwritten(self.path, self._side, error) from error

    def _first(self) -> str:
        """The hash of record 0 names the log."""
        start, found = 0, b""
        while b"\n" not in found:
            piece = os.pread(self._fd, 4096, start)
            if not piece:
                return ""
            found, start = found + piece, start + len(piece)
        return str(json.loads(found.split(b"\n", 1)[0])["hash"])


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _now() -> str:
    now = time.time()
    second = int(now)
    return f"{_second(second)}.{int(1e3 * (now - second)):03d}+00:00"


@lru_cache(maxsize=1)
def _second(since: int) -> str:
    """Of the wall clock, in UTC; many records are of the same one."""
    return datetime.fromtimestamp(since, UTC).replace(tzinfo=None).isoformat()
