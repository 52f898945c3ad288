"""The start of motion-driven interfaces: accelerations and efforts that go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Matrix,
    Motion,
    PortRef,
    Pressing,
    Vector,
)
from bondline.gluing.couplings.efforts import effort_of
from bondline.gluing.couplings.shared_motion import SharedMotion
from bondline.gluing.couplings.xx_problem import springs
from bondline.gluing.gaps import motion_of

Starts = Mapping[str, Advance[Any]]
_REGULAR = 1e12


class Settled(NamedTuple):
    """The starts under `z`, and how the residual there changes with it."""

    starts: Starts
    z: Vector
    slope: Matrix
    regular: bool


def pressing(
    assembly: Assembly, starts: Starts, t0: float, also: Mapping[PortRef, Any]
) -> Mapping[str, Any] | None:
    """The parts that anything acts on; None where one of them cannot be pressed."""
    held = {n for n, places in assembly.places.items() if places}
    held |= {end.part for end in also}
    able = {n: p for n in held if isinstance(p := assembly.parts[n], Pressing)}
    willing = all(_answers(p, starts[n], t0) for n, p in able.items())
    return able if willing and len(able) == len(held) else None


def _answers(part: Pressing[Any], start: Advance[Any], t0: float) -> bool:
    """Whether a part knows its efforts at an instant: a glued one may not."""
    pressed = part.press(start.state, t0, {}).outputs
    return all(type(pressed.get(n)) is type(x) for n, x in start.outputs.items())


def settle_affine(
    press: Callable[[Vector], tuple[Starts, Vector]], size: int
) -> Settled:
    """At an instant everything is affine in z: one solve is exact.

    Where the slope is singular nothing is pressed: z stays zero.
    """
    zero = np.zeros(size)
    starts, base = press(zero)
    columns = [press(unit)[1] - base for unit in np.eye(size)]
    J = np.array(columns).T.reshape(size, size)
    top = float(np.abs(J).max(initial=0.0))
    if not (size and top and np.linalg.cond(J / top) < _REGULAR):
        return Settled(starts, zero, J, False)
    z = -np.linalg.solve(J, base).astype(np.float64)
    return Settled(press(z)[0], z, J, True)


def press_xx(
    assembly: Assembly,
    shared: SharedMotion,
    starts: Starts,
    t0: float,
    outside: Mapping[PortRef, Vector],
) -> Settled | None:
    """Shared accelerations under which the efforts are in equilibrium."""
    able = pressing(assembly, starts, t0, outside)
    if able is None:
        return None
    motions: dict[PortRef, Motion] = {p: motion_of(starts, p) for p in shared.ports}
    pull = springs(assembly, motions) @ shared.B

    def press(z: Vector) -> tuple[Starts, Vector]:
        a = shared.T @ z
        told: dict[str, dict[str, Vector]] = {n: {} for n in assembly.parts}
        for end, f in outside.items():
            told[end.part][end.port] = f
        for p in shared.ports:
            told[p.part][p.port] = a[shared.where[p]]
        under = pressed(able, starts, t0, told)
        efforts = shared.stack({p: effort_of(under, p) for p in shared.ports})
        return under, (efforts - pull) @ shared.T

    return settle_affine(press, len(shared.free))


def pressed(
    able: Mapping[str, Any],
    starts: Starts,
    t0: float,
    told: Mapping[str, Mapping[str, Vector]],
) -> dict[str, Advance[Any]]:
    """Every part under what it is told, in the order of the starts."""
    return {
        n: able[n].press(s.state, t0, told[n]) if n in able else s
        for n, s in starts.items()
    }
