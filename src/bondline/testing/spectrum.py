"""The receptance of a leaf as one matrix, and the limits it must have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import Harmonic, Matrix, Pressing, Vector
from bondline.testing.asking import ask
from bondline.testing.shown import values
from bondline.testing.statics import rest, soft
from bondline.testing.trial import Trial

Complex: TypeAlias = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Spectrum:
    """H over all dofs of the ports that take force, in joules: all dofs compare."""

    trial: Trial
    leaf: Harmonic

    @cached_property
    def size(self) -> Vector:
        """The forces that move the ports, one after the other."""
        return _sizes(self.trial)

    def ladder(self, first: int, last: int) -> list[float]:
        """Frequencies 4ᵏ/h, from k = first to last; h is the window."""
        step = 1 if last >= first else -1
        return [4.0**k / self.trial.h for k in range(first, last + step, step)]

    def scaled(self, omega: float, damped: bool) -> Complex:
        """H, its rows and columns times the forces."""
        found = ask(lambda: self.leaf.receptance(omega, damped))
        names = list(self.trial.driven)
        H = np.block([[found.blocks[out, p] for p in names] for out in names])
        return np.asarray(H * np.outer(self.size, self.size), dtype=np.complex128)

    def below(self, omega: float) -> int | None:
        """The count of modes below."""
        return self.leaf.receptance(omega, False).below

    def negative(self, omega: float, share: float) -> int:
        """How many eigenvalues of H are below zero, by a share of the largest.

        Each belongs to a mode below: H comes back from −∞ after every one.
        """
        eigen = np.linalg.eigvalsh(self.scaled(omega, False).real)
        least = -share * float(np.abs(eigen).max(initial=0.0))
        return int(np.count_nonzero(eigen < least))

    def on_springs(self, omega: float, k: Vector) -> Complex:
        """H of the leaf on springs at its ports: (1 + H k)⁻¹ H."""
        H = self.scaled(omega, False)
        held = np.eye(len(H)) + H * (k / self.size**2)
        try:
            return np.asarray(np.linalg.solve(held, H), dtype=np.complex128)
        except np.linalg.LinAlgError:  # that is a frequency of the leaf on springs
            return np.full_like(H, np.inf)

    def accelerations(self, leaf: Pressing[Any]) -> Matrix:
        """Acceleration per force at the start, scaled the same way."""
        state, names = self.trial.path[0].state, list(self.trial.driven)

        def shown(forces: dict[str, Vector]) -> Vector:
            found = values(ask(lambda: leaf.press(state, 0.0, forces)))
            return np.concatenate([found[n, "a"] for n in names])

        free, each = shown({}), []
        for name, port in self.trial.driven.items():
            units = np.diag(self.trial.scales[name])[: port.size]
            each += [shown({name: unit}) - free for unit in units]
        return np.array(each).T * self.size[:, None]


def statics(trial: Trial) -> tuple[Matrix, Vector] | None:
    """What forces do to the equilibrium, scaled, and the springs that are needed.

    None where the leaf finds no equilibrium.
    """
    at = rest(trial, {}) or rest(trial, soft(trial))
    if at is None:
        return None
    size, names, each = _sizes(trial), list(trial.driven), []
    for name, port in trial.driven.items():
        for j in range(port.size):
            column = at.column(name, j, 1.0)
            each.append(np.concatenate([column[out] for out in names]))
    k = [at.springs.get(n, np.zeros(p.size)) for n, p in trial.driven.items()]
    return np.array(each).T * np.outer(size, size), np.concatenate(k)


def _sizes(trial: Trial) -> Vector:
    return np.concatenate([np.abs(trial.scales[name]) for name in trial.driven])
