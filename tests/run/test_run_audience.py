"""Laws of the audience: every accepted window is told once, in order, by what is known.

What a model can do is asked once a run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from run_models import Breaking, Swing

from bondline.core import Frame, Window
from bondline.errors import NonFinite
from bondline.run import Keep, simulate
from bondline.run.audience import Audience
from bondline.run.blocks import Taken

H = 0.1


class Fickle(Swing):
    """Says that it waits for others the first so many times it is asked."""

    def __init__(self, times: int) -> None:
        super().__init__()
        vars(self)["left"] = times

    @property
    def waits(self) -> bool:
        vars(self)["left"] -= 1
        return vars(self)["left"] >= 0


class Interrupted(Keep):
    """Somebody does not want to wait while that window is recorded."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def write(self, frame: Frame, state: Any) -> None:
        if frame.n == self.at:
            raise KeyboardInterrupt
        super().write(frame, state)


def windows(model: Any, first: int, count: int) -> list[Taken]:
    """So many of them, each from the start: nobody looks that closely."""
    ends = [Window((k - 1) * H, k * H) for k in range(first, first + count)]
    state = model.start(0.0).state
    return [Taken(w, [model.advance(state, w, {})]) for w in ends]


def given(taken: list[Taken]) -> Callable[[], list[Taken]]:
    return lambda: taken


def told(tell: Audience, taken: list[Taken]) -> None:
    tell.take(given(taken))
    tell.flush()


@pytest.mark.parametrize("times", range(6))
def test_every_window_is_told_once_and_in_order(times: int) -> None:
    """Also if a model changes its mind on whether it waits, which it must not."""
    keep = Keep()
    simulate(Fickle(times), 6 * H, H, record=keep)
    assert [f.n for f in keep.frames] == [*range(7)]


@pytest.mark.parametrize("waits", [0, 100])
def test_an_interruption_drops_no_window_that_can_still_be_told(waits: int) -> None:
    model, keep = Fickle(waits), Interrupted(2)
    tell = Audience(model, keep, None)
    with pytest.raises(KeyboardInterrupt):
        told(tell, windows(model, 1, 4))
    assert [f.n for f in keep.frames] == [1]
    told(tell, windows(model, 5, 2))
    assert [f.n for f in keep.frames] == [1, 3, 4, 5, 6], "and none twice"


def test_nothing_is_told_after_a_window_that_cannot_be() -> None:
    model, keep = Breaking(2.5 * H, value=float("nan")), Keep()
    tell = Audience(model, keep, None)
    for _ in range(2):
        with pytest.raises(NonFinite, match="window 3"):
            tell.take(given(windows(model, 1, 4)))
    assert [f.n for f in keep.frames] == [1, 2]


ABILITIES = ("observe", "reactions", "shapes", "waits", "breaks")


def test_what_a_model_can_do_is_asked_once_a_run() -> None:
    asked: list[str] = []

    class Counted(Swing):
        waits = False

        def __getattribute__(self, name: str) -> Any:
            asked.append(name)
            return super().__getattribute__(name)

    def times(count: int) -> dict[str, int]:
        asked.clear()
        simulate(Counted(), count * H, H, record=Keep())
        every = Counter(asked)
        return {name: every[name] for name in ABILITIES}

    assert times(20) == times(2)
    assert all(times(2).values())
