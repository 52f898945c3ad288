"""A window of a model that is driven alone: in pieces, where its own loads kink."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from bondline.core import (
    Advance,
    Breaking,
    Model,
    Pressing,
    Rejected,
    Window,
)


def advance(model: Model, state: Any, window: Window) -> Advance[Any] | Rejected:
    """The window under the model's own loads, as if it were the only part of a glue.

    Pieces end at kinks, and start with the acceleration right after them. Models that
    are glued do so themselves, and know how to join forces over pieces.
    """
    if not hasattr(model, "breaks"):  # `Breaking`, asked once a window
        return model.advance(state, window, {})
    from bondline.gluing import GluedState  # gluing loads scipy, which takes long

    if isinstance(state, GluedState):
        return model.advance(state, window, {})
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
