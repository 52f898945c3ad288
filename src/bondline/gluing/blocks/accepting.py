"""The windows of a block that is settled, taken stock of one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bondline.core import Advance, InterfaceSolution, Rejected, Window
from bondline.gluing.blocks.telling import Many, Telling
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


def accept(
    telling: Telling,
    state: GluedState,
    windows: Sequence[Window],
    done: Mapping[str, Sequence[Advance[Any]]],
    found: Found,
) -> list[Advance[GluedState]] | Rejected:
    """What every window did, exactly as if it had been glued alone."""
    advances: list[Advance[GluedState]] = []
    for k, window in enumerate(windows):
        each = {n: d[k] for n, d in done.items()}
        solved = _solution(telling, (state, window), each, found, k)
        if isinstance(solved, Rejected):
            return solved
        advance = telling.inner.accept(state, window, solved)
        count = float(found.exchanges if k == 0 else 0)
        trips = max(a.stats.get("trips", 0.0) for a in each.values())
        stats = {**advance.stats, "exchanges": trips or count}
        advances.append(replace(advance, stats=stats))
        state = advance.state
    return advances


def _solution(
    telling: Telling,
    at: tuple[GluedState, Window],
    each: Mapping[str, Advance[Any]],
    found: Found,
    k: int,
) -> InterfaceSolution[Any] | Rejected:
    problem, inner = telling.problem(*at), telling.inner
    sweep = problem.swept(found.Z[k], each, 0)
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
