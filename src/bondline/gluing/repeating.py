"""Conditions that repeat others, from what the parts do at an instant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bondline.core import Advance, Assembly, Matrix, Motion, PortRef, Pressing, Vector
from bondline.gluing.admittance import Pushes, admittance
from bondline.gluing.definite import definite
from bondline.gluing.foresee import foresee
from bondline.gluing.leverage import levers
from bondline.gluing.mobility import mobilities

_RANK = 1e-9  # B M⁻¹ Bᵀ is exact but for round-off, whatever the parts


def repeated(
    assembly: Assembly,
    states: Mapping[str, Any],
    motions: Mapping[PortRef, Motion],
    t: float,
    h: float,
) -> int | None:
    """How many conditions of rigid joints the others already make up.

    Accelerations are affine in forces, so the rank of B M⁻¹ Bᵀ has none of the noise
    of probes. It is taken here and where the ends will be after `h`, and the larger
    one counts: a mechanism may stand in a singular position. None where a part cannot
    be pressed.
    """
    glued = [n for n, places in assembly.places.items() if places]
    able = {n: p for n in glued if isinstance(p := assembly.parts[n], Pressing)}
    if len(able) < len(glued):
        return None
    rigid = np.ones(assembly.offsets[-1], dtype=np.bool_)
    if assembly.compliant is not None:
        rigid[assembly.compliant[0]] = False

    def push(n: str, forces: Mapping[str, Vector]) -> Advance[Any]:
        return able[n].press(states[n], t, forces)

    pushes = Pushes(assembly, push, _acceleration)
    known = mobilities(assembly, states, t)
    ranks = []
    for dt in (0.0, h):
        there = {r: foresee(m, dt) for r, m in motions.items()}
        if any(m.a is None for m in there.values()):
            return None
        arms = levers(assembly, there, 0.0, instant=True)
        J = admittance(assembly, arms, pushes, known)[np.ix_(rigid, rigid)]
        ranks.append(_rank(J))
        if ranks[-1] == len(J):
            break
    return int(rigid.sum()) - max(ranks)


def _rank(J: Matrix) -> int:
    if definite(J) is not None:
        return len(J)
    size = np.sqrt(np.abs(J.diagonal()))
    size = np.where(size > 0.0, size, 1.0)
    s = np.linalg.svd(J / size[:, None] / size, compute_uv=False)
    return int((s > _RANK * s.max(initial=0.0)).sum())


def _acceleration(motion: Motion) -> Vector:
    return np.zeros_like(motion.v) if motion.a is None else motion.a
