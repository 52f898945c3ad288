"""What a model may publish of its states: numbers, reactions, what there is to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from bondline.core.arrays import Matrix
from bondline.core.skin import Deformed, Skin

S_in = TypeVar("S_in", contravariant=True)


@dataclass(frozen=True, slots=True)
class Observation:
    """One named number that the owner publishes, with its SI unit."""

    value: float
    unit: str


@runtime_checkable
class Observing(Protocol[S_in]):
    """Publishes named values of a state: for plots, animation and certificates."""

    def observe(self, state: S_in) -> Mapping[str, Observation]: ...


@dataclass(frozen=True, slots=True)
class Reaction:
    """Force of one joint over the last window: row k of `coefficients` goes with sᵏ.

    `instant` says that its end value is the force *at* t₁: the parts take one implicit
    step a window, or the accelerations agree there. Otherwise it is right on the whole
    over the window, and its end value may be far off.
    """

    components: tuple[str, ...]
    coefficients: Matrix
    instant: bool = False


@runtime_checkable
class Reacting(Protocol[S_in]):
    """Knows the forces in its joints; inner joints are named `part.joint.A`."""

    def reactions(self, state: S_in) -> Mapping[str, Reaction]: ...


@runtime_checkable
class Showing(Protocol[S_in]):
    """Publishes something to draw: polylines, one row a point (x, y) or (x, y, z)."""

    def shapes(self, state: S_in) -> Mapping[str, Matrix]: ...


@runtime_checkable
class Skinned(Protocol[S_in]):
    """Publishes surfaces, by part; inner parts are named `left.rail`, a leaf "".

    It shows what its owner permits, which may be nothing.
    """

    def skins(self) -> Mapping[str, Skin]: ...

    def deformed(
        self, state: S_in, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        """All skins at time `t`; None: at rest under that share of the loads.

        Those of a part whose owner does not keep such a state are missing.
        """
        ...
