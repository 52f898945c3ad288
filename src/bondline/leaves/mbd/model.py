"""Mechanisms as data: bodies, joints, forces.

arm = Body("arm", 2.0, (0.1, 0.1, 0.01), markers={"root": Frame((0, 0, 0.5))})
swing = Joint("swing", "revolute", Frame.along((0, 1, 0)), "arm.root")
Mechanism("pendulum", [arm], [swing])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from bondline.core import Matrix, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.body_data import tensor, triple
from bondline.leaves.mbd.forces import Force, JointMotion
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.kinds import Kind, kind
from bondline.leaves.mbd.modes import Modes, Node

__all__ = ["GROUND", "Body", "Frame", "Joint", "Mechanism", "Modes", "Node"]

GROUND = "ground"
_NO_FRAMES: Mapping[str, Frame] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid or a flexible body.

    `inertia` is about the centre of mass, in body axes: three moments or a tensor.
    A flexible body takes mass, inertia and centre of mass from its modes.
    """

    name: str
    mass: float = 0.0
    inertia: ArrayLike = (0.0, 0.0, 0.0)
    com: Sequence[float] = (0.0, 0.0, 0.0)
    markers: Mapping[str, Frame] = field(default_factory=lambda: _NO_FRAMES)
    modes: Modes | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not (np.isfinite(self.mass) and self.mass >= 0.0):
            raise SettingError(
                f"{self.name}.mass", f"it is {self.mass!r}.", "A mass is not negative."
            )
        object.__setattr__(self, "com", triple(f"{self.name}.com", self.com))
        object.__setattr__(self, "inertia", tensor(self.name, self.inertia, thin=True))
        twice = set(self.markers) & set(self.modes.nodes if self.modes else ())
        if twice:
            raise SettingError(
                f"{self.name}.{min(twice)}",
                "a marker and a node of the modes have the same name.",
                "Name them apart; the node moves with the modes.",
            )

    @property
    def count(self) -> int:
        """How many modes it has."""
        return self.modes.count if self.modes else 0

    @property
    def places(self) -> dict[str, Frame | Node]:
        """Everything a joint, a force or a port may hold on to, by name."""
        return {**self.markers, **(self.modes.nodes if self.modes else {})}

    @cached_property
    def moments(self) -> tuple[float, Vector, Matrix]:
        """Mass, ∫ s dm and −∫ s̃ s̃ dm about the body's origin."""
        if self.modes:
            return self.modes.mass, self.modes.c0, self.modes.J0
        m, c = self.mass, np.array(self.com)
        J = np.asarray(self.inertia) + m * (c @ c * np.eye(3) - np.outer(c, c))
        return m, m * c, J


@dataclass(frozen=True, eq=False)
class Joint:
    """How the outboard body moves on the inboard one.

    `inboard` is a marker, "ground" or a frame in the world; `start` and `speed` are
    in the order of the kind's positions and speeds, zero if not given.
    """

    name: str
    kind: str
    inboard: str | Frame
    outboard: str
    start: Sequence[float] = ()
    speed: Sequence[float] = ()

    def __post_init__(self) -> None:
        _check_name(self.name)
        of = self.of
        for name, labels, rest in (
            ("start", of.positions, of.start),
            ("speed", of.speeds, (0.0,) * len(of.speeds)),
        ):
            given = _numbers(f"joint {self.name}.{name}", getattr(self, name)) or rest
            if len(given) != len(labels) or not np.isfinite(given).all():
                raise SettingError(
                    f"joint {self.name}.{name}",
                    f"found {len(given)} numbers, or some that are not finite.",
                    f"A {self.kind} joint takes {len(labels)}: {', '.join(labels)}.",
                )
            object.__setattr__(self, name, given)

    @property
    def of(self) -> Kind:
        """Its kind."""
        return kind(f"joint {self.name}", self.kind)


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Bodies on a tree of joints, with forces; `loops` are joints that close it.

    Each body is outboard in exactly one of the `joints`. Gaps of the loops are taken
    away after each window; with `closing` (1/s) they also close by themselves, as a
    critically damped oscillator of that frequency does (Baumgarte). `motions` tell
    coordinates of joints what to do, whatever force that takes.
    """

    name: str
    bodies: Sequence[Body]
    joints: Sequence[Joint]
    forces: Sequence[Force] = ()
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    ground: Mapping[str, Frame] = field(default_factory=lambda: _NO_FRAMES)
    loops: Sequence[Joint] = ()
    closing: float = 0.0
    motions: Sequence[JointMotion] = ()

    def __post_init__(self) -> None:
        for name in ("bodies", "joints", "forces", "loops", "motions"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(
            self, "gravity", triple(f"{self.name}.gravity", self.gravity)
        )
        _check_unique(self.name, "bodies", [GROUND, *(b.name for b in self.bodies)])
        joints = [j.name for j in (*self.joints, *self.loops)]
        _check_unique(self.name, "joints", joints)

    def body(self, place: str, name: str) -> Body:
        """The body of that name; `SettingError` with the nearest match otherwise."""
        for body in self.bodies:
            if body.name == name:
                return body
        known = (GROUND, *(b.name for b in self.bodies))
        raise SettingError(
            place, f"there is no body {name!r}.", did_you_mean(name, known)
        )

    def spot(self, place: str, ref: str | Frame) -> tuple[str, Frame | Node]:
        """The body a reference is on, and the frame or node it means there.

        "body.marker", "body" for the body's own frame, or a frame in the world.
        """
        if isinstance(ref, Frame):
            return GROUND, ref
        owner, dot, name = ref.partition(".")
        places: Mapping[str, Frame | Node] = (
            self.ground if owner == GROUND else self.body(place, owner).places
        )
        if not dot:
            return owner, Frame()
        if name not in places:
            raise SettingError(
                place, f"{owner} has no marker {name!r}.", did_you_mean(name, places)
            )
        return owner, places[name]


def _numbers(place: str, given: Sequence[float]) -> tuple[float, ...]:
    try:
        return tuple(map(float, given))
    except (TypeError, ValueError) as error:
        remedy = "Give numbers in a tuple: (0.3,) for one."
        raise SettingError(place, f"it is {given!r}.", remedy) from error


def _check_name(name: str) -> None:
    if not name or "." in name:
        raise SettingError(
            f"name {name!r}",
            "names of bodies and joints are not empty and have no dot.",
            "Write body.marker only where a marker is meant.",
        )


def _check_unique(place: str, what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise SettingError(
                place, f"two {what} are called {name!r}.", "Give each its own name."
            )
