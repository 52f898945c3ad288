"""Steps of several structures in one compiled call, their numbers in one array.

Each number is what `FusedStep` and `FusedLanding` would give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ctypes import Structure, byref, c_ssize_t, c_void_p
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, TypeAlias

import numpy as np

from bondline.kernels import function, pointer
from bondline.numerics.fused import CStep, CUnits, FusedLanding, FusedStep
from bondline.numerics.halves import Array, CHalf

Hands: TypeAlias = Callable[[Callable[[], int]], Sequence[int]]
"""Does a job once on every thread that is to help, and gives what they returned."""


class CMember(Structure):
    """`Member` of newmark_team.c."""

    _fields_ = (
        *(("step", CStep), ("mass", CHalf), ("units", CUnits)),
        *((name, c_ssize_t) for name in ("at", "told", "place")),
    )


@dataclass(frozen=True, eq=False)
class FusedTeam:
    """Structures with u, v and a one after the other, those of one behind another's.

    `told` says where the forces on each begin among those on all; `landings` find what
    a unit of each does, when they are first asked.
    """

    steps: Sequence[FusedStep]
    landings: Callable[[], Sequence[FusedLanding]]
    told: Sequence[int]

    @cached_property
    def begins(self) -> Sequence[int]:
        """Where the numbers of each begin, and where those of the last end."""
        sizes = (3 * step.halves.mass.known.n for step in self.steps)
        return list(accumulate(sizes, initial=0))

    def step(self, before: Array, loads: Mapping[int, Array], hands: Hands) -> Array:
        """All after a step; `loads` has those of some, by their number."""
        after, felt = np.empty(len(before)), (c_void_p * len(self.steps))()
        for k, f in loads.items():
            felt[k] = pointer(f)
        given = pointer(before), felt, pointer(after)
        _all_done(hands, self._step, given)
        return after

    def land(
        self, before: Array, without: Array, z: Array, hands: Hands
    ) -> tuple[Array, Array]:
        """All under the forces `z`, from that without them; three energies of each."""
        after, energies = np.empty(len(before)), np.empty((len(self.steps), 3))
        given = [pointer(a) for a in (z, before, without, after, energies)]
        _all_done(hands, self._land, given)
        return after, energies

    @cached_property
    def _step(self) -> Any:
        none = [CUnits()] * len(self.steps)
        return self._kernel("bondline_newmark_team_step", none, 3)

    @cached_property
    def _landed(self) -> Sequence[FusedLanding]:
        return self.landings()

    @cached_property
    def _land(self) -> Any:
        units = [each.known for each in self._landed]
        return self._kernel("bondline_newmark_team_land", units, 5)

    def _kernel(self, name: str, units: Sequence[CUnits], arrays: int) -> Any:
        """A kernel that knows all members; the large ones are begun first."""
        known = zip(self.steps, units, self.begins, self.told, strict=False)
        each = [
            CMember(step.known, step.halves.mass.known, own, at, told, place)
            for place, (step, own, at, told) in enumerate(known)
        ]
        each.sort(key=lambda member: -int(member.mass.n))
        takes = (c_void_p, c_ssize_t, *[c_void_p] * (1 + arrays))
        return partial(function(name, *takes), (CMember * len(each))(*each), len(each))


def _all_done(hands: Hands, kernel: Any, given: Sequence[Any]) -> None:
    begun = c_ssize_t(0)
    if any(hands(partial(kernel, byref(begun), *given))):
        raise MemoryError
