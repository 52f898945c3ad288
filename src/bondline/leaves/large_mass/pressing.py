"""Loads that give large masses an acceleration at one instant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from bondline.core import Advance, Motion, Pressing, Vector
from bondline.leaves.large_mass.secant import improved

_PATIENCE = 60
_EXACT = 4.0 * float(np.finfo(np.float64).eps)


class Pressed(NamedTuple):
    """The leaf under these loads, and how its large masses accelerate."""

    at: Advance[Any]
    f_e: Vector
    a: Vector


def pressed(
    leaf: Pressing[Any],
    inside: Any,
    t: float,
    aim: Vector,
    masses: tuple[Mapping[str, slice], Vector],
    others: Mapping[str, Vector],
) -> Pressed:
    """The leaf pressed so that its ports accelerate as `aim` says.

    The masses rule, so a ← a + (aim − a) converges by their ratio to the structure's;
    accelerations are affine in the loads, and each dof's secant does the rest.
    """
    pieces, mass = masses
    f_e, alone = mass * aim, -1.0 / mass
    C, before, best = alone, None, None
    for _ in range(_PATIENCE):
        loads = {p: f_e[w] for p, w in pieces.items()}
        done = leaf.press(inside, t, {**others, **loads})
        a = np.concatenate([_a(done, p) for p in pieces])
        phi = aim - a
        off = float(np.abs(phi * mass).max(initial=0.0))
        if best is not None and off >= best[0]:
            break  # round-off
        best = off, Pressed(done, f_e, a)
        if off <= _EXACT * float(np.abs(f_e).max(initial=0.0)):
            break
        if before is not None:
            C = improved(C, alone, (before[0], f_e), (before[1], phi))
        before, f_e = (f_e, phi), f_e - phi / C
    assert best is not None, "one pass is always made"
    return best[1]


def _a(done: Advance[Any], port: str) -> Vector:
    shown = done.outputs[port]
    assert isinstance(shown, Motion), "a force port shows its motion"
    assert shown.a is not None, "a corrector shows accelerations"
    return shown.a
