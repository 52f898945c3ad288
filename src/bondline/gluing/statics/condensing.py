"""The static flexibility of an assembly at its exported ports."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.core import Flexibility, PortRef
from bondline.gluing.statics.interface import Interface, Point
from bondline.gluing.statics.regular import Inverse
from bondline.numerics.factor import nowhere


def condensed(
    problem: Interface, inverse: Inverse, here: Point, exports: Mapping[str, PortRef]
) -> Flexibility:
    """G_out = G_ee + G_e U z', with z' = −J⁻¹ ∂residual/∂u: joints give way as well."""
    seen, slope, follow = problem.seen, inverse.slope, problem.hold.follow
    shown = {n: seen.at[r] for n, r in exports.items() if r in seen.at}
    spans = [np.arange(at.start, at.stop) for at in shown.values()]
    E = np.concatenate([nowhere(), *spans])
    G = slope.G[:, E]
    unit = np.eye(seen.size)[:, E]
    moved = np.where(seen.driven[:, None], unit, G)
    moved[follow] = 0.0  # joints look at w there
    _, b = problem.law
    top = b[:, None] * (problem.B(here.p) @ moved)
    z = -inverse.solve(np.vstack([top, G[follow]]))
    out = G + slope.G @ (slope.U @ z)
    at, ends = {}, 0
    for n, where in shown.items():
        at[n] = slice(ends, ends + where.stop - where.start)
        ends = at[n].stop
    blocks = {
        (n, m): out[shown[n], at[m]][None, :, None, :] for n in shown for m in shown
    }
    return Flexibility(blocks, slope.solves + len(seen.assembly.parts))
