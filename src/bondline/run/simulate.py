"""Simulate: drive a model through time, one window after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from bondline.core import (
    Advance,
    Frame,
    Guarding,
    Model,
    Recorder,
    Rejected,
    Window,
)
from bondline.errors import Interrupted, LeafFailed, NotAllowed
from bondline.run import pieces
from bondline.run.audience import Audience
from bondline.run.blocks import Course, Taken, in_blocks
from bondline.run.grid import Grid

Resume: TypeAlias = tuple[int, float, Any]
"""Where to go on: number and end of the last accepted window, and the state there."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a simulation ended; `silent` are parts that last said no energy."""

    windows: int
    t: float
    state: Any
    silent: tuple[str, ...] = ()


def simulate(  # noqa: PLR0913 - the verb of the package: each is asked for by name
    model: Model,
    until: float,
    step: float,
    *,
    start: float = 0.0,
    record: Recorder | None = None,
    progress: Callable[[Frame], None] | None = None,
    stopped: Callable[[], bool] | None = None,
    resume: Resume | None = None,
) -> Outcome:
    """Advance `model` from `start` to `until` in windows of `step` seconds.

    `record` receives the start as frame 0, then one frame per accepted window;
    `progress` sees the same frames. `stopped` is asked between windows: once it says
    yes, the recorder is flushed and `Interrupted` is raised; a block of windows that
    was begun is finished first. With `resume` neither
    the start nor the windows before it are recorded again. Inside, a window is cut
    where a load of the model has a kink.
    """
    grid = Grid(start, step, until)
    tell = Audience(model, record, progress)
    n, t, state = resume or _begin(model, start, tell)
    tell.n = n
    first = grid.after(t)
    if first and not n:
        tell.noted = _guarded(model, state, first)
    last: Taken | None = None
    course = _course(model, grid, n, t, state)
    while grid.after(t):
        if stopped is not None and stopped():
            tell.flush()
            raise _interrupted(model, tell.n, t, grid)
        last = tell.take(partial(next, course))[-1]
        t = last.window.t1
    tell.flush()
    if last is None:
        return Outcome(tell.n, t, state)
    return Outcome(tell.n, t, last.advance.state, last.advance.silent)


def _course(
    model: Model, grid: Grid, n: int, t: float, state: Any
) -> Iterator[Sequence[Taken]]:
    """All windows that are left: one at a time, or in blocks if the model wants so."""
    alone = partial(_advance, model, pieces.driven(model))
    if in_blocks(model):
        yield from Course(model, grid, alone).go(n, t, state)
        return
    while window := grid.after(t):
        n, t = n + 1, window.t1
        advance = alone(state, n, window)
        state = advance.state
        yield [Taken(window, [advance])]


def _begin(model: Model, start: float, tell: Audience) -> Resume:
    advance = model.start(start)
    tell.write(tell.view.frame(0, None, start, advance), advance.state)
    return 0, start, advance.state


def _guarded(model: Model, state: Any, window: Window) -> tuple[str, ...]:
    """What the model has against such windows; a resumed run was asked already."""
    if not isinstance(model, Guarding):
        return ()
    try:
        return tuple(model.guard(state, window))
    except NotAllowed as no:  # windows that the run itself may never ask for
        raise NotAllowed(
            no.place,
            f"{no.finding} It was asked before the first window, in a trial of whether "
            f"steps of {window.h:.3g} s are stable: that takes shorter ones, too.",
            no.remedy,
        ) from no


def _advance(
    model: Model, alone: pieces.Alone, state: Any, n: int, window: Window
) -> Advance[Any]:
    answer = alone(state, window)
    if isinstance(answer, Rejected):
        raise answer.error or _failed(model, answer, n, window)
    return answer


def _failed(model: Model, no: Rejected, n: int, window: Window) -> LeafFailed:
    inside = no.model.partition(".")[0] == model.name
    who = no.model if inside else f"{model.name}, part {no.model}"
    shorter = None if no.until is None else no.until - window.t0
    if shorter is not None and 0.0 < shorter < window.h:
        remedy = (
            f"A window that ends at t = {no.until:.9g} s might work: "
            f"try --step {shorter:.3g} or less."
        )
    else:
        remedy = f"Try a shorter step: --step {0.5 * window.h:.3g}."
    return LeafFailed(
        f"{who} at t = {window.t0:.9g} s, window {n} (to t = {window.t1:.9g} s)",
        no.reason if no.reason.endswith(".") else f"{no.reason}.",
        remedy,
    )


def _interrupted(model: Model, n: int, t: float, grid: Grid) -> Interrupted:
    return Interrupted(
        f"{model.name} at t = {t:.9g} s",
        f"stopped on request after window {n} of {n + grid.count(t)}; "
        "every finished window is kept.",
        "Resume the run to continue to the same bits.",
    )
