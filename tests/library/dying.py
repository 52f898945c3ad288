"""Operations that end at any step of their way to the disk: kill -9, or no room.

A forked process does the operation and counts its steps: everything that it asks the
database for, commits, and what it asks of the file system. At step k it dies.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.pool import Pool

from bondline.errors import StorageError

_FILES = ("fsync", "rename", "replace", "mkdir", "open", "unlink")
FULL = 77  # exit code of an operation that found no room, and said so


def killed_at(step: int, operation: Callable[[], Any]) -> bool:
    """Whether the operation was killed at that step; False: it had ended before."""

    def work() -> int:
        _count_to(step)
        operation()
        return 0

    status = _child(work)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0, "the operation failed by itself"
    return False


def without_room(limit: int, operation: Callable[[], Any]) -> bool:
    """Whether files of at most `limit` bytes were too small, and that was told."""

    def work() -> int:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            operation()
        except StorageError:
            return FULL
        return 0

    status = _child(work)
    assert os.WIFEXITED(status)
    assert os.WEXITSTATUS(status) in (0, FULL)
    return os.WEXITSTATUS(status) == FULL


def _child(work: Callable[[], int]) -> int:
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    code = 70
    try:
        code = work()
    finally:
        os._exit(code)


def _count_to(step: int) -> None:
    left = step

    def tick(*_: Any, **__: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", tick)
    event.listen(Engine, "commit", tick)
    event.listen(Pool, "checkin", tick)  # after a commit
    for name in _FILES:
        setattr(os, name, _counted(getattr(os, name), tick))


def _counted(call: Callable[..., Any], tick: Callable[[], None]) -> Callable[..., Any]:
    def counted(*args: Any, **named: Any) -> Any:
        tick()
        return call(*args, **named)

    return counted
