"""A window of a model that is driven alone: in pieces, where its own loads kink."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias

from bondline.core import (
    Advance,
    Breaking,
    Model,
    Pressing,
    Rejected,
    Window,
)

Alone: TypeAlias = Callable[[Any, Window], Advance[Any] | Rejected]
"""A state and a window to where they lead."""


def driven(model: Model) -> Alone:
    """How `model` is advanced under its own loads, as if it were all there is to glue.

    Pieces end at kinks, and start with the acceleration right after them. Models that
    are glued do so themselves, and know how to join forces over pieces. Asked once a
    run: to ask for a protocol takes long.
    """
    return partial(_cut if isinstance(model, Breaking) else _whole, model)


def _whole(model: Model, state: Any, window: Window) -> Advance[Any] | Rejected:
    return model.advance(state, window, {})


def _cut(model: Model, state: Any, window: Window) -> Advance[Any] | Rejected:
    """In pieces, unless the model glues."""
    from bondline.gluing import GluedState  # gluing loads scipy, which takes long

    if isinstance(state, GluedState):
        return _whole(model, state, window)
    return _in_pieces(model, state, window)


def _in_pieces(model: Any, state: Any, window: Window) -> Advance[Any] | Rejected:
    """One that is `Breaking` and glues nothing."""
    from bondline.gluing.ledger import in_a_row
    from bondline.gluing.published import breaks

    total: Advance[Any] | None = None
    for t0, t1 in pairwise([window.t0, *breaks([model], window), window.t1]):
        piece = Window(t0, t1)
        done = model.advance(_restarted(model, state, piece), piece, {})
        if isinstance(done, Rejected):
            return done
        total = done if total is None else in_a_row(total, done)
        state = done.state
    assert total is not None
    return total


def _restarted(model: Breaking, state: Any, window: Window) -> Any:
    """The state with accelerations under the load after a kink, if there is one."""
    from bondline.gluing.restarting import restart_at

    t = restart_at([model], window)
    if t is None or not isinstance(model, Pressing):
        return state
    return model.press(state, t, {}).state
