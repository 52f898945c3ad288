"""Archives of FMUs: judged as hostile, and unpacked by nobody but us.

Only folders that FMI knows may be inside. What is written to disk is what a solver
needs: the description, the binaries of this machine and the resources, each below the
folder that was asked for and below nothing else.
"""

from __future__ import annotations

import io
import os
import platform
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bondline.description.archive import UNSOUND, judge, member, unsound
from bondline.description.place import Place, Problem

MAIN = "modelDescription.xml"
TERMINALS = "terminalsAndIcons/terminalsAndIcons.xml"
TOPS = (
    *("binaries", "documentation", "extra", "icon", "licenses", "resources"),
    *("sources", "terminalsAndIcons", MAIN, "model.png", "icon.png", "LICENSE.txt"),
)
_CODES = {"BND006": "BND101", "BND007": "BND102"}
_REMEDY = {
    "BND101": "Export it anew: plain files, stored or deflated, in the folders that "
    f"FMI names, {MAIN} at the root.",
    "BND102": "Keep large data out of the FMU.",
}


@dataclass(frozen=True, slots=True)
class Packed:
    """An FMU that was judged: its descriptions, and what names it has inside."""

    shown: str
    texts: Mapping[str, bytes]  # modelDescription.xml, and terminals if there are any
    names: tuple[str, ...]


def open_fmu(data: bytes, shown: str) -> Packed | Problem:
    """The descriptions in an FMU that follows the rules, or why it is refused."""
    try:
        problem = judge(io.BytesIO(data), shown, MAIN)
        if problem is not None:
            return _ours(problem)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _strange(archive, shown) or _texts(archive, shown)
    except UNSOUND as error:
        return _ours(unsound(shown, error))


def _ours(problem: Problem) -> Problem:
    code = _CODES.get(problem.code, problem.code)
    return replace(problem, code=code, remedy=_REMEDY.get(code, problem.remedy))


def _strange(archive: zipfile.ZipFile, shown: str) -> Problem | None:
    for name in archive.namelist():
        if name.split("/")[0] not in TOPS:
            finding = f"the FMU is refused: entry {name[:200]!r} is in no folder of FMI"
            return Problem("BND101", Place(shown), f"{finding}.", _REMEDY["BND101"])
    return None


def _texts(archive: zipfile.ZipFile, shown: str) -> Packed | Problem:
    found: dict[str, bytes] = {}
    for entry in archive.infolist():
        if entry.filename in (MAIN, TERMINALS):
            data = member(archive, entry, shown)
            if isinstance(data, Problem):
                return _ours(data)
            found[entry.filename] = data
    return Packed(shown, found, tuple(archive.namelist()))


def library(packed: Packed, version: int, identifier: str) -> str | None:
    """Name inside the FMU of the shared library for this machine; None: it has none."""
    folder, ending = _machine(version)
    name = f"binaries/{folder}/{identifier}{ending}"
    return name if name in packed.names else None


def _machine(version: int) -> tuple[str, str]:
    """How FMI calls this machine, and what its libraries end with."""
    ending = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    if version == 2:
        bits = "64" if sys.maxsize > 2**32 else "32"
        system = {"win32": "win", "darwin": "darwin"}.get(sys.platform, "linux")
        return f"{system}{bits}", ending
    chip = {"AMD64": "x86_64", "arm64": "aarch64"}.get(
        platform.machine(), platform.machine()
    )
    system = {"win32": "windows", "darwin": "darwin"}.get(sys.platform, "linux")
    return f"{chip}-{system}", ending


def unpack(data: bytes, shown: str, library: str, folder: Path) -> Problem | None:
    """Write what a solver needs of an FMU below `folder`; None if all went well."""
    needed = (library.rpartition("/")[0] + "/", "resources/")
    try:
        problem = judge(io.BytesIO(data), shown, MAIN)
        if problem is not None:
            return _ours(problem)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                name = entry.filename
                if name.endswith("/") or not (name == MAIN or name.startswith(needed)):
                    continue
                content = member(archive, entry, shown)
                if isinstance(content, Problem):
                    return _ours(content)
                _write(folder, name, content)
    except UNSOUND as error:
        return _ours(unsound(shown, error))
    (folder / "resources").mkdir(exist_ok=True)
    return None


def _write(folder: Path, name: str, content: bytes) -> None:
    """One regular file; the names were judged, and are looked at once more."""
    path = folder / name
    if not Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder)):
        raise ValueError(f"{name} leads out of the folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
