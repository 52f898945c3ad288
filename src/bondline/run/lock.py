"""One writer a run: a lock that the kernel releases, even after kill -9."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bondline.errors import StorageError

NAME = "lock"
_TRIES, _PAUSE = 50, 0.02  # s


@contextlib.contextmanager
def only_writer(
    folder: Path, pause: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Hold the run in `folder` for this process; `StorageError` names who has it.

    Who only asks whether it is held has it for a moment: we try for a second.
    """
    try:
        fd = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StorageError(
            str(folder),
            f"the run cannot be locked for writing ({error.strerror}).",
            "Check that the folder exists and that you may write to it.",
        ) from error
    try:
        _take(fd, folder, pause)
        yield
    finally:
        os.close(fd)


def is_held(folder: Path) -> bool:
    """Whether some process is writing the run in `folder`."""
    try:
        fd = os.open(folder / NAME, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def _take(fd: int, folder: Path, pause: Callable[[float], None]) -> None:
    for _ in range(_TRIES):
        if _got(fd):
            break
        pause(_PAUSE)
    else:
        holder = os.pread(fd, 20, 0).decode("ascii", "replace").strip() or "unknown"
        raise StorageError(
            str(folder),
            f"process {holder} is writing this run.",
            "Wait until it ends, or stop it with Ctrl-C; then resume.",
        )
    os.ftruncate(fd, 0)
    os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)


def _got(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
