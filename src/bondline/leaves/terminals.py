"""The ports of a linear structure in terms of its dofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bondline.core import Causality, Effort, Motion, Motions, Output, Port, Vector
from bondline.leaves.selection import Dofs, Selection
from bondline.numerics import Kinematics
from bondline.numerics.factor import nowhere


@dataclass(frozen=True, eq=False)
class Terminals:
    """Which dofs every port shows, and which of them are held because it is led."""

    picks: Mapping[str, Selection]
    ports: Mapping[str, Port]

    @cached_property
    def led(self) -> tuple[str, ...]:
        """The ports that take motion."""
        moved = Causality.MOTION_IN
        return tuple(p for p in self.picks if self.ports[p].causality is moved)

    @cached_property
    def held(self) -> Dofs:
        """Their dofs, one port after the other."""
        dofs = [self.picks[p].dofs for p in self.led]
        return np.concatenate([nowhere(), *(d for d in dofs if d is not None)])

    @cached_property
    def rows(self) -> Mapping[str, slice]:
        """Where the dofs of each port that takes motion are among those held."""
        return self._places(self.led)

    @cached_property
    def pushed(self) -> Mapping[str, slice]:
        """Where each port that takes force is among all of these."""
        return self._places(tuple(p for p in self.picks if p not in self.led))

    def _places(self, ports: tuple[str, ...]) -> Mapping[str, slice]:
        ends = np.cumsum([0, *(self.picks[p].size for p in ports)]).tolist()
        return {p: slice(ends[i], ends[i + 1]) for i, p in enumerate(ports)}

    def give(self, f: Vector, told: Vector, port: str, value: Vector) -> None:
        """Add a force to the loads, or say what a port that takes motion does."""
        if port in self.rows:
            told[self.rows[port]] = value
        else:
            self.picks[port].add(f, value)

    def blocks(
        self, H: NDArray[np.complex128]
    ) -> dict[tuple[str, str], NDArray[np.complex128]]:
        """A matrix over the ports that take force, port by port."""
        at = self.pushed
        return {(o, p): H[at[o], at[p]] for o in at for p in at}

    @cached_property
    def plain(self) -> Dofs | None:
        """The dofs of all ports, one after the other; None if they are not that plain.

        None of them takes motion then, and all show dofs as they are.
        """
        dofs = [pick.dofs for pick in self.picks.values()]
        known = [d for d in dofs if d is not None]
        if self.led or len(known) < len(dofs):
            return None
        return np.concatenate([nowhere(), *known])

    def outputs(self, now: Kinematics, efforts: Vector) -> Mapping[str, Output]:
        """What every port shows: its motion, or its effort."""
        if self.plain is not None:
            levels = np.stack([y.take(self.plain) for y in now])
            return Motions(self.pushed, levels)
        outputs, (u, v, a) = dict[str, Output](), now
        for port, pick in self.picks.items():
            motion = Motion(pick.show(u), pick.show(v), pick.show(a))
            led = self.rows.get(port)
            outputs[port] = motion if led is None else Effort(efforts[led], motion)
        return outputs
