"""Refine: repeat a run with shorter windows, and estimate its error (Richardson).

With y(h) = y + c hᵖ + …, two grids give the error only if p is known; three give p:

    p = log₂ (‖y(h) − y(h/2)‖ / ‖y(h/2) − y(h/4)‖)                                (1)
    ‖y(h) − y‖ ≈ ‖y(h) − y(h/2)‖ · 2ᵖ / (2ᵖ − 1)                                  (2)

with the largest difference over the instants of the coarse grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bondline.core import Frame, Model, Vector
from bondline.errors import UsageError
from bondline.run.certificate import with_refined
from bondline.run.quality import Certificate
from bondline.run.refined import Order, Refined
from bondline.run.results import Results
from bondline.run.signals import gather
from bondline.run.simulate import simulate
from bondline.run.store import Run
from bondline.run.writer import writing

GRIDS = (2, 4)
_ROUND_OFF = 1e-12  # of the largest value: differences below are no error


@dataclass(slots=True)
class _Numbers:
    """Keeps frames without their shapes."""

    frames: list[Frame] = field(default_factory=list)

    def write(self, frame: Frame, state: Any) -> None:
        self.frames.append(replace(frame, shapes={}))


def refine_run(
    run: Run, model: Model, stopped: Callable[[], bool] | None = None
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
    found = refine(model, run.results(shapes=False), grid, stopped)
    certificate = with_refined(Certificate.of(run.certificate), found)
    with writing(run, model) as writer:
        writer.certify(certificate.dump())
    return certificate


def refine(
    model: Model,
    coarse: Results,
    grid: tuple[float, float],
    stopped: Callable[[], bool] | None = None,
) -> Refined:
    """Order and error of every signal of `coarse`, a run on the `grid` (start, h)."""
    (start, step), until = grid, float(coarse.t[-1])
    finer = []
    for pieces in GRIDS:
        kept = _Numbers()
        simulate(model, until, step / pieces, start=start, record=kept, stopped=stopped)
        finer.append(gather(kept.frames))
    orders = [
        _order(name, coarse, *finer)
        for name in coarse.signals
        if all(name in one.signals for one in finer)
    ]
    return Refined(step, tuple(orders))


def _order(name: str, one: Results, two: Results, four: Results) -> Order:
    y = [_at(result, name, one.t) for result in (one, two, four)]
    largest = float(np.abs(y[0]).max(initial=0.0))
    first = float(np.abs(y[0] - y[1]).max(initial=0.0))
    second = float(np.abs(y[1] - y[2]).max(initial=0.0))
    unit = one.units.get(name, "")
    if min(first, second) <= _ROUND_OFF * largest:
        return Order(name, unit, None, first, largest)
    order = math.log2(first / second)
    share = 2.0**order / (2.0**order - 1.0) if order > 0.5 else 1.0
    return Order(name, unit, order, first * share, largest)


def _at(results: Results, name: str, t: Vector) -> Vector:
    """The values at the instants of the coarse grid; both are exact to round-off."""
    after = np.searchsorted(results.t, t).clip(1, len(results.t) - 1)
    nearer = np.abs(results.t[after - 1] - t) < np.abs(results.t[after] - t)
    values: Vector = results.signals[name][np.where(nearer, after - 1, after)]
    return values
