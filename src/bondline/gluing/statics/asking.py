"""What parts are asked in statics: where they rest, and what a unit force does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from bondline.core import Advance, Matrix, Rejected, Static, Vector, Yielding
from bondline.errors import SettingError
from bondline.gluing.statics.dofs import Seen, shown

_PROBE = 1e-6  # relative to the largest input; linear parts get a unit, wang2003 (30)


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """What acts on the parts: a share of their own loads, inputs u, springs k.

    A port whose u is NaN is told nothing.
    """

    factor: float
    u: Vector
    k: Vector

    def between(self, other: Load, share: float) -> Load:
        """On the way from this to `other`, whose springs it has."""
        factor = self.factor + share * (other.factor - self.factor)
        return Load(factor, self.u + share * (other.u - self.u), other.k)

    def inputs(self, seen: Seen, part: str) -> dict[str, Vector]:
        """u of one part, by port."""
        each = {r.port: self.u[seen.at[r]] for r in seen.of_part.get(part, ())}
        return {port: u for port, u in each.items() if not np.isnan(u).any()}

    def springs(self, seen: Seen, part: str) -> dict[str, Vector]:
        """k of one part, by port."""
        each = {r.port: self.k[seen.at[r]] for r in seen.of_part.get(part, ())}
        return {port: k for port, k in each.items() if k.any()}


def check_static(name: str, seen: Seen) -> None:
    """Raise `SettingError` where a part has no equilibrium, or a port is a frame."""
    parts = seen.assembly.parts
    unable = [n for n, part in parts.items() if not isinstance(part, Static)]
    if unable:
        raise SettingError(
            f"{name}, static equilibrium",
            f"no equilibrium is offered by {', '.join(unable)}.",
            "Statics needs parts with `equilibrium` (the ability `Static`), such as "
            "Structure; simulate the others with damping until they rest.",
        )
    frames = [str(r) for r, port in seen.ports.items() if port.frame]
    if frames:
        raise SettingError(
            f"{name}, static equilibrium",
            f"{', '.join(frames)} is a frame, whose turns do not add up.",
            "Statics takes points and nodes: give the port as a node with the dofs "
            "x y z rx ry rz, or as a point.",
        )


def rest(seen: Seen, part: str, state: Any, load: Load) -> Advance[Any] | Rejected:
    """One part at rest."""
    model = seen.assembly.parts[part]
    assert isinstance(model, Static)
    inputs, springs = load.inputs(seen, part), load.springs(seen, part)
    answer: Advance[Any] | Rejected
    answer = model.equilibrium(state, load.factor, inputs, springs)
    return answer


def rest_all(
    seen: Seen, states: Mapping[str, Any], load: Load
) -> dict[str, Advance[Any]] | Rejected:
    """Every part at rest, or the first rejection in the order of the parts."""
    names = list(seen.assembly.parts)
    jobs = [partial(rest, seen, n, states[n], load) for n in names]
    found: dict[str, Advance[Any]] = {}
    for n, answer in zip(names, seen.assembly.crew.call(jobs), strict=True):
        if isinstance(answer, Rejected):
            return answer
        found[n] = answer
    return found


def flexibility(
    seen: Seen, states: Mapping[str, Any], load: Load
) -> tuple[Matrix, int] | Rejected:
    """G = ∂y/∂u of all parts where they rest, Algorithm 1, and what it cost."""
    jobs = [partial(yields, seen, n, states[n], load) for n in seen.of_part]
    G, solves = np.zeros((seen.size, seen.size)), 0
    for part, own in zip(seen.of_part, seen.assembly.crew.call(jobs), strict=True):
        if isinstance(own, Rejected):
            return own
        here = np.flatnonzero(seen.mask(seen.of_part[part]))
        G[np.ix_(here, here)] = own[0]
        solves += own[1]
    return G, solves


def yields(
    seen: Seen, part: str, state: Any, load: Load
) -> tuple[Matrix, int] | Rejected:
    """G of one part: as it knows it, or one force after the other, (29)-(31)."""
    model, names = seen.assembly.parts[part], [r.port for r in seen.of_part[part]]
    if not isinstance(model, Yielding):
        return _probed(seen, part, state, load)
    found = model.compliance(state, load.springs(seen, part))
    if isinstance(found, Rejected):
        return found
    rows = [[found.blocks[out, port][0, :, 0, :] for port in names] for out in names]
    return np.block(rows), found.solves


def _probed(
    seen: Seen, part: str, state: Any, load: Load
) -> tuple[Matrix, int] | Rejected:
    here = np.flatnonzero(seen.mask(seen.of_part[part])).tolist()
    now = rest(seen, part, state, load)
    if isinstance(now, Rejected):
        return now
    u = np.where(np.isnan(load.u), seen.positions_of(part, now), load.u)
    linear = seen.assembly.parts[part].capabilities.linear
    step = 1.0 if linear else _PROBE * max(1.0, float(np.abs(u).max(initial=0.0)))
    base, columns = _answer(seen, part, now), []
    for j in here:
        moved = u.copy()
        moved[j] += step
        answer = rest(seen, part, now.state, replace(load, u=moved))
        if isinstance(answer, Rejected):
            return answer
        columns.append((_answer(seen, part, answer) - base) / step)
    return np.array(columns).T, len(here) + 1


def _answer(seen: Seen, part: str, now: Advance[Any]) -> Vector:
    each = [shown(now.outputs[r.port]) for r in seen.of_part[part]]
    return np.concatenate(each)
