"""Connections: what must agree at an interface, and who feels the reaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from bondline.core.arrays import Matrix, Vector
from bondline.core.motion import Motion
from bondline.core.port import Port, PortRef
from bondline.core.port_arrays import Motions

Gap: TypeAlias = tuple[Vector, Vector, Vector | None]
"""e, e' and e''; no e'' where one of the parts gives no accelerations."""


class There(NamedTuple):
    """The gap of all joints at one instant, and where all of their ends are.

    `levels` has x, v and a of all ports in rows, where they are in one `Stack`;
    `motions` is what that was read from, where it was one array already.
    """

    gap: Gap
    levels: Matrix | None = None
    motions: Motions[PortRef] | None = None


class Connection(Protocol):
    """One interface Γ between two or more ports.

    Loads follow from the gap by virtual work: end i feels Cᵢ F with Cᵢ = Bᵢᵀ, so they
    balance for every F and only compatibility is left to iterate on (wang2003,
    section 2.4). Users never type matrices.
    """

    @property
    def name(self) -> str:
        """Unique within the model that glues it."""
        ...

    @property
    def ends(self) -> tuple[PortRef, ...]:
        """The ports that meet here."""
        ...

    @property
    def components(self) -> tuple[str, ...]:
        """Names of the interface forces, for example ("Fx", "Fy")."""
        ...

    @property
    def constant(self) -> bool:
        """Whether B is the same in every configuration."""
        ...

    @property
    def law(self) -> tuple[Vector, Vector] | None:
        """(k, c) of a compliant joint, F = −k e − c e'; None where e must vanish."""
        ...

    def suits(self, place: str, ports: Sequence[Port]) -> None:
        """Raise `WiringError` where the ports cannot be joined this way."""
        ...

    def gap(self, motions: Sequence[Motion]) -> Gap:
        """Violation of compatibility e and its rates e', e'', wang2003 (10)."""
        ...

    def jacobian(self, motions: Sequence[Motion]) -> Sequence[Matrix]:
        """Bᵢ = ∂e/∂xᵢ of every end, wang2003 (11)."""
        ...

    def admissible(self, z: Vector) -> Sequence[Motion]:
        """Motions of all ends that leave no gap: what X-X and X-T iterate on."""
        ...
