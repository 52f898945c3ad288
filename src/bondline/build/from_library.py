"""Models that a model file takes from the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bondline.description.lending import changed
from bondline.description.stored import Refused, Stored
from bondline.errors import BondlineError, CorruptModel, SecurityError, nearest

if TYPE_CHECKING:
    from bondline.library import Library


def find(name: str, version: int) -> Stored | Refused:
    """The version of that name in the library of the project, or why not."""
    from bondline.library import Library

    try:
        with Library() as library:
            return _absent(library, name, version) or library.stored(
                f"{name}@{version}"
            )
    except (CorruptModel, SecurityError) as error:
        return changed(name, version, error.finding.rstrip("."))
    except BondlineError as error:
        return Refused(
            "BND095",
            f"{name}@{version} cannot be looked for: {error.place}: {error.finding}",
            error.remedy,
        )


def _absent(library: Library, name: str, version: int) -> Refused | None:
    newest = library.latest(name)
    if not newest:
        close = nearest(name, library.names())
        return Refused(
            "BND091",
            f"{library.place} has no model {name!r}, or not for {library.who}.",
            f"Did you mean {close!r}?" if close else "Look: bondline db search.",
        )
    if version > newest:
        return Refused(
            "BND092",
            f"{name} has no version {version}.",
            f"The latest is {newest}: library:{name}@{newest}.",
        )
    return None
