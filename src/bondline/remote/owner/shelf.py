"""What a server keeps on its owner's disk: checkpoints, and the epoch."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bondline.errors import CorruptRun, StorageError, VersionMismatch
from bondline.wire.durable import make_folder, sync

KEPT = 8  # checkpoints that a session keeps; older ones of its own go
_STALE = 30 * 86400.0  # s after which nobody will come back for one
_FORMAT = "checkpoint 2"  # with the trail of the state
_LENGTH = struct.Struct("<I")  # of the trail
_HANDLE = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Shelf:
    """A folder of the server's; names in it never come from a client."""

    folder: Path

    def next_epoch(self) -> int:
        """One more than ever before, and on the disk before anybody knows it."""
        file = self.folder / "epoch"
        with _explained(file):
            make_folder(self.folder)
            text = file.read_text(encoding="ascii") if file.exists() else "0"
            epoch = int(text) + 1 if text.strip().isdigit() else 1
            _write(file, str(epoch).encode())
        return epoch

    def keep(
        self, model: str, digest: str, state: bytes, trail: bytes
    ) -> tuple[str, str]:
        """Handle and SHA-256 of a state, and its trail, on the disk for good."""
        handle, folder = secrets.token_hex(16), self._of(model)
        both = _LENGTH.pack(len(trail)) + trail + state
        seal = _seal(digest, both)
        with _explained(folder):
            make_folder(folder)
            _write(folder / f"{handle}.state", seal.encode() + _key(digest) + both)
            _clear(folder)
        return handle, seal

    def forget(self, model: str, handle: str) -> None:
        """A checkpoint that newer ones have replaced."""
        if _HANDLE.fullmatch(handle):
            (self._of(model) / f"{handle}.state").unlink(missing_ok=True)

    def restore(
        self, model: str, digest: str, handle: str, seal: str
    ) -> tuple[bytes, bytes] | None:
        """State and trail behind a handle; None if there is no such thing."""
        if not _HANDLE.fullmatch(handle):
            return None
        file = self._of(model) / f"{handle}.state"
        with _explained(file):
            if not file.is_file():
                return None
            data = file.read_bytes()
        head, key, both = data[:64], data[64:96], data[96:]
        if key != _key(digest):
            raise VersionMismatch(str(file), "it is of another model.", "")
        if head.decode("ascii", "replace") != seal or _seal(digest, both) != seal:
            raise CorruptRun(str(file), "it does not match its digest.", "")
        end = _LENGTH.size + _LENGTH.unpack_from(both)[0]
        return both[end:], both[_LENGTH.size : end]

    def _of(self, model: str) -> Path:
        return self.folder / hashlib.sha256(model.encode()).hexdigest()[:16]


def _key(digest: str) -> bytes:
    return hashlib.sha256(f"{_FORMAT} {digest}".encode()).digest()


def _seal(digest: str, both: bytes) -> str:
    return hashlib.sha256(_key(digest) + both).hexdigest()


def _write(file: Path, data: bytes) -> None:
    """All of it or nothing, also if the power fails."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}.draft")
    with draft.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    sync(file.parent)


def _clear(folder: Path) -> None:
    """Away with what runs left that never came back."""
    for file in folder.glob("*.state"):
        with contextlib.suppress(OSError):  # another session was quicker
            if time.time() - file.stat().st_mtime > _STALE:
                file.unlink()


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            str(path),
            f"it cannot be written or read ({error.strerror}).",
            "Check the folder, its rights and the room on the disk.",
        ) from error
