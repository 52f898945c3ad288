"""T-T coupling: guess forces, compare motions (wang2003, section 2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    InterfaceSolution,
    Matrix,
    PortRef,
    Signal,
    Situation,
    Tree,
    Vector,
    Window,
)
from bondline.gluing.couplings.fitness import check_scheme
from bondline.gluing.couplings.laws import laws_of
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.schemes import Scheme
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.leverage import Levers, levers
from bondline.gluing.settling import settle
from bondline.numerics import joined
from bondline.wire import arrays

History: TypeAlias = tuple[Vector, Vector, float]


@dataclass(frozen=True)
class TT:
    """Unknowns are the interface forces F of a window, in the scheme's basis.

    Its history is the last window's unknowns, the force at its end, and its length.
    """

    scheme: Scheme
    probe: Probe = Probe()  # noqa: RUF009 - a frozen value

    def start(
        self,
        assembly: Assembly,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
    ) -> tuple[Mapping[str, Advance[Any]], History, Matrix]:
        """Forces that make accelerations agree, with no slope."""
        starts, F = settle(assembly, starts, t0, outside)
        z = np.zeros((self.scheme.unknowns, len(F)))
        z[0] = F
        forces = np.zeros((self.scheme.powers, len(F)))
        forces[0] = F
        return starts, (z.ravel(), F, 0.0), forces

    def guess(self, assembly: Assembly, window: Window, history: History) -> Vector:
        """The last window's polynomial, continued; nothing where forces superpose."""
        z, _, h = history
        if assembly.superposes:
            return np.zeros_like(z)
        if self.scheme.unknowns == 1 or not h:
            return z
        last = self.scheme.B @ z.reshape(self.scheme.unknowns, -1)
        on = Signal(last).part(1.0, 1.0 + window.h / h)
        return self.scheme.unknowns_of(on.coefficients)

    def problem(
        self,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: History,
    ) -> TTProblem:
        """e(F) = 0 on one window, Eqs. (1)-(2)."""
        return TTProblem(
            self.scheme,
            self.probe,
            assembly,
            situation,
            window,
            history[1],
            self._levers(assembly, situation, window),
            laws_of(assembly, self.scheme),
        )

    def _levers(
        self, assembly: Assembly, situation: Situation, window: Window
    ) -> Levers:
        for known, found in self._steady:
            if known is assembly:
                return found
        motions, instant = situation.motions, self.scheme.instant
        found = levers(assembly, motions, window.h, instant)
        if all(c.constant for c in assembly.connections):
            self._steady[:] = [(assembly, found)]
        return found

    @cached_property
    def _steady(self) -> list[tuple[Assembly, Levers]]:
        """The last levers that do not change: remembered, never relied upon."""
        return []

    def accept(
        self,
        assembly: Assembly,
        window: Window,
        found: InterfaceSolution[Any],
        history: History,
    ) -> tuple[History, Matrix]:
        """The unknowns and the force where the next window starts; all coefficients."""
        forces = self.scheme.coefficients(found.z, history[1])
        return (found.z, forces.sum(axis=0), window.h), forces

    def settings(self) -> dict[str, Any]:
        """The scheme and the probe."""
        return {"method": "T-T", "scheme": self.scheme.name, **asdict(self.probe)}

    def suits(self, place: str, assembly: Assembly) -> None:
        """Every glued part goes with the scheme."""
        check_scheme(place, self.scheme, assembly)

    @property
    def sharp(self) -> bool:
        """As the scheme says."""
        return self.scheme.sharp

    def work(self, forces: tuple[Matrix, Matrix], gap: Matrix) -> Vector:
        """∫ F·e' dt: by virtual work, what the loads of all ends do together."""
        acting = self._acting(forces)
        each: Vector = np.sum(acting * (self.scheme.work @ gap), axis=0)
        return each

    def steady(self, forces: tuple[Matrix, Matrix]) -> Vector | None:
        """The force that acts all through a window, if it is one; see `sides`."""
        return self._acting(forces)[0] if self.scheme.powers == 1 else None

    def _acting(self, forces: tuple[Matrix, Matrix]) -> Matrix:
        before, now = forces
        return 0.5 * (before + now) if self.scheme.instant else now

    def join(self, forces: tuple[Matrix, Matrix], share: float) -> Matrix:
        """The polynomial nearest to both; or the last, where its end is what counts."""
        return forces[1] if self.sharp else joined(*forces, share)

    def dump(self, history: History) -> Tree:
        """Three arrays."""
        z, end, h = history
        return [z, end, np.array([h])]

    def load(self, data: Tree) -> History:
        """The history that `dump` wrote."""
        z, end, h = arrays(data)
        return z, end, float(h[0])
