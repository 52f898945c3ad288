"""Identity of a model: a hash of what it consists of, and a copy to keep."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from bondline.description.load import Loaded, load
from bondline.description.place import refuse
from bondline.description.sources import MAIN
from bondline.description.stored import Lookup, digest_of, nowhere
from bondline.errors import UsageError

_EPOCH = (1980, 1, 1, 0, 0, 0)


def contents(path: str | Path, library: Lookup = nowhere) -> dict[str, bytes]:
    """The files a model consists of, its root description as SystemStructure.ssd."""
    loaded = load(path, library)
    if loaded.spec is None:
        raise refuse(loaded.problems)
    return contents_of(loaded, path)


def contents_of(loaded: Loaded, path: str | Path) -> dict[str, bytes]:
    """The same of a model that was read already, from the bytes that were read."""
    files = dict(loaded.contents)
    root = files.pop(loaded.main)
    if MAIN in files:
        raise UsageError(
            str(path),
            f"{loaded.main} includes {MAIN}, and both would be an archive's root.",
            f"Move what they share into a third file, or make {MAIN} the outer one.",
        )
    return {MAIN: root, **files}


def digest(path: str | Path, library: Lookup = nowhere) -> str:
    """SHA-256 of all files of a model: the same for a folder and its archive."""
    return digest_of(contents(path, library))


def bundle(path: str | Path, library: Lookup = nowhere) -> bytes:
    """The model as an .ssp archive: equal models give equal bytes."""
    return pack(contents(path, library))


def pack(files: Mapping[str, bytes]) -> bytes:
    """An archive of those files, with fixed order and times."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return out.getvalue()
