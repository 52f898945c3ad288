"""What it means that an audit log cannot be written: that depends on whose it is."""

from __future__ import annotations

import contextlib
import errno
import shutil
from pathlib import Path

from bondline.errors import StorageError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
INTEGRATOR = "integrator"
SO = {
    "owner": "nothing is served",
    INTEGRATOR: "the run does not go on",
    "supplier": "no supplier is asked",
}
_SERVED = "Check the file with bondline audit verify, and the room on the disk."


def unwritten(path: Path, side: str, error: Exception) -> StorageError:
    """The error of that side, with its own disk and what to do there."""
    so, what = SO.get(side, SO["owner"]), "the audit log"
    if side == INTEGRATOR:
        what = "the log of what partners send, on the disk of this machine,"
    finding = f"{what} cannot be written ({error}), so that {so}."
    return StorageError(str(path), finding, _remedy(path, side, error))


def _remedy(path: Path, side: str, error: Exception) -> str:
    full = isinstance(error, OSError) and error.errno in _FULL
    if side != INTEGRATOR:
        return f"{_SERVED} {_room(path)}" if full else _SERVED
    if full:
        return (
            f"See to the room on the disk: {_room(path)} Make room, then resume the "
            "run: the windows that it has are kept."
        )
    return "Check the file with bondline audit verify, then resume the run."


def _room(path: Path) -> str:
    with contextlib.suppress(OSError):
        free = shutil.disk_usage(path.absolute().parent).free
        return f"{free} bytes are free in {path.absolute().parent}."
    return "The disk does not answer."
