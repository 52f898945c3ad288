"""Mass, centre and inertia of simple solids, in SI units.

    disc = cylinder(0.3, 0.05, density=7850)
    shaft = tube(1.0, 0.05, 0.04, mass=2.0).moved(Frame((0, 0, 0.5)))
    body = composite(disc, shaft).body("rotor")

Each is centred at its frame's origin; a rod, a tube and a cylinder lie along z.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.model import Body


@dataclass(frozen=True, eq=False)
class Lump:
    """A rigid mass: `inertia` (3 × 3) is about `com`, in the axes of its frame."""

    mass: float
    com: Vector
    inertia: Matrix

    @property
    def about_origin(self) -> Matrix:
        """The inertia about the origin, by the parallel axes."""
        return np.asarray(self.inertia + _offset(self.mass, self.com))

    def moved(self, frame: Frame) -> Lump:
        """The same mass, described where `frame` is placed."""
        R = frame.R
        return Lump(self.mass, frame.p + R @ self.com, R @ self.inertia @ R.T)

    def body(self, name: str, markers: Mapping[str, Frame] | None = None) -> Body:
        """A rigid body of it."""
        com = tuple(self.com.tolist())
        return Body(name, self.mass, self.inertia, com, markers or {})


def _offset(mass: float, d: Vector) -> Matrix:
    return np.asarray(mass * (d @ d * np.eye(3) - np.outer(d, d)))


def composite(*lumps: Lump) -> Lump:
    """All of them as one; a hole has a negative mass."""
    mass = sum(lump.mass for lump in lumps)
    if not mass > 0.0:
        raise SettingError(
            "composite", f"its mass is {mass:g}.", "Give lumps with mass."
        )
    com = sum((lump.mass * lump.com for lump in lumps), np.zeros(3)) / mass
    whole = sum((lump.about_origin for lump in lumps), np.zeros((3, 3)))
    return Lump(mass, com, whole - _offset(mass, com))


def point(mass: float, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Lump:
    """All mass in one point."""
    return Lump(_positive("point: mass", mass), np.array(at, float), np.zeros((3, 3)))


def box(
    x: float, y: float, z: float, *, mass: float | None = None, density: float = 0.0
) -> Lump:
    """A box with these sides."""
    m = _mass("box", x * y * z, mass, density)
    return _lump(m, (y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)


def rod(length: float, mass: float) -> Lump:
    """A thin rod."""
    across = length * length / 12
    return _lump(_positive("rod: mass", mass), across, across, 0.0)


def cylinder(
    radius: float, length: float, *, mass: float | None = None, density: float = 0.0
) -> Lump:
    """A solid cylinder."""
    return tube(length, radius, 0.0, mass=mass, density=density)


def tube(
    length: float,
    outer: float,
    inner: float,
    *,
    mass: float | None = None,
    density: float = 0.0,
) -> Lump:
    """A hollow cylinder with the radii `outer` and `inner`."""
    if not 0.0 <= inner < outer:
        raise SettingError(
            "tube", f"radii {outer:g} and {inner:g}.", "The outer one is larger."
        )
    m = _mass("tube", pi * (outer**2 - inner**2) * length, mass, density)
    square = outer**2 + inner**2
    across = square / 4 + length**2 / 12
    return _lump(m, across, across, square / 2)


def sphere(radius: float, *, mass: float | None = None, density: float = 0.0) -> Lump:
    """A solid sphere."""
    m = _mass("sphere", 4 / 3 * pi * radius**3, mass, density)
    return _lump(m, *(0.4 * radius**2,) * 3)


def ellipsoid(
    x: float, y: float, z: float, *, mass: float | None = None, density: float = 0.0
) -> Lump:
    """A solid ellipsoid with these half axes."""
    m = _mass("ellipsoid", 4 / 3 * pi * x * y * z, mass, density)
    return _lump(m, (y * y + z * z) / 5, (x * x + z * z) / 5, (x * x + y * y) / 5)


def capsule(
    radius: float, length: float, *, mass: float | None = None, density: float = 0.0
) -> Lump:
    """A cylinder of that length between two half spheres."""
    barrel, ball = pi * radius**2 * length, 4 / 3 * pi * radius**3
    share = _mass("capsule", barrel + ball, mass, density) / (barrel + ball)
    m_b, m_s = barrel * share, ball * share
    arm = length**2 / 4 + 3 / 8 * length * radius
    across = m_b * (radius**2 / 4 + length**2 / 12) + m_s * (0.4 * radius**2 + arm)
    along = m_b * radius**2 / 2 + m_s * 0.4 * radius**2
    return Lump(m_b + m_s, np.zeros(3), np.diag([across, across, along]))


def _lump(mass: float, x: float, y: float, z: float) -> Lump:
    return Lump(mass, np.zeros(3), mass * np.diag([x, y, z]))


def _mass(what: str, volume: float, mass: float | None, density: float) -> float:
    _positive(f"{what}: volume", volume)
    if (mass is None) == (density == 0.0):
        raise SettingError(
            what, "it has both a mass and a density, or neither.", "Give one of them."
        )
    return _positive(f"{what}: mass", density * volume if mass is None else mass)


def _positive(place: str, value: float) -> float:
    if not 0.0 < value < np.inf:
        raise SettingError(place, f"it is {value:g}.", "It must be positive.")
    return float(value)
