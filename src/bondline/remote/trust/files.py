"""Files of owners: whole or not at all, and private where they must be."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from bondline.errors import SecurityError, StorageError

PRIVATE, PUBLIC = 0o600, 0o644


def write_new(path: Path, data: bytes, mode: int = PUBLIC) -> None:
    """Write a file that does not exist yet; nobody ever sees half of it.

    The same bytes again are no error: a command may be given twice.
    """
    made = _made(path, data, mode)
    try:
        os.link(made, path)  # fails where the name is taken, unlike rename
    except FileExistsError:
        if path.read_bytes() != data:
            raise StorageError(
                str(path),
                "there is such a file already, with something else in it.",
                "Move it away, or choose another name: nothing is overwritten.",
            ) from None
    finally:
        made.unlink()
    _settle(path.parent)


def write_over(path: Path, data: bytes, mode: int = PUBLIC) -> None:
    """Replace a file at once: readers see the old one or the new one."""
    _made(path, data, mode).replace(path)
    _settle(path.parent)


def _made(path: Path, data: bytes, mode: int) -> Path:
    """A temporary file beside `path`, on the disk; private from its first byte on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())
    return Path(name)


def _settle(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def read_private(path: Path) -> bytes:
    """The bytes of a key, if nobody else can read it."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if mode & 0o077:
                raise exposed(path, mode)
            return file.read()
    except OSError as error:
        raise unreadable(path, error) from error


def exposed(path: Path, mode: int) -> SecurityError:
    """What to say of a key that others can read."""
    return SecurityError(
        str(path),
        f"others can read this key (its mode is {mode:04o}), so that it may be known.",
        f"chmod 600 {path.name}; if it was so for long, make a new one: "
        "bondline cert renew --new-key.",
    )


def unreadable(path: Path, error: OSError) -> SecurityError:
    """What to say of a file that cannot be opened."""
    return SecurityError(
        str(path),
        f"the file cannot be read ({error.strerror}).",
        "Check its name and your rights.",
    )
