"""Frames: what a model shows at the end of an accepted window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple
from functools import partial
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Frame,
    Matrix,
    Model,
    Observing,
    Reacting,
    Showing,
    Vector,
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
    for named, numbers in _numbers(frame):
        for k in np.flatnonzero(~np.isfinite(numbers)):
            raise NonFinite(
                f"{model.name} at t = {t:.9g} s, window {n}",
                f"{named(int(k))} is {numbers.flat[k]}; it must be a finite number.",
                "The window before it is kept. Try a shorter step, or look at the "
                "parameters of the part that publishes it.",
            )
    return frame


def _numbers(frame: Frame) -> Iterator[tuple[Callable[[int], str], Matrix]]:
    """All numbers, in groups; what one is called is made up only if it is asked for."""
    yield [*frame.values].__getitem__, _row(o.value for o in frame.values.values())
    for name, reaction in frame.forces.items():
        yield partial(_force, name, reaction.components), reaction.coefficients
    if frame.energy is not None:
        yield _ENERGIES.__getitem__, _row(astuple(frame.energy))
    yield partial(_statistic, [*frame.stats]), _row(frame.stats.values())
    for name, points in frame.shapes.items():
        yield partial(_point, name), points


_ENERGIES = ("the stored energy", "the dissipated energy", "the supplied energy")


def _row(numbers: Iterable[float]) -> Vector:
    return np.fromiter(numbers, dtype=np.float64)


def _force(joint: str, components: Sequence[str], k: int) -> str:
    return f"{joint}.{components[k % len(components)]}"


def _statistic(names: Sequence[str], k: int) -> str:
    return f"the statistic {names[k]}"


def _point(shape: str, k: int) -> str:
    return f"a point of the shape {shape}"
