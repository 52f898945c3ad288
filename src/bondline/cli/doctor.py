"""`bondline doctor`: is everything here that a run needs?"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import typer

from bondline import __version__
from bondline.cli.options import Json
from bondline.cli.threads import VARIABLES
from bondline.cli.voice import Voice, dim, green, red, voice, yellow

PACKAGES = (
    *("numpy", "scipy", "lxml", "pint", "matplotlib", "pillow"),
    *("pyssp-standard", "typer", "rich"),
)
SCHEMAS = (
    *("SystemStructureDescription.xsd", "SystemStructureCommon.xsd"),
    *("SystemStructureParameterValues.xsd", "SystemStructureParameterMapping.xsd"),
)
OLDEST_SQLITE = (3, 7, 0)  # write-ahead logging


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `status` is ok, WARN or FAIL."""

    name: str
    status: str
    text: str
    remedy: str = ""


def doctor(ctx: typer.Context, json: Json = False) -> None:
    """Look whether this installation is sound.

    The exit code is 3 if something fails.
    """
    mine = voice(ctx)
    findings = [f for look in LOOKS for f in look(mine)]
    failed = any(f.status == "FAIL" for f in findings)
    document = {"ok": not failed, "findings": [asdict(f) for f in findings]}
    mine.answer(document, lambda: _show(mine, findings))
    if failed:
        raise typer.Exit(3)


def _show(mine: Voice, findings: list[Finding]) -> None:
    paint = {"ok": green, "WARN": yellow, "FAIL": red}
    for f in findings:
        mine.print(f"{paint[f.status](f'{f.status:4}')}  {f.name:15} {f.text}")
        if f.remedy:
            mine.print(f"      {dim('try:')} {f.remedy}")


def _python(mine: Voice) -> Iterator[Finding]:
    yield Finding("python", "ok", f"{sys.version.split()[0]} at {sys.executable}")


def _packages(mine: Voice) -> Iterator[Finding]:
    from importlib import metadata

    yield Finding("bondline", "ok", __version__)
    for name in PACKAGES:
        try:
            yield Finding(name, "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            remedy = "Install Bondline again: ./run does, or pip install bondline."
            yield Finding(name, "FAIL", "not installed", remedy)


def _kinds(mine: Voice) -> Iterator[Finding]:
    from bondline.build import broken, kinds

    yield Finding("kinds of leaves", "ok", ", ".join(kinds()))
    for name, error in broken().items():
        text = f"{error.place}: {error.finding}"
        yield Finding(f"kind {name}", "WARN", text, error.remedy)


def _kernels(mine: Voice) -> Iterator[Finding]:
    from bondline.errors import KernelError
    from bondline.kernels import built_with, digest

    try:
        yield Finding("kernels", "ok", f"{digest()}, built with {built_with()}")
    except KernelError as error:
        yield Finding("kernels", "FAIL", error.finding, error.remedy)


def _threads(mine: Voice) -> Iterator[Finding]:
    counts = {name: os.environ.get(name, "") for name in VARIABLES}
    text = ", ".join(f"{name}={count}" for name, count in counts.items())
    if all(count == "1" for count in counts.values()):
        yield Finding("BLAS threads", "ok", "1")
    else:
        remedy = "Unset them: one thread gives the same bits on every machine."
        yield Finding("BLAS threads", "WARN", text, remedy)


def _folders(mine: Voice) -> Iterator[Finding]:
    import tempfile

    where = {"project": mine.runs if mine.runs.is_dir() else mine.project}
    where["temporary files"] = Path(tempfile.gettempdir())
    for name, folder in where.items():
        if folder.is_dir() and os.access(folder, os.W_OK):
            yield Finding(name, "ok", f"{folder.resolve()} can be written")
        else:
            text = f"{folder.absolute()} cannot be written"
            remedy = "Give another folder: --project DIR, or TMPDIR for the other one."
            yield Finding(name, "FAIL", text, remedy)


def _sqlite(mine: Voice) -> Iterator[Finding]:
    import sqlite3

    good = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    remedy = "" if good else "Use a Python that brings SQLite 3.7 or later."
    status = "ok" if good else "FAIL"
    yield Finding("sqlite", status, sqlite3.sqlite_version, remedy)


def _schemas(mine: Voice) -> Iterator[Finding]:
    missing = [] if _has("bondline.description", "gluing.xsd") else ["gluing.xsd"]
    missing += [s for s in SCHEMAS if not _has("pyssp_standard", "resources/ssp2/" + s)]
    if missing:
        remedy = "Install again: pip install --force-reinstall pyssp-standard bondline."
        yield Finding("schemas", "FAIL", f"missing: {', '.join(missing)}", remedy)
    else:
        yield Finding("schemas", "ok", f"SSP 2.0 and ours, {len(SCHEMAS) + 1} files")


def _has(package: str, name: str) -> bool:
    from importlib import resources, util

    found = util.find_spec(package)
    return found is not None and resources.files(package).joinpath(name).is_file()


def _terminal(mine: Voice) -> Iterator[Finding]:
    encoding = (sys.stdout.encoding or "unknown").lower()
    if encoding.replace("-", "") == "utf8":
        yield Finding("terminal", "ok", encoding)
    else:
        yield Finding("terminal", "WARN", encoding, "Set PYTHONUTF8=1.")


def _browser(mine: Voice) -> Iterator[Finding]:
    import webbrowser

    try:
        yield Finding("browser", "ok", webbrowser.get().__class__.__name__)
    except webbrowser.Error:
        yield Finding("browser", "ok", "none; open reports by hand")


LOOKS: tuple[Callable[[Voice], Iterator[Finding]], ...] = (
    *(_python, _packages, _kinds, _kernels, _threads, _folders),
    *(_sqlite, _schemas, _terminal, _browser),
)
