"""The windows of a block that is settled, taken stock of one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    InterfaceSolution,
    Motions,
    PortRef,
    Rejected,
    Sweep,
    There,
    Window,
)
from bondline.gluing.blocks.telling import Many, Seen, Telling
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.solvers.gluing_matrix import GluingMatrix
from bondline.gluing.state import GluedState

_CLOSE = 1e-9  # as in `superposing`: what may be left of a gap, relative to the motion


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The unknowns of a block and how they were found."""

    Z: Many
    Lam: GluingMatrix
    norms: Sequence[Many]  # of the residuals, by correction and window
    price: int  # solves for H, if that is new
    exchanges: int  # but for those of the start-up


@dataclass(frozen=True, eq=False)
class Stock:
    """What there is to know of a block that was settled."""

    telling: Telling
    windows: Sequence[Window]
    done: Mapping[str, Sequence[Advance[Any]]]
    found: Found
    seen: Seen
    residuals: Many

    @property
    def closed(self) -> bool:
        """Whether no window leaves more of the gaps than is asked for at least."""
        left = np.linalg.norm(self.residuals, axis=1)
        return bool((left <= self.telling.inner.solver.tolerance).all())

    @property
    def motions(self) -> Motions[PortRef] | None:
        """Where all ports are in the end, if that is all of the motions of a state."""
        stack = self.telling.inner.assembly.stack
        if stack is None or self.seen.levels is None or not self.telling.inner.sees_all:
            return None
        return Motions(stack.places, self.seen.levels[-1])

    def certain(self, state: GluedState) -> list[Advance[GluedState]]:
        """What `taken` gives where all windows are `closed`."""
        advances = self.taken(state)
        assert not isinstance(advances, Rejected), "a window that is closed is accepted"
        return advances

    def taken(self, state: GluedState) -> list[Advance[GluedState]] | Rejected:
        """What every window did, exactly as if it had been glued alone."""
        advances: list[Advance[GluedState]] = []
        for k, window in enumerate(self.windows):
            each = {n: d[k] for n, d in self.done.items()}
            solved = self._solution((state, window), each, k)
            if isinstance(solved, Rejected):
                return solved
            advance = self.telling.inner.accept(state, window, solved)
            count = float(self.found.exchanges if k == 0 else 0)
            trips = max(a.stats.get("trips", 0.0) for a in each.values())
            stats = {**advance.stats, "exchanges": trips or count}
            advances.append(replace(advance, stats=stats))
            state = advance.state
        return advances

    def _sweep(
        self, problem: TTProblem, each: Mapping[str, Advance[Any]], k: int
    ) -> Sweep | Rejected:
        stack = self.telling.inner.assembly.stack
        if stack is None or self.seen.levels is None:
            return problem.swept(self.found.Z[k], each, 0)
        levels, (e, rate, *bend) = self.seen.levels[k], self.seen.gaps[k]
        gap = (e, rate, bend[0] if bend else None)
        there = There(gap, levels, Motions(stack.places, levels))
        return problem.judged(self.residuals[k], each, there)

    def _solution(
        self,
        at: tuple[GluedState, Window],
        each: Mapping[str, Advance[Any]],
        k: int,
    ) -> InterfaceSolution[Any] | Rejected:
        problem, inner = self.telling.problem(*at), self.telling.inner
        found, sweep = self.found, self._sweep(problem, each, k)
        if isinstance(sweep, Rejected):
            return sweep
        left = float(np.linalg.norm(sweep.residual))
        history = (*(float(n[k]) for n in found.norms), left)
        enough = max(inner.solver.tolerance, problem.noise)
        if inner.assembly.affine:
            enough += _CLOSE * (history[0] + problem.reach)
        if not left <= enough:
            finding = f"windows of a block do not superpose: {left:.1e} m are left"
            return Rejected(inner.name, finding, at[1].t1)
        paid = sum(int(a.stats.get("solves", 1)) for a in each.values())
        if not inner.assembly.affine:  # every part counts one response and one trial
            paid = paid * (1 + len(found.norms)) // 2
        first = bool(found.price) and k == 0
        return InterfaceSolution(
            found.Z[k],
            sweep,
            found.Lam,
            history,
            True,
            paid + (found.price if first else 0),
            int(first),
            found.Lam.condition,
            found.Lam.warnings if first else (),
            enough,
        )
