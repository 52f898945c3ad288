"""Finite-element decks to look at."""

from __future__ import annotations

from math import pi
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from bondline.leaves.fe.model import FeModel
    from bondline.report.meshes import Look
    from bondline.report.render import Picture

_INP, _BDF = (".inp",), (".bdf", ".dat", ".nas")


def of_deck(path: Path, mode: int | None, look: Look) -> Picture:
    """A deck where it rests, or one of its modes."""
    from bondline.core import Deformed
    from bondline.leaves.fe.skin import MARKS, FullField
    from bondline.report.meshes import at_rest, vibrating

    model = _read(path)
    shown = FullField(model, marks=MARKS)
    skins = {model.name: shown.rest}
    if mode is None:
        return at_rest(model.name, skins, look)
    from bondline.leaves.fe.modes import modes

    found = modes(model, mode)
    if len(found.frequencies) < mode:
        raise UsageError(
            f"{path}: mode {mode}",
            f"the model has only {len(found.frequencies)} modes.",
            "Ask for a lower one.",
        )
    shape = {model.name: Deformed(found.shapes[mode - 1][shown.rows, :3])}
    omega = 2.0 * pi * float(found.frequencies[mode - 1])
    return vibrating(f"{model.name}, mode {mode}", skins, shape, omega, look)


def _read(path: Path) -> FeModel:
    from bondline.leaves.fe.formats import read_bdf, read_inp

    suffix = path.suffix.lower()
    if suffix in _INP:
        return read_inp(path).model
    if suffix in _BDF:
        return read_bdf(path).model
    raise UsageError(
        str(path),
        f"a file that ends with {suffix!r} is neither a model nor a deck.",
        did_you_mean(suffix, (*_INP, *_BDF, ".ssd", ".ssp")),
    )
