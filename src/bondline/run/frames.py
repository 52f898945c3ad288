"""Frames: what a model shows at the end of an accepted window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np

from bondline.core import (
    Advance,
    Frame,
    Matrix,
    Model,
    Observation,
    Observing,
    Reacting,
    Reaction,
    Showing,
    Vector,
    Window,
)
from bondline.errors import NonFinite

T = TypeVar("T")
_Told: TypeAlias = Callable[[Any], Mapping[str, T]]
"""What is told of a state, by name."""
_Group: TypeAlias = tuple[Callable[[int], str], Matrix]
"""What its numbers are called, and they."""


@dataclass(frozen=True, slots=True)
class View:
    """What a model shows of its states: asked for once, for all windows.

    To ask for a protocol takes longer than most answers.
    """

    name: str
    observe: _Told[Observation]
    reactions: _Told[Reaction]
    shapes: _Told[Matrix]

    @classmethod
    def of(cls, model: Model) -> View:
        """Of a model, which may show nothing."""
        return cls(
            model.name,
            model.observe if isinstance(model, Observing) else _nothing,
            model.reactions if isinstance(model, Reacting) else _nothing,
            model.shapes if isinstance(model, Showing) else _nothing,
        )

    def frame(
        self, n: int, window: Window | None, t: float, advance: Advance[Any]
    ) -> Frame:
        """The frame of window `n`, or `NonFinite` naming the first bad number."""
        frame = Frame(
            n=n,
            window=window,
            t=t,
            values=self.observe(advance.state),
            forces=self.reactions(advance.state),
            shapes=self.shapes(advance.state),
            energy=advance.energy,
            stats=advance.stats,
            notes=advance.notes,
        )
        groups = [*_numbers(frame)]
        every = np.concatenate([numbers.ravel() for _, numbers in groups])
        if not np.isfinite(every).all():
            raise _bad(groups, f"{self.name} at t = {t:.9g} s, window {n}")
        return frame


def look(
    model: Model, n: int, window: Window | None, t: float, advance: Advance[Any]
) -> Frame:
    """One frame of a model that is looked at once."""
    return View.of(model).frame(n, window, t, advance)


def _nothing(state: Any) -> Mapping[str, Any]:
    """What a model shows that does not show such things."""
    return {}


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
