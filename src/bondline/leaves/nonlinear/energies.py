"""Energy of a nonlinear model, and what steps did to it.

Of (1) in `corrector`, times Δu: what ports and own loads bring in at the instant of
the balance goes into kinetic and stored energy, and the rest is dissipated,

    D = Δu·(M + B) a_m − Δ(½ vᵀ(M + B) v) + Δu·f_f − Δ(stored),               (1)

by plastic flow, by viscous forces, and by the method. For rotations Δu is the turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bondline.leaves.nonlinear.corrector import Corrector, Step
from bondline.leaves.nonlinear.state import Parts


class Passed(NamedTuple):
    """Energy that a window dissipated, and that own loads supplied."""

    dissipated: float = 0.0
    supplied: float = 0.0


def stored(corrector: Corrector, parts: Parts) -> float:
    """½ vᵀ(M + B) v and what elements store."""
    momentum = corrector.model.pattern.times(corrector.heavy, parts.v)
    return float(parts.strain[0]) + 0.5 * float(parts.v @ momentum)


def passed(corrector: Corrector, taken: Sequence[Step]) -> Passed:
    """What the steps of a window did."""
    m = corrector.method
    # a step that balances at both its ends does work with the mean, as in `flows`
    early = 0.5 if m.one_instant else m.alpha_f
    dissipated = supplied = 0.0
    for step in taken:
        du, (q0, q1) = step.place.u - step.start.u, step.own
        gained = stored(corrector, corrector.accepted(step))
        gained -= stored(corrector, step.start)
        # the step is in balance: what inertia and inner forces took is what came in
        p_f = (1.0 - early) * step.p + early * step.start.p
        q_f = (1.0 - early) * q1 + early * q0
        supplied += float(du @ q_f)
        dissipated += float(du @ (p_f + q_f - step.r)) - gained
    return Passed(dissipated, supplied)
