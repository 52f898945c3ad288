"""Frames: what a model shows at the end of an accepted window."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Frame,
    Model,
    Observing,
    Reacting,
    Showing,
    Window,
)
from bondline.errors import NonFinite


def look(
    model: Model, n: int, window: Window | None, t: float, advance: Advance[Any]
) -> Frame:
    """The frame of window `n`, or `NonFinite` naming the first bad number."""
    state = advance.state
    frame = Frame(
        n=n,
        window=window,
        t=t,
        values=model.observe(state) if isinstance(model, Observing) else {},
        forces=model.reactions(state) if isinstance(model, Reacting) else {},
        shapes=model.shapes(state) if isinstance(model, Showing) else {},
        energy=advance.energy,
        stats=advance.stats,
        notes=advance.notes,
    )
    for name, found in () if _finite(frame) else _not_finite(frame):
        raise NonFinite(
            f"{model.name} at t = {t:.9g} s, window {n}",
            f"{name} is {found}; it must be a finite number.",
            "The window before it is kept. Try a shorter step, or look at the "
            "parameters of the part that publishes it.",
        )
    return frame


def _finite(frame: Frame) -> bool:
    """Whether all is well: found without a name for every number."""
    single = [o.value for o in frame.values.values()]
    if frame.energy is not None:
        energy = frame.energy
        single += [energy.stored, energy.dissipated, energy.supplied]
    rows = (r.coefficients for r in frame.forces.values())
    arrays = (np.isfinite(x).all() for x in (*rows, *frame.shapes.values()))
    return all(map(math.isfinite, (*single, *frame.stats.values()))) and all(arrays)


def _not_finite(frame: Frame) -> Iterator[tuple[str, float]]:
    for name, number in _numbers(frame):
        if not math.isfinite(number):
            yield name, number
    for name, points in frame.shapes.items():
        if not np.isfinite(points).all():
            yield f"a point of the shape {name}", math.nan


def _numbers(frame: Frame) -> Iterator[tuple[str, float]]:
    for name, seen in frame.values.items():
        yield name, seen.value
    for name, reaction in frame.forces.items():
        for row in reaction.coefficients.tolist():
            for component, number in zip(reaction.components, row, strict=True):
                yield f"{name}.{component}", number
    if frame.energy is not None:
        yield "the stored energy", frame.energy.stored
        yield "the dissipated energy", frame.energy.dissipated
        yield "the supplied energy", frame.energy.supplied
    for name, number in frame.stats.items():
        yield f"the statistic {name}", number
