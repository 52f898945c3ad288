"""Where an assembly starts: parts that can be moved are put where their joints say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Assembly,
    Connection,
    Matrix,
    Motion,
    Placing,
    Vector,
)
from bondline.gluing.closing import close_all, is_closed, least, moved
from bondline.gluing.gaps import motion_of

_MOST = 30  # steps of Gauss and Newton


def place_parts(
    assembly: Assembly, starts: Mapping[str, Advance[Any]]
) -> dict[str, Advance[Any]]:
    """Starts with as many joints closed as moving whole parts can close.

    Parts that cannot be moved stay; movable ones follow, joint by joint, each by the
    smallest change of position and turn, then of velocity and spin. Where nothing is
    held, the first end of the first joint stays: the order of parts means nothing. A
    part that already fits is left as it is. Gaps that are left, in closed loops, are
    closed by the smallest change of all movable parts together, if that closes them.
    """
    parts, found = assembly.parts, dict(starts)
    settled = {n for n, part in parts.items() if not isinstance(part, Placing)}
    waiting = list(assembly.connections)
    while waiting:
        c = next(
            (c for c in waiting if any(e.part in settled for e in c.ends)), waiting[0]
        )
        waiting.remove(c)
        if not any(e.part in settled for e in c.ends):
            settled.add(c.ends[0].part)
        for k in _order(c, settled):
            part = c.ends[k].part
            found[part] = _Follower(c, k, found, settled).placed(parts[part])
            settled.add(part)
    rigid = [c for c in assembly.connections if c.law is None]
    return found if is_closed(rigid, found) else close_all(assembly, rigid, found)


def _order(c: Connection, settled: set[str]) -> Sequence[int]:
    """Ends whose parts are not settled: the last first, all others meet it."""
    waiting = [k for k, e in enumerate(c.ends) if e.part not in settled]
    last = len(c.ends) - 1
    return sorted(waiting, key=lambda k: k != last)


@dataclass(frozen=True)
class _Follower:
    """One end of a joint whose part is moved so that the joint closes."""

    c: Connection
    k: int
    starts: Mapping[str, Advance[Any]]
    settled: set[str]

    def placed(self, part: Any) -> Advance[Any]:
        """The part where its joint is, as near to where it was as can be."""
        now = self.starts[self.c.ends[self.k].part]
        if self.c.law is not None:  # its gap is a state, not a mistake
            return now
        rows = self._rows()
        if not any(level[rows].any() for level in self._gap(now)):
            return now
        return self._copied(part, now, rows) or self._fitted(part, now, rows)

    def _copied(
        self, part: Any, now: Advance[Any], rows: NDArray[np.bool_]
    ) -> Advance[Any] | None:
        """Put where a settled end is, to the last bit, if that is all it takes."""
        here = self._motions(now)[self.k]
        for e in self.c.ends:
            there = motion_of(self.starts, e)
            if e.part in self.settled and self.c.constant and _alike(here, there):
                at = Motion(there.x, there.v[: len(there.x)])
                done = self._put(part, now, at)
                if not any(level[rows].any() for level in self._gap(done)):
                    return done
        return None

    def _fitted(
        self, part: Any, now: Advance[Any], rows: NDArray[np.bool_]
    ) -> Advance[Any]:
        """Closed step by step: position and turn first, then velocity and spin."""
        done = now
        for _ in range(_MOST):
            e = self._gap(done)[0][rows]
            if not e.any() or np.abs(e).max() <= 1e-15 * _size(self._motions(done)):
                break
            change = _least(self._B(done)[rows], e)
            done = self._put(part, done, moved(self._motions(done)[self.k], change))
        here = self._motions(done)[self.k]
        change = _least(self._B(done)[rows], self._gap(done)[1][rows])
        return self._put(part, done, Motion(here.x, here.v + change, None, here.turn))

    def _put(self, part: Any, now: Advance[Any], at: Motion) -> Advance[Any]:
        done: Advance[Any] = part.place(now.state, self.c.ends[self.k].port, at)
        return done

    def _motions(self, now: Advance[Any]) -> list[Motion]:
        own = self.c.ends[self.k].part
        every = {**self.starts, own: now}
        return [motion_of(every, e) for e in self.c.ends]

    def _gap(self, now: Advance[Any]) -> tuple[Vector, Vector]:
        return self.c.gap(self._motions(now))[:2]

    def _B(self, now: Advance[Any]) -> Matrix:
        return self.c.jacobian(self._motions(now))[self.k]

    def _rows(self) -> NDArray[np.bool_]:
        """Conditions that speak of this end and settled ones only."""
        own = self.c.ends[self.k].part
        each = self.c.jacobian(self._motions(self.starts[own]))
        others = [
            np.abs(B).max(axis=1, initial=0.0)
            for e, B in zip(self.c.ends, each, strict=True)
            if e.part not in self.settled and e.part != own
        ]
        found: NDArray[np.bool_] = np.sum(others, axis=0) == 0.0
        return found if others else np.ones(len(self.c.components), dtype=np.bool_)


def _alike(one: Motion, two: Motion) -> bool:
    return one.x.shape == two.x.shape


def _least(B: Matrix, e: Vector) -> Vector:
    """The smallest change that closes e."""
    return least(B, -e, 1e-12)


def _size(motions: Sequence[Motion]) -> float:
    return max(1.0, *(float(np.abs(m.x).max(initial=0.0)) for m in motions))
