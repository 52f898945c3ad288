"""Mechanisms that every multibody code can be asked for, as plain data.

The gun-turret of kim2000 with a floating frame is `Gun`; trees of revolute joints
are `Tree`: the same gun with a tube cut into rigid pieces, an arm of six joints, and
a chain of forty links. All run for one second.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Triple = tuple[float, float, float]
HERE = Path(__file__).resolve().parent
TIMES = np.linspace(0.0, 1.0, 201)  # where positions are compared
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TINY = 1e-6  # kg m²: MuJoCo takes no rods without thickness


@dataclass(frozen=True)
class Link:
    """A body on a revolute joint; at zero all links have the axes of the world.

    `torque` acts about the axis: a constant, and the amplitude of sin(2 pi t).
    A link without mass is one half of a universal joint: the next one is its child.
    """

    parent: int
    at: Triple
    axis: Triple
    mass: float = 0.0
    com: Triple = (0.0, 0.0, 0.0)
    inertia: Triple = (0.0, 0.0, 0.0)
    stiffness: float = 0.0
    torque: tuple[float, float] = (0.0, 0.0)
    start: float = 0.0


@dataclass(frozen=True)
class Tree:
    """Links, parents first; the tip is a point of the last one."""

    name: str
    links: tuple[Link, ...]
    tip: Triple
    gravity: float = 9.81

    @property
    def start(self) -> Array:
        return np.array([link.start for link in self.links])

    def torques(self, t: Array | float) -> Array:
        """Of all joints, one row a time."""
        constant, amplitude = np.array([link.torque for link in self.links]).T
        return constant + np.multiply.outer(
            np.sin(2.0 * np.pi * np.asarray(t)), amplitude
        )


@dataclass(frozen=True)
class Gun:
    """Parameters of numerics 6.3: yaw and elevation, two modes in each plane."""

    values: dict = field(
        default_factory=lambda: json.loads((HERE / "multibody_gun.json").read_text())
    )
    mount_mass: float = 2600.0

    def __getattr__(self, name: str):
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def torques(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """kim2000 (43), (44)."""
        return (0.0, -45500.0), (-33451.0, 17600.0)

    def shapes(self, s: Array) -> Array:
        """Both cantilever modes at a distance from the clamp, one column each."""
        columns = []
        for lam, sig in zip(self.lam, self.sig, strict=True):
            x = lam * np.asarray(s) / self.L
            value = np.cosh(x) - np.cos(x) - sig * (np.sinh(x) - np.sin(x))
            columns.append(value / np.sqrt(self.m))
        return np.stack(columns, axis=-1)


def lumped_gun(hinges: Sequence[tuple[float, float]] | int = 2) -> Tree:
    """The tube in rigid pieces with elastic hinges (place from the clamp, stiffness).

    By number: pieces of one length, hinges in their middles as finite segments have
    them; two are placed instead where they have the frequencies of the modes.
    """
    gun = Gun()
    if isinstance(hinges, int):
        hinges = FITTED if hinges == 2 else segments(gun, hinges)
    yaw, elevation = gun.torques
    turret = gun.J_yaw - gun.mount_mass * gun.p_x**2 - gun.J_my
    places = [0.0, *(x for x, _ in hinges), gun.L]
    root = rod(gun, 0.0, places[1], gun.x_r)
    links = [
        Link(-1, (0, 0, 0), Z, 1.0, (0, 0, 0), (turret,) * 3, torque=yaw),
        Link(0, (gun.p_x, 0, 0), Y, *with_mount(gun, *root), torque=elevation),
    ]
    base = -gun.x_r
    for (x, k), (_, end) in zip(hinges, pairwise(places[1:]), strict=True):
        links.append(Link(len(links) - 1, (x - base, 0, 0), Y, stiffness=k))
        piece = rod(gun, x, end)
        links.append(Link(len(links) - 1, (0, 0, 0), Z, *piece, stiffness=k))
        base = x
    return Tree(f"gun, {len(links)} joints", tuple(links), (gun.L - base, 0, 0))


def segments(gun: Gun, count: int) -> list[tuple[float, float]]:
    """Hinges of finite segments: EI over the length of a piece."""
    length = gun.L / count
    return [((k + 0.5) * length, gun.E * gun.I / length) for k in range(count)]


def rod(gun: Gun, begin: float, end: float, before: float = 0.0) -> tuple:
    """Mass, centre and inertia of a piece of the tube, from its hinge."""
    length = end - begin
    mass = gun.m * length / gun.L
    across = mass * length**2 / 12.0
    return mass, (before + length / 2.0, 0.0, 0.0), (TINY, across, across)


def with_mount(gun: Gun, mass: float, com: Triple, inertia: Triple) -> tuple:
    """A rod, and the mount whose centre is on the trunnion."""
    total = mass + gun.mount_mass
    x = mass * com[0] / total
    shift = mass * com[0] ** 2 - total * x**2
    Jx, Jy, Jz = inertia
    both = (Jx + gun.J_my, Jy + gun.J_my + shift, Jz + gun.J_my + shift)
    return total, (x, 0.0, 0.0), both


def arm() -> Tree:
    """An arm of six joints that falls from a raised pose; sizes of a small robot."""
    rows = (  # at, axis, mass, com, inertia, start
        ((0, 0, 0.3), Z, 12.0, (0, 0, 0.1), (0.15, 0.14, 0.08), 0.3),
        ((0, 0, 0.3), Y, 17.4, (0, 0.05, 0.2), (0.52, 0.54, 0.13), 0.5),
        ((0, 0, 0.43), Y, 4.8, (0, -0.01, 0.1), (0.066, 0.07, 0.0125), 0.9),
        ((0, 0, 0.2), Z, 1.2, (0, 0, 0.1), (8.0e-3, 8.0e-3, 2.0e-3), -0.4),
        ((0, 0, 0.23), Y, 0.6, (0, 0, 0.02), (1.0e-3, 1.1e-3, 0.8e-3), 0.7),
        ((0, 0, 0.06), Z, 0.5, (0.02, 0, 0.05), (1.0e-3, 1.1e-3, 0.9e-3), 0.2),
    )
    links = [
        Link(k - 1, at, axis, mass, com, inertia, start=start)
        for k, (at, axis, mass, com, inertia, start) in enumerate(rows)
    ]
    return Tree("arm, 6 joints", tuple(links), (0.05, 0.0, 0.1))


def chain(count: int = 40, length: float = 0.25, mass: float = 2.0) -> Tree:
    """Slender links that hang, started as the chain of numerics 6.4 is."""
    angles = 0.1 * np.sin(np.linspace(0.2, 2.5, count))  # from the vertical
    turned = np.diff(angles, prepend=0.0)
    across = mass * length**2 / 12.0
    links = [
        Link(
            k - 1,
            (0, 0, -length if k else 0),
            Y,
            mass,
            (0, 0, -length / 2.0),
            (across, across, TINY),
            start=float(turned[k]),
        )
        for k in range(count)
    ]
    return Tree(f"chain, {count} links", tuple(links), (0.0, 0.0, -length))


# Clamped (40.892, 256.266 rad/s) and on the free trunnion (121.727, 314.778 rad/s) two
# hinges in each plane vibrate as the two modes of the floating frame do.
FITTED = (
    (0.5509086206807612, 17819264.606885478),
    (2.3502796594422373, 11219061.447091434),
)
TREES = {"gun": lumped_gun, "arm": arm, "chain": chain}
