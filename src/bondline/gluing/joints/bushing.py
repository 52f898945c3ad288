"""Bushing: a joint that gives way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.core import Gap, Matrix, Motion, Port, PortRef, Vector
from bondline.errors import SettingError, WiringError
from bondline.gluing.joints.joint import Joint
from bondline.gluing.joints.tie import Tie


@dataclass(frozen=True)
class Bushing:
    """The gap of another joint, held by springs and dampers: F = −k e − c e'.

    F acts on the first end. `stiffness` and `damping` have one number a component of
    `inner`; a direction with neither is free.
    """

    inner: Joint | Tie
    stiffness: tuple[float, ...]
    damping: tuple[float, ...]

    def __post_init__(self) -> None:
        for what, given in (("stiffness", self.stiffness), ("damping", self.damping)):
            if len(given) != len(self.components) or not _usable(given):
                raise SettingError(
                    f"joint {self.name}",
                    f"its {what} is {' '.join(f'{x:g}' for x in given) or 'empty'}.",
                    f"Give one number, none of them negative, for each of "
                    f"{' '.join(self.components)}.",
                )

    @property
    def name(self) -> str:
        """That of the joint inside."""
        return self.inner.name

    @property
    def ends(self) -> tuple[PortRef, ...]:
        """Those of the joint inside."""
        return self.inner.ends

    @property
    def components(self) -> tuple[str, ...]:
        """Those of the joint inside."""
        return self.inner.components

    @property
    def constant(self) -> bool:
        """As the joint inside."""
        return self.inner.constant

    @cached_property
    def law(self) -> tuple[Vector, Vector]:
        """k and c of every component."""
        return np.array(self.stiffness, float), np.array(self.damping, float)

    def suits(self, place: str, ports: Sequence[Port]) -> None:
        """Two ports that the joint inside could hold."""
        if len(ports) != 2:
            raise WiringError(
                place,
                f"a bushing has two ends; found {', '.join(map(str, self.ends))}.",
                "Put a bushing between each pair.",
            )
        inner = self.inner  # a spring to a dof that is fixed is a spring to the ground
        (inner.fits if isinstance(inner, Tie) else inner.suits)(place, ports)

    def gap(self, motions: Sequence[Motion]) -> Gap:
        """How far it is deformed, and how fast."""
        return self.inner.gap(motions)

    def jacobian(self, motions: Sequence[Motion]) -> Sequence[Matrix]:
        """Bᵢ of the joint inside."""
        return self.inner.jacobian(motions)

    def admissible(self, z: Vector) -> Sequence[Motion]:
        """Nothing: ends of a bushing may move against each other."""
        raise WiringError(
            f"joint {self.name}",
            "a bushing lets its ends move against each other, so one motion does not "
            "tell those of both.",
            "Couple it by forces (T-T), or use a tie or a fixed joint.",
        )


def _usable(given: Sequence[float]) -> bool:
    return all(np.isfinite(x) and x >= 0.0 for x in given)
