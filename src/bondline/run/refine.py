"""Refine: repeat a run with shorter windows, and estimate its error (Richardson).

With y(h) = y + c hᵖ + …, two grids give the error only if p is known; three give p:

    p = log₂ (‖y(h) − y(h/2)‖ / ‖y(h/2) − y(h/4)‖)                                (1)
    ‖y(h) − y‖ ≈ ‖y(h) − y(h/2)‖ · 2ᵖ / (2ᵖ − 1)                                  (2)

with the largest difference over the instants of the coarse grid. This wants windows
that are halved all over: windows that choose their own length follow the error, not h.

A joint's force is a vector: a component is judged beside the whole of it, and not at
all where it differs by no more than tolerances leave of the largest force of the run.
It belongs to a window; at both ends of a run there is one window only to tell it from,
and these instants are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from bondline.core import Frame, Model, Vector
from bondline.errors import Interrupted, UsageError
from bondline.run.certificate import with_refined
from bondline.run.quality import Certificate
from bondline.run.refined import TINY, Order, Refined
from bondline.run.results import Results
from bondline.run.scales import SMALL, Scale, scales
from bondline.run.signals import gather
from bondline.run.simulate import simulate
from bondline.run.store import Run
from bondline.run.writer import writing

Stopped: TypeAlias = Callable[[], bool]
Progress: TypeAlias = Callable[[Frame], None]

GRIDS = (2, 4)
_ROUND_OFF = 1e-12  # of the largest value: differences below are no error


@dataclass(slots=True)
class _Numbers:
    """Keeps frames without their shapes."""

    frames: list[Frame] = field(default_factory=list)

    def write(self, frame: Frame, state: Any) -> None:
        self.frames.append(replace(frame, shapes={}))


def refine_run(
    run: Run,
    model: Model,
    stopped: Stopped | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Repeat a finished run on two finer grids; the certificate it has from then on.

    Costs six times the run.
    """
    if not run.certificate:
        raise UsageError(
            run.id,
            "the run has not reached its end, so there is nothing to certify.",
            f"Finish it first: bondline run --resume {run.id}",
        )
    facts = run.facts
    grid = (facts["start"], facts["step"])
    try:
        found = refine(model, run.results(shapes=False), grid, stopped, progress)
    except (Interrupted, KeyboardInterrupt):
        raise _halted(run) from None
    certificate = with_refined(Certificate.of(run.certificate), found)
    with writing(run, model) as writer:
        writer.certify(certificate.dump())
    return certificate


def refine(
    model: Model,
    coarse: Results,
    grid: tuple[float, float],
    stopped: Stopped | None = None,
    progress: Progress | None = None,
) -> Refined:
    """Order and error of every signal of `coarse`, a run on the `grid` (start, h).

    `progress` sees every window of both finer runs, numbered through.
    """
    require_fixed_windows(model)
    (start, step), until = grid, float(coarse.t[-1])
    finer, joints = list[Results](), tuple[str, ...]()
    for pieces in GRIDS:
        kept, done = _Numbers(), sum(len(one.t) - 1 for one in finer)
        simulate(
            model,
            until,
            step / pieces,
            start=start,
            record=kept,
            progress=progress and _numbered(progress, done),
            stopped=stopped,
        )
        finer.append(gather(kept.frames))
        joints = tuple(kept.frames[-1].forces)
    beside = scales(coarse, joints)
    orders = [
        _order(name, (coarse, *finer), beside(name))
        for name in coarse.signals
        if all(name in one.signals for one in finer)
    ]
    return Refined(step, tuple(orders), exchanged(model))


def require_fixed_windows(model: Model) -> None:
    """Refuse a model that chooses windows by itself, at any level: h says nothing."""
    for where in _paced(model, model.name):
        raise UsageError(
            f"certify {where}",
            "it chooses its windows by the error it allows (adaptive), so windows of "
            "h, h/2 and h/4 of the outside tell no order.",
            "Run it without --adaptive (adaptive in the model file) and certify that, "
            "or compare two runs with different tolerances: --adaptive 1e-6, 1e-7.",
        )


def _paced(model: Any, name: str) -> Iterator[str]:
    if getattr(model, "pace", None) is not None:
        yield name
    for part, inner in getattr(model, "parts", {}).items():
        yield from _paced(inner, f"{name}.{part}")


def _numbered(progress: Progress, done: int) -> Progress:
    return lambda frame: progress(replace(frame, n=done + frame.n))


def _halted(run: Run) -> Interrupted:
    return Interrupted(
        f"certify {run.id}",
        "stopped on request; the run is whole and as it was, without orders and "
        "errors: shorter windows are not kept.",
        f"Certify it from the beginning: bondline certify {run.id}",
    )


def exchanged(model: Any) -> int | None:
    """The order that signals between parts allow, at any level; None without any.

    Held over a window they are of order 1, iterated of order 2.
    """
    every = [exchanged(inner) for inner in getattr(model, "parts", {}).values()]
    if getattr(model, "wires", ()):
        every.append(2 if model.signals == "iterated" else 1)
    return min((order for order in every if order is not None), default=None)


def _order(name: str, grids: Sequence[Results], beside: Scale) -> Order:
    one = grids[0]
    inner = slice(1, -1) if beside.inner and len(one.t) > 3 else slice(None)
    y = [_at(result, name, one.t)[inner] for result in grids]
    unit = one.units.get(name, "")
    largest, first, second = (
        float(np.abs(values).max(initial=0.0))
        for values in (y, y[0] - y[1], y[1] - y[2])
    )
    if largest <= SMALL * beside.peak or max(first, second) <= beside.noise:
        return Order(name, unit, None, max(first, second), beside.peak)
    largest = max(largest, beside.whole)
    least = _ROUND_OFF * largest
    if max(first, second) <= least:
        return Order(name, unit, None, max(first, second), largest)
    order = math.log2(max(first, least) / max(second, least))
    if order <= 0.5 and max(first, second) <= TINY * largest:
        return Order(name, unit, None, max(first, second), largest)
    if order <= 0.5:
        return Order(name, unit, order, max(first, second), largest)
    return Order(name, unit, order, first / (1.0 - 0.5**order), largest)


def _at(results: Results, name: str, t: Vector) -> Vector:
    """The values at the instants of the coarse grid; both are exact to round-off."""
    after = np.searchsorted(results.t, t).clip(1, len(results.t) - 1)
    nearer = np.abs(results.t[after - 1] - t) < np.abs(results.t[after] - t)
    values: Vector = results.signals[name][np.where(nearer, after - 1, after)]
    return values
