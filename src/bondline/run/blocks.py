"""Driving a model many windows at a time: one exchange a block.

Blocks end where the number of windows since the start of the run is a multiple of
their size, where a load of the model has a kink, and at the end of the run. Every
tenth of them starts from its state alone, not from a response that was given ahead: a
run can be taken up there, to the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeGuard, runtime_checkable

from bondline.core import (
    Advance,
    Block,
    Blocked,
    BlockResponse,
    BlockTrial,
    Capabilities,
    Model,
    Rejected,
    Settling,
    Window,
)
from bondline.run.grid import Grid

AFRESH = 10  # blocks from one state that a run can be taken up from to the next

Alone: TypeAlias = Callable[[Any, int, Window], Advance[Any]]
"""A window by itself: state, number and window to an advance, or an error."""


@runtime_checkable
class Blocking(Blocked[Any], Protocol):
    """A model that can be driven in blocks, and wants to be if `block` is not 1."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do besides."""
        ...

    @property
    def block(self) -> int:
        """Windows an exchange."""
        ...

    def blockable(self, window: Window) -> bool:
        """Whether a window may be one of a block."""
        ...


def in_blocks(model: Model) -> TypeGuard[Blocking]:
    """Whether it is driven many windows at a time."""
    return isinstance(model, Blocking) and model.block > 1


class Taken(NamedTuple):
    """One accepted window, number `k` of some; a run can be taken up after it if
    `whole`."""

    window: Window
    advances: Sequence[Advance[Any]]  # which may be found when they are asked for
    k: int = 0
    whole: bool = True

    @property
    def advance(self) -> Advance[Any]:
        """What it did."""
        return self.advances[self.k]


class _Here(NamedTuple):
    """A block, the number of the window before it, and what knows the state there."""

    n: int
    windows: Sequence[Window]
    before: Callable[[], Any]
    tried: BlockTrial[Any] | None = None


@dataclass(frozen=True)
class Course:
    """A model on its way along a grid."""

    model: Blocking
    grid: Grid
    alone: Alone

    def go(self, n: int, t: float, state: Any) -> Iterator[Sequence[Taken]]:
        """All windows after number `n`, some at a time."""
        known: Callable[[], Any] = partial(_itself, state)
        while windows := self._ahead(n, t):
            for taken in self._row(_Here(n, windows, known)):
                n, t = n + len(taken), taken[-1].window.t1
                known = partial(_end, taken[-1].advances)
                yield taken

    def _ahead(self, n: int, t: float) -> list[Window]:
        """The windows of the block that starts at `t`; one, where it has a kink."""
        found: list[Window] = []
        while len(found) < self.model.block - n % self.model.block:
            window = self.grid.after(t)
            if window is None:
                break
            alike = not found or window.like(found[0])
            if not (alike and self.model.blockable(window)):
                return found or [window]
            found.append(window)
            t = window.t1
        return found

    def _row(self, here: _Here) -> Iterator[Sequence[Taken]]:
        """Blocks one after the other, while each brings the response to the next."""
        if len(here.windows) == 1:
            yield [self._single(here)]
            return
        response: BlockResponse | Rejected | None
        first = Block(here.windows, total=self.grid.count(self.grid.start))
        response = self.model.respond_block(here.before(), first)
        before: _Here | None = None
        while isinstance(response, BlockResponse):
            after = self._next(here, _nobody)
            trial = self._try(here, response, before, after)
            if isinstance(trial, Rejected):
                break
            if before is not None:
                yield _taken(before, trial.settled, whole=False)
                here = here._replace(before=partial(_end, trial.settled))
            here = here._replace(tried=trial)
            if trial.ahead is None:
                taken, response = self._settle(here, after)
                yield taken
                if response is None:
                    return
                known = partial(_end, taken[-1].advances)
                before, here = None, after._replace(before=known)
            else:
                before, here, response = here, after, trial.ahead
        if before is not None:
            taken, _ = self._settle(before, self._next(before, _nobody))
            yield [t._replace(whole=False) for t in taken]
            here = here._replace(before=partial(_end, taken[-1].advances))
        yield from self._smaller(here)

    def _next(self, here: _Here, known: Callable[[], Any]) -> _Here:
        n = here.n + len(here.windows)
        return _Here(n, self._ahead(n, here.windows[-1].t1), known)

    def _try(
        self, here: _Here, response: BlockResponse, before: _Here | None, after: _Here
    ) -> BlockTrial[Any] | Rejected:
        """One exchange: the block before is settled, this one tried, the next asked."""
        fresh = (after.n // self.model.block) % AFRESH == 0
        ahead = None if fresh or len(after.windows) < 2 else Block(after.windows)
        word = None
        if before is not None and before.tried is not None:
            word = Settling(before.tried, ())
        return self.model.try_block(response, (), ahead, word)

    def _settle(
        self, here: _Here, after: _Here
    ) -> tuple[Sequence[Taken], BlockResponse | None]:
        """The last word on a block, and the response to the next one from its end."""
        ahead = Block(after.windows) if len(after.windows) > 1 else None
        assert here.tried is not None
        done = self.model.settle_block(Settling(here.tried, ()), ahead)
        if isinstance(done, Rejected):
            return self._singles(here), None
        return _taken(here, done.advances), done.ahead

    def _smaller(self, here: _Here) -> Iterator[Sequence[Taken]]:
        """Half of a block that could not be taken as a whole."""
        half = here._replace(windows=here.windows[: len(here.windows) // 2])
        yield from self._row(half)

    def _single(self, here: _Here) -> Taken:
        """A window by itself, and how often the parts were asked for it."""
        done = self.alone(here.before(), here.n + 1, here.windows[0])
        stats, linear = done.stats, self.model.capabilities.linear
        asked = max(1.0, stats.get("iterations", 1.0))  # the last goes along with more
        if not linear:
            asked += 1.0 + stats.get("builds", 0.0)
        counted = replace(done, stats={**stats, "exchanges": asked})
        return Taken(here.windows[0], [counted])

    def _singles(self, here: _Here) -> list[Taken]:
        taken: list[Taken] = []
        known = here.before
        for k, window in enumerate(here.windows):
            taken.append(self._single(_Here(here.n + k, [window], known)))
            known = partial(_end, taken[-1].advances)
        return taken


def _itself(state: Any) -> Any:
    return state


def _end(advances: Sequence[Advance[Any]]) -> Any:
    """The state after the last of them."""
    return advances[-1].state


def _nobody() -> Any:
    raise AssertionError("nobody knows the state before a block that is only foretold")


def _taken(
    here: _Here, advances: Sequence[Advance[Any]], whole: bool = True
) -> list[Taken]:
    """Inside a block a run cannot be taken up: it would take other blocks."""
    last = len(advances) - 1
    each = range(last + 1)
    return [Taken(here.windows[k], advances, k, whole and k == last) for k in each]
