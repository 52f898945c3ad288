"""Vibrations of a compiled system at a state, and which variables are fast.

    Δu' = A Δx,   −ω² an eigenvalue of A = ∂u'/∂x                              (1)

where x are positions, counted as velocities are. Masses couple fast and slow variables
by μ², the eigenvalues of m_ss⁻¹ m_sf m_ff⁻¹ m_fs: with the matrices of kim2000 (36)
those of B N are μ² / (1 − μ²).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bondline.errors import SettingError
from bondline.numerics.positions import checked_positions, moved
from bondline.numerics.systems import Array, System

_DIFFERENCE = 6e-6  # the cube root of the precision of numbers
_RIGID = 1e-6  # of the highest frequency: what differences make of zero


@dataclass(frozen=True, eq=False)
class Vibrations:
    """Modes of (1) at a state, in rising order."""

    omega: Array  # rad/s; of a motion that runs away its rate
    part: Array  # of each velocity (rows) in each mode (columns); columns sum to 1

    @property
    def highest(self) -> float:
        """The highest coupled frequency in rad/s."""
        return float(self.omega[-1]) if self.omega.size else 0.0


@dataclass(frozen=True, slots=True)
class Split:
    """Fast and slow velocities, both in rising order."""

    fast: tuple[int, ...]
    slow: tuple[int, ...]

    @classmethod
    def of(cls, fast: list[int], n_u: int) -> Split:
        """Those given are fast, all others slow."""
        chosen = sorted(set(fast))
        if chosen and not 0 <= chosen[0] <= chosen[-1] < n_u:
            raise SettingError(
                "Split: fast",
                f"velocities {chosen} are asked for.",
                f"Give numbers from 0 to {n_u - 1}.",
            )
        rest = [i for i in range(n_u) if i not in chosen]
        return cls(tuple(chosen), tuple(rest))


def vibrations(system: System, t: float, y: Array) -> Vibrations:
    """From differences of accelerations by positions; dampers are left out."""
    if system.n_u == 0:  # nothing moves
        return Vibrations(np.zeros(0), np.zeros((0, 0)))
    values, shapes = np.linalg.eig(stiffness(system, t, y).astype(np.complex128))
    order = np.argsort(np.abs(values))
    part = np.abs(shapes * np.linalg.pinv(shapes).T)[:, order]
    return Vibrations(np.sqrt(np.abs(values[order])), part / part.sum(axis=0))


def stiffness(system: System, t: float, y: Array) -> Array:
    """A of (1) by central differences."""
    checked_positions(system, t, y)
    n = system.n_u
    columns = []
    for step in _DIFFERENCE * np.eye(n):
        ends = [
            np.concatenate([moved(system, y[: system.n_q], by), y[system.n_q :]])
            for by in (step, -step)
        ]
        ahead, behind = (system.rates(t, end)[system.n_q :] for end in ends)
        columns.append((ahead - behind) / (2.0 * _DIFFERENCE))
    return np.array(columns).T


def mass_coupling(system: System, t: float, y: Array) -> Array:
    """μ², one for each slow variable, in rising order: 0 uncoupled, near 1 strongly."""
    _, N = system.fast_rates(t, y)
    _, B = system.split_rates(t, y)
    ratio = np.linalg.eigvals(B @ N).real
    return np.sort(ratio / (1.0 + ratio))


def split_by_spectrum(
    system: System, found: Vibrations, above: float | None = None, share: float = 0.1
) -> Split:
    """Velocities with a `share` or more in any mode `above` a frequency in rad/s.

    Without one, the widest gap between neighbouring frequencies decides. Spins of
    quaternions are never fast.
    """
    limit = widest_gap(found) if above is None else above
    taken = found.part[:, found.omega > limit].max(axis=1, initial=0.0) >= share
    spins = {i + k for _, i in system.turns for k in range(3)}
    fast = [int(i) for i in np.flatnonzero(taken) if i not in spins]
    return Split.of(fast, system.n_u)


def widest_gap(found: Vibrations) -> float:
    """A frequency in the middle of the widest gap, as ratios go."""
    omega = np.maximum(found.omega, _RIGID * found.highest)
    k = int(np.argmax(np.diff(np.log(omega))))
    return float(np.sqrt(omega[k] * omega[k + 1]))
