"""Trials: a few windows with another solver or scheme, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from bondline.core import Rejected, Window, uniform
from bondline.errors import BondlineError
from bondline.gluing.adviser.advice import Section
from bondline.gluing.adviser.scale import travel
from bondline.gluing.couplings.tt import TT
from bondline.gluing.estimates import apart, embedded
from bondline.gluing.integrated import IntegratedModel
from bondline.gluing.solvers.choose import Solver, choose_solver
from bondline.gluing.state import GluedState

OTHERS: Mapping[str, Callable[..., Solver]] = {
    "newton, carried by Broyden": partial(choose_solver, "newton"),
    "newton, built in each window": partial(
        choose_solver, "newton", refresh="window", update="none"
    ),
    "IQN-ILS": partial(choose_solver, "iqn-ils"),
    "Anderson": partial(choose_solver, "anderson"),
    "Aitken": partial(choose_solver, "aitken"),
}


@dataclass(frozen=True)
class Trial:
    """Mean counts of some windows, and the largest estimated error of one of them.

    `first` is what the first window took, with a gluing matrix to be built; the other
    counts leave it out. `error` is a length, `order` the power of h it goes with;
    `travel` is how far a glued port got from its start, `took` the time of it all.
    """

    first: float
    iterations: float
    solves: float
    error: float
    order: int
    travel: float = 0.0
    took: float = 0.0  # s
    goes_on: bool = False  # no port has turned back


def attempt(model: IntegratedModel, window: Window, windows: int) -> Trial | str:
    """What the model does over some windows; or why it does not."""
    try:
        return _attempt(replace(model, pace=None), window, windows)
    except BondlineError as error:
        return error.finding


def _attempt(model: IntegratedModel, window: Window, windows: int) -> Trial | str:
    first: GluedState = model.start(window.t0).state
    state, counts, errors, way = first, [], [], [0.0]
    order = 3
    for n in range(windows):
        now = uniform(window.t0, window.h, n)
        done = model.advance(state, now, {})
        if isinstance(done, Rejected):
            return done.error.finding if done.error else done.reason
        error, order = _error(model, state, done.state, now)
        errors.append(error)
        way.append(travel(model.assembly, first, done.state))
        counts.append((done.stats["iterations"], done.stats["solves"]))
        state = done.state
    iterations, solves = np.mean(counts[1:] or counts, axis=0).tolist()
    price, took = float(counts[0][1]), windows * window.h
    far, on = max(way), way[-1] == max(way)
    return Trial(price, iterations, solves, max(errors), order, far, took, on)


def _error(
    model: IntegratedModel, before: GluedState, after: GluedState, window: Window
) -> tuple[float, int]:
    """The scheme's own estimate; else the window again, in two halves."""
    own = embedded(model.coupling.scheme) if isinstance(model.coupling, TT) else None
    # the gap of a joint that gives way is its travel, and no error
    if own is not None and model.assembly.compliant is None:
        found = own(model.assembly, before.motions, after.motions, window.h)
        return found, own.order
    state = before
    for half in window.split(2):
        done = model.advance(state, half, {})
        if isinstance(done, Rejected):
            return 0.0, 3
        state = done.state
    return apart(after.motions, state.motions, window.h), 3


def solvers(model: IntegratedModel, window: Window, windows: int) -> Section:
    """Iterations and leaf solves a window with each interface solver."""
    rows: list[tuple[str, float | None, float | None, str]] = []
    tolerance = model.solver.tolerance
    same = {"tolerance": tolerance} if np.isfinite(tolerance) else {}
    others = {name: make(**same) for name, make in OTHERS.items()}
    for name, solver in {"as it is": model.solver, **others}.items():
        found = attempt(replace(model, solver=solver), window, windows)
        if isinstance(found, str):
            rows.append((name, None, None, found))
        else:
            rows.append((name, found.iterations, found.solves, ""))
    known = [(solves, name) for name, _, solves, _ in rows if solves is not None]
    words = ("No solver gets over the first windows.",)
    if known:
        least, name = min(known, key=lambda pair: pair[0])
        words = (f"Fewest leaf solves a window: {name} ({least:.3g}).",)
    head = ("solver", "iterations", "leaf solves", "")
    return Section("Solvers", words, head, tuple(rows), not known)
