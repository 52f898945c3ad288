"""Who hears of the windows of a run: a recorder, and whoever watches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from bondline.core import Frame, Model, Recorder, Waiting
from bondline.run.blocks import Taken
from bondline.run.frames import View
from bondline.wire.turns import in_turns


@runtime_checkable
class Flushing(Protocol):
    """A recorder that holds frames back, and can be told to put them away."""

    def flush(self) -> None:
        """Make everything written so far durable."""
        ...


@runtime_checkable
class Holding(Protocol):
    """A recorder that makes checkpoints, and can be told where not to."""

    def hold(self, frame: Frame, state: Any) -> None:
        """Take a frame from whose state a run cannot be taken up to the same bits."""
        ...


@dataclass(slots=True)
class Audience:
    """Who hears of accepted windows; those that are `due` were not told yet.

    Where a window waits for others far away, it is asked for before the last one is
    told: what takes time here takes it while they compute.
    """

    model: Model
    record: Recorder | None
    progress: Callable[[Frame], None] | None
    n: int = 0  # windows that were told
    due: deque[Taken] = field(default_factory=deque)
    noted: tuple[str, ...] = ()  # to be told with the next window
    view: View = field(init=False)
    _waits: bool = field(init=False)
    _holding: Holding | None = field(init=False)

    def __post_init__(self) -> None:
        self.view = View.of(self.model)
        self._waits = isinstance(self.model, Waiting) and self.model.waits
        # asked once: such a question takes as long as to record a small window
        self._holding = self.record if isinstance(self.record, Holding) else None

    def take(self, go: Callable[[], Sequence[Taken]]) -> Sequence[Taken]:
        """What `go` gives; told at once, unless others far away were waited for."""
        taken = self._meanwhile(go) if self._waits else go()
        self.due.extend(taken)
        if not self._waits:
            self.tell()
        return taken

    def _meanwhile(self, go: Callable[[], Sequence[Taken]]) -> Sequence[Taken]:
        """What `go` gives; while it waits, what is due is told, and fails first."""

        def attempt() -> Sequence[Taken] | Exception:
            try:
                return go()
            except Exception as error:
                return error

        taken, _ = in_turns([attempt, self.tell])
        if isinstance(taken, Exception):
            raise taken
        return taken or ()

    def tell(self) -> None:
        """Those that are due."""
        while self.due:
            taken = self.due[0]
            window, advance, whole = taken.window, taken.advance, taken.whole
            if self.noted:
                advance = replace(advance, notes=(*self.noted, *advance.notes))
            frame = self.view.frame(self.n + 1, window, window.t1, advance)
            self.due.popleft()  # none is told twice, not even one that was half told
            self.n, self.noted = self.n + 1, ()
            self.write(frame, advance.state, whole)

    def write(self, frame: Frame, state: Any, whole: bool = True) -> None:
        """One frame, to all of them."""
        if not whole and self._holding is not None:
            self._holding.hold(frame, state)
        elif self.record is not None:
            self.record.write(frame, state)
        if self.progress is not None:
            self.progress(frame)

    def flush(self) -> None:
        """Tell what is due, and have it put away."""
        self.tell()
        if isinstance(self.record, Flushing):
            self.record.flush()
