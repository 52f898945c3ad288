"""How positions of a compiled system follow its velocities.

Quaternions turn by spins in outboard axes, q' = ½ q (0, p); all other positions follow
the other velocities in order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bondline.errors import SettingError
from bondline.numerics.rotations import exp, product
from bondline.numerics.systems import Array, System


def moved(system: System, q: Array, by: Array) -> Array:
    """Positions `q` moved along velocities `by` for a second."""
    after = q.copy()
    for j, i, turns in _pairs(system):
        if turns:
            after[j : j + 4] = product(q[j : j + 4], exp(by[i : i + 3]))
        else:
            after[j] += by[i]
    return after


def position_rates(system: System, q: Array, u: Array) -> Array:
    """q' at positions `q` and velocities `u`."""
    rates = np.empty(system.n_q)
    for j, i, turns in _pairs(system):
        if turns:
            rates[j : j + 4] = 0.5 * product(q[j : j + 4], np.array([0, *u[i : i + 3]]))
        else:
            rates[j] = u[i]
    return rates


def checked_positions(system: System, t: float, y: Array) -> None:
    """Refuse a system whose positions do not follow velocities as it says."""
    u = np.cos(1.0 + np.arange(system.n_u))  # any velocities, all different
    q = y[: system.n_q]
    told = system.n_q == system.n_u + len(system.turns)
    found = system.rates(t, np.concatenate([q, u]))[: system.n_q]
    if not told or not np.allclose(found, position_rates(system, q, u), atol=1e-12):
        raise SettingError(
            "system",
            "its positions do not change as its velocities and quaternions say.",
            "Fill n_turns, turn_q and turn_u as kernels/c/system.h has them, or take "
            "an integrator of first-order equations: Nordsieck, Dop853 or Radau.",
        )


def _pairs(system: System) -> Iterator[tuple[int, int, bool]]:
    """Position, velocity, and whether a quaternion and its spin begin there."""
    spins, i, j = {u for _, u in system.turns}, 0, 0
    while i < system.n_u:
        yield j, i, i in spins
        i, j = (i + 3, j + 4) if i in spins else (i + 1, j + 1)
