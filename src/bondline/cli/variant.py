"""Which description of a model is meant."""

from __future__ import annotations

from pathlib import Path
from typing import overload


@overload
def chosen(model: Path, name: str | None) -> Path: ...
@overload
def chosen(model: Path | None, name: str | None) -> Path | None: ...
def chosen(model: Path | None, name: str | None) -> Path | None:
    """The model, or a variant of it that was asked for by name."""
    if model is None or name is None:
        return model
    from bondline.build import require
    from bondline.description import variant

    require(model)
    return variant(model, name)
