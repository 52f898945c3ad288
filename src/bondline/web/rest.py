"""A model at rest: what its parts show where they start, for the model screen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bondline.build import Opened, open_model
from bondline.build.outline import leaves
from bondline.build.solvers.grant import code_withheld
from bondline.core import Matrix, Showing, Skin, Skinned
from bondline.errors import BondlineError
from bondline.run.skins import numbers
from bondline.web import scene
from bondline.web.bundle import bundle
from bondline.web.models import given
from bondline.web.told import Changes

# parts that are only ours to compute: others would run programs of their owners
_OURS = tuple(
    f"bondline.leaves.{kind}"
    for kind in (
        *("bar", "ground", "large_mass", "mbd", "nonlinear", "oscillator"),
        *("rigid_body", "spring_chain", "structure"),
    )
)


def at_rest(path: Path, changes: Changes) -> bytes:
    """Surfaces and lines of a model where it starts; a bundle with one instant.

    Surfaces need no start. Lines do: a model with a part that is another program shows
    none, since the page runs no code of models.
    """
    with code_withheld():
        opened = open_model(path, given(changes))
        skins = opened.model.skins() if isinstance(opened.model, Skinned) else {}
        lines = _lines(opened, skins)
    counted = {name: x.shape for name, x in lines.items()}
    seen = scene.Shown(counted, dict(sorted(skins.items())))
    about, arrays = scene.still(seen)
    frames = {name: _nowhere(skin) for name, skin in seen.skins.items()}
    frames |= scene.placed(lines, seen.planar)
    for k, name in enumerate([*seen.skins, *seen.lines]):
        arrays[f"{k}.x"] = frames[name][None]
    arrays["t"] = np.array([opened.spec.start])
    return bundle(about, arrays)


def _lines(opened: Opened, skins: Mapping[str, Skin]) -> dict[str, Matrix]:
    every = [part for _, part in leaves(opened.model)] or [opened.model]
    if not isinstance(opened.model, Showing) or not all(map(ours, every)):
        return {}
    try:
        state = opened.model.start(opened.spec.start).state
        return scene.beside(skins, opened.model.shapes(state))
    except BondlineError:
        return {}  # `check` and `run` say why it does not start


def ours(part: Any) -> bool:
    """Whether a part, and what it wraps, is computed here."""
    inner = (v for v in getattr(part, "__dict__", {}).values() if hasattr(v, "advance"))
    return type(part).__module__.startswith(_OURS) and all(map(ours, inner))


def _nowhere(skin: Skin) -> Any:
    points = len(skin.points)
    return np.zeros((points, numbers(skin) // max(points, 1)), dtype=np.float32)
