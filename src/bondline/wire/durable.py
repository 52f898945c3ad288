"""Files and folders that are still there after a power failure.

To sync a file keeps its bytes; its name is in its folder, and that one's in the next.
"""

from __future__ import annotations

import os
from pathlib import Path


def make_folder(folder: Path) -> None:
    """It is there, with all above it, and on the disk when this returns."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    sync(*(path.parent for path in reversed(missing)))


def sync(*paths: Path) -> None:
    """Files, and the names in folders, are on the disk when this returns."""
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
