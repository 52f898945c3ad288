"""Files by their content: the name of a file is its SHA-256, never anybody's text."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Protocol

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from bondline.errors import StorageError
from bondline.library.engine import reading
from bondline.library.passport import corrupt, sha256
from bondline.library.tables import blobs

_SHA = re.compile(r"[0-9a-f]{64}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Blobs(Protocol):
    """Keeps bytes for good, by their SHA-256."""

    def put(self, data: bytes) -> str:
        """Keep them; on the disk when it returns. Their SHA-256."""
        ...

    def get(self, sha: str, place: str) -> bytes:
        """The bytes; `CorruptModel` at `place` if they are not what they were."""
        ...

    def many(self, shas: Iterable[str]) -> dict[str, bytes]:
        """What is quicker read together, of these names; unchecked."""
        ...


@dataclass(frozen=True)
class ReadAhead:
    """Others' bytes, some of which were read together before they are asked for."""

    inner: Blobs
    read: Mapping[str, bytes]

    def put(self, data: bytes) -> str:
        """As the others."""
        return self.inner.put(data)

    def many(self, shas: Iterable[str]) -> dict[str, bytes]:
        """As the others."""
        return self.inner.many(shas)

    def get(self, sha: str, place: str) -> bytes:
        """Compare what was read; ask for the rest."""
        found = self.read.get(sha)
        return (
            self.inner.get(sha, place) if found is None else _checked(found, sha, place)
        )


def read_ahead(blobs: Blobs, shas: Iterable[str]) -> ReadAhead:
    """The same, with these read at once."""
    return ReadAhead(blobs, blobs.many(sorted(set(shas))))


@dataclass(frozen=True)
class FileBlobs:
    """A folder: `ab/cdef...`, opened step by step, through no link."""

    root: Path

    def put(self, data: bytes) -> str:
        """Write to a name of its own, then give it its name."""
        sha = sha256(data)
        with self._explained(), self._shelf(sha, make=True) as folder:
            if _read(folder, sha[2:]) != data:
                _write(folder, sha[2:], data)
        return sha

    def get(self, sha: str, place: str) -> bytes:
        """Read and compare."""
        data = None
        if _SHA.fullmatch(sha):
            with self._explained():
                data = self._found(sha)
        return _checked(data, sha, place)

    def many(self, shas: Iterable[str]) -> dict[str, bytes]:
        """Nothing: a disk gives them as well one by one."""
        return {}

    def _found(self, sha: str) -> bytes | None:
        try:
            with self._shelf(sha, make=False) as folder:
                return _read(folder, sha[2:])
        except FileNotFoundError:
            return None

    @contextlib.contextmanager
    def _shelf(self, sha: str, make: bool) -> Iterator[int]:
        if make:
            self.root.mkdir(parents=True, exist_ok=True)
        root = os.open(self.root, _FOLDER)
        try:
            if make:
                _make_folder(root, sha[:2])
            folder = os.open(sha[:2], _FOLDER, dir_fd=root)
        finally:
            os.close(root)
        try:
            yield folder
        finally:
            os.close(folder)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StorageError(
                str(self.root),
                f"a file of the library cannot be written or read ({error.strerror}).",
                "Check the room on the disk and your rights; links are not followed.",
            ) from error


def _make_folder(parent: int, name: str) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, dir_fd=parent)
        os.fsync(parent)


def _read(folder: int, name: str) -> bytes | None:
    """A regular file of that name, not through a link; None if there is none."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        fd = os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        return None
    with open(fd, "rb") as file:
        return file.read() if S_ISREG(os.fstat(fd).st_mode) else None


def _write(folder: int, name: str, data: bytes) -> None:
    draft = f".{name[:8]}-{secrets.token_hex(8)}"
    fd = os.open(draft, _NEW, 0o644, dir_fd=folder)
    try:
        with open(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(fd)
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise


@dataclass(frozen=True)
class TableBlobs:
    """A table: for databases that people on several machines share."""

    engine: Engine

    def put(self, data: bytes) -> str:
        """Insert, unless they are there."""
        sha = sha256(data)
        with reading(self.engine) as db:
            if db.scalar(select(blobs.c.sha256).where(blobs.c.sha256 == sha)):
                return sha
            with contextlib.suppress(IntegrityError):  # somebody was quicker
                db.execute(insert(blobs).values(sha256=sha, data=data))
                db.commit()
        return sha

    def get(self, sha: str, place: str) -> bytes:
        """Select and compare."""
        with reading(self.engine) as db:
            data = db.scalar(select(blobs.c.data).where(blobs.c.sha256 == sha))
        return _checked(None if data is None else bytes(data), sha, place)

    def many(self, shas: Iterable[str]) -> dict[str, bytes]:
        """Select them all."""
        wanted = select(blobs.c.sha256, blobs.c.data).where(blobs.c.sha256.in_(shas))
        with reading(self.engine) as db:
            return {sha: bytes(data) for sha, data in db.execute(wanted)}


def _checked(data: bytes | None, sha: str, place: str) -> bytes:
    if data is None:
        raise corrupt(place, f"its content {sha[:12]} is missing")
    if sha256(data) != sha:
        raise corrupt(place, f"its content is not the one with SHA-256 {sha[:12]}")
    return data
