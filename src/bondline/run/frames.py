"""Frames: what a model shows at the end of an accepted window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from bondline.core import (
    Advance,
    Frame,
    Matrix,
    Model,
    Vector,
    Window,
)
from bondline.errors import NonFinite

_Group: TypeAlias = tuple[Callable[[int], str], Matrix]
"""What its numbers are called, and they."""


def look(
    model: Model, n: int, window: Window | None, t: float, advance: Advance[Any]
) -> Frame:
    """The frame of window `n`, or `NonFinite` naming the first bad number."""
    frame = Frame(
        n=n,
        window=window,
        t=t,
        values=_told(model, "observe", advance.state),
        forces=_told(model, "reactions", advance.state),
        shapes=_told(model, "shapes", advance.state),
        energy=advance.energy,
        stats=advance.stats,
        notes=advance.notes,
    )
    groups = [*_numbers(frame)]
    every = np.concatenate([numbers.ravel() for _, numbers in groups])
    if not np.isfinite(every).all():
        raise _bad(groups, f"{model.name} at t = {t:.9g} s, window {n}")
    return frame


def _told(model: Model, ability: str, state: Any) -> Mapping[str, Any]:
    """What `Observing`, `Reacting` or `Showing` tells; nothing where it cannot.

    Asked by its name, once a window: to ask for a protocol takes longer than an answer.
    """
    answer = getattr(model, ability, None)
    return {} if answer is None else answer(state)


def _bad(groups: Sequence[_Group], place: str) -> NonFinite:
    """The first number that is none, by its name."""
    named, numbers = next(g for g in groups if not np.isfinite(g[1]).all())
    k = int(np.flatnonzero(~np.isfinite(numbers))[0])
    return NonFinite(
        place,
        f"{named(k)} is {numbers.flat[k]}; it must be a finite number.",
        "The window before it is kept. Try a shorter step, or look at the "
        "parameters of the part that publishes it.",
    )


def _numbers(frame: Frame) -> Iterator[_Group]:
    """All numbers, in groups; what one is called is made up only if it is asked for."""
    yield [*frame.values].__getitem__, _row(o.value for o in frame.values.values())
    for name, reaction in frame.forces.items():
        yield partial(_force, name, reaction.components), reaction.coefficients
    if frame.energy is not None:
        e = frame.energy
        yield _ENERGIES.__getitem__, _row((e.stored, e.dissipated, e.supplied))
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
