"""A model's files in a folder of their own, whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from bondline.description.stored import PASSPORT
from bondline.errors import UsageError
from bondline.library.library import Library
from bondline.library.names import Reference
from bondline.library.records import Entry


def unpack(library: Library, wanted: Reference | str, folder: Path) -> Entry:
    """Write the files of a version and its passport, and what it uses, to `folder`.

    The folder must not exist. What it uses is under `library/`, where a model looks
    first, so that the copy runs without any library.
    """
    entry = library.get(wanted)
    if folder.exists():
        raise UsageError(
            str(folder), "there is something here already.", "Give a new folder."
        )
    files = {PASSPORT: entry.text.encode(), **library.files(entry)}
    for used in entry.passport.uses:
        files |= library.stored(used).carried()
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.draft")
    try:
        for name, data in files.items():
            _write(draft / name, data)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return entry


def _write(path: Path, data: bytes) -> None:
    """A new file; its name was judged when the passport was read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
