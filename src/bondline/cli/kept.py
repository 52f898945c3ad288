"""The model that a run keeps, if it keeps one that can be built here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bondline.errors import BondlineError

if TYPE_CHECKING:
    from bondline.build import Given, Opened
    from bondline.description import SystemSpec
    from bondline.run import Run


def kept_model(run: Run) -> tuple[Opened | None, str]:
    """The model as it was run; or None, and a sentence that says why."""
    from bondline.build import open_model
    from bondline.run.store import PACKAGE

    if not has_package(run):
        return None, f"The run keeps no model ({PACKAGE}): it was made from Python."
    try:
        return open_model(*kept_files(run)), ""
    except BondlineError as error:
        return None, f"The model of the run cannot be built here: {error}"


def kept_files(run: Run) -> tuple[Path, Given]:
    """The files of the model, and what was given when it was run."""
    from bondline.build import Given
    from bondline.run.store import PACKAGE

    given = Given.load(run.facts["settings"].get("given", {}))
    return run.path / PACKAGE, given


def has_package(run: Run) -> bool:
    """Whether the run was stored with the files of its model."""
    from hashlib import sha256

    return bool(run.facts["package"] != sha256(b"").hexdigest())


def stays_away(run: Run) -> SystemSpec | None:
    """The system of a run as its file has it, if parts of it stay with their owners."""
    from bondline.build import catalogue
    from bondline.build.component import components
    from bondline.description import load
    from bondline.description.spec import REMOTE

    if not has_package(run):
        return None
    spec = load(kept_files(run)[0], catalogue().library).spec
    if spec is None:
        return None
    every = [part.kind for _, part in components(spec.system)]
    return spec.system if REMOTE in every else None


def away(run: Run) -> dict[str, str]:
    """Parts of a run that were at partners', and where, by its own log if it is whole.

    A log that is broken says nothing here: whoever asks does so for something else.
    """
    from bondline.remote.log.audit import NAME
    from bondline.remote.log.audit_read import read_log

    log = run.path / NAME
    try:
        records = read_log(log).records if log.exists() else ()
    except BondlineError:
        return {}
    return {str(r["model"]): str(r["who"]) for r in records if r.get("model")}
