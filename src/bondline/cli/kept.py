"""The model that a run keeps, if it keeps one that can be built here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bondline.errors import BondlineError

if TYPE_CHECKING:
    from bondline.build import Given, Opened
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
