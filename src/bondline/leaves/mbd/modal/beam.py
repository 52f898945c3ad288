"""Uniform Euler-Bernoulli beams as flexible bodies.

A beam lies along x of its own frame. Cross-sections stay plane: a point (x, y, z) moves
by the shape of its mode and, where the section has radii of gyration, by the tilt of
the section, so that rotary inertia counts. Without radii the mass is on the axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal.damping import ratios
from bondline.leaves.mbd.modal.mass_points import of_points
from bondline.leaves.mbd.modal.shapes import Shape, bending, gauss, stretching
from bondline.leaves.mbd.modal.stiffening import Strut, stiffening
from bondline.leaves.mbd.modes import Modes, Node

_MOST = 200
KINDS = ("bend-y", "bend-z", "axial", "torsion")
Station: TypeAlias = float


@dataclass(frozen=True)
class Shapes:
    """Some modes of one kind, the lowest `count`.

    `bend-z` moves along z, `bend-y` along y. `ends` are those of `shapes`:
    `clamped-free`, or `fixed-free` for `axial` and `torsion`.
    """

    kind: str
    count: int = 1
    ends: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            remedy = did_you_mean(self.kind, KINDS)
            raise SettingError(f"modes of kind {self.kind!r}", "unknown.", remedy)
        if not 0 <= self.count <= _MOST:
            raise SettingError(
                f"modes of kind {self.kind!r}",
                f"count is {self.count}.",
                f"Give 0 to {_MOST}.",
            )


@dataclass(frozen=True)
class Beam:
    """A uniform beam in SI units.

    `mass` is all of it, `radii` are the radii of gyration of the section along y and
    z, `frame` is where its left end is and how it is turned in the body.
    """

    length: float
    mass: float
    EIy: float = 0.0  # against bend-z
    EIz: float = 0.0  # against bend-y
    EA: float = 0.0
    GJ: float = 0.0
    radii: tuple[float, float] = (0.0, 0.0)
    frame: Frame = field(default_factory=Frame)

    def __post_init__(self) -> None:
        for name in ("length", "mass"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise SettingError(
                    f"beam: {name}", f"it is {getattr(self, name):g}.", "Give more."
                )

    def rigidity(self, kind: str) -> float:
        """EI, EA or GJ of a kind of modes."""
        names = dict(zip(KINDS, ("EIz", "EIy", "EA", "GJ"), strict=True))
        name = names[kind]
        found = float(getattr(self, name))
        if not 0.0 < found < np.inf:
            raise SettingError(
                f"beam: {name}",
                f"it is {found:g}, and there are {kind} modes.",
                "Give it.",
            )
        return found


@dataclass(frozen=True)
class _Mode:
    """One mode of a beam: its shape over x/L, divided by the root of its mass."""

    kind: str
    shape: Shape
    length: float
    scale: float

    def moved(self, x: Vector, d: int = 0) -> Vector:
        """Its displacement or twist, or a derivative of it by x."""
        raw = self.shape.at(x / self.length, d)
        return np.asarray(self.scale * raw / self.length**d)

    def shift(self, x: Vector) -> Matrix:
        """Displacements on the axis: n × 3."""
        out = np.zeros((len(x), 3))
        if self.kind != "torsion":
            out[:, ("axial", "bend-y", "bend-z").index(self.kind)] = self.moved(x)
        return out

    def tilt(self, x: Vector) -> Matrix:
        """Small rotations of sections: n × 3."""
        out = np.zeros((len(x), 3))
        if self.kind == "torsion":
            out[:, 0] = self.moved(x)
        if self.kind == "bend-z":
            out[:, 1] = -self.moved(x, 1)
        if self.kind == "bend-y":
            out[:, 2] = self.moved(x, 1)
        return out


def beam_modes(
    beam: Beam,
    shapes: Sequence[Shapes],
    *,
    nodes: Mapping[str, Station] | None = None,
    damping: float | Sequence[float] = 0.0,
    held: str | None = None,
) -> Modes:
    """A flexible body of a beam; modal coordinates in the order of `shapes`.

    `nodes` are stations x along the beam. `damping` are ratios, of all modes or of
    each, lowest first. With `held` (`left`, `right`, `both`: where the beam is held
    along its axis) axial forces of its own motion stiffen it.
    """
    modes = [_mode(beam, s, n + 1) for s in shapes for n in range(s.count)]
    waves = 2 * max((s.count for s in shapes), default=1)
    R, at = beam.frame.R, beam.frame.p
    x, w = gauss(waves)
    dm, s, phi = _spread(beam, modes, x * beam.length, w)
    known = of_points(dm, at + s @ R.T, phi @ R.T)
    K = _stiffness(beam, modes, waves)
    strut = Strut(beam.length, beam.mass / beam.length, at, R[:, 0], held or "")
    return Modes(
        *known,
        K=K,
        D=ratios(known.M, K, damping) if len(K) else K,
        nodes={name: _node(beam, modes, x) for name, x in (nodes or {}).items()},
        stiffening=stiffening(strut, *_slopes(beam, modes, waves)) if held else None,
    )


def _mode(beam: Beam, wanted: Shapes, number: int) -> _Mode:
    beam.rigidity(wanted.kind)
    mass = beam.mass
    if wanted.kind == "torsion":
        mass *= _polar(beam)
    if wanted.kind in ("axial", "torsion"):
        shape = stretching(wanted.ends or "fixed-free", number)
    else:
        shape = bending(wanted.ends or "clamped-free", number)
    return _Mode(wanted.kind, shape, beam.length, mass**-0.5)


def _polar(beam: Beam) -> float:
    polar = beam.radii[0] ** 2 + beam.radii[1] ** 2
    if not polar > 0.0:
        raise SettingError(
            "beam: radii",
            "a section without radii of gyration has no torsion modes.",
            "Give the radii, or leave torsion out.",
        )
    return polar


def _spread(
    beam: Beam, modes: Sequence[_Mode], x: Vector, w: Vector
) -> tuple[Vector, Matrix, Matrix]:
    """Masses, places and displacements of four points on every section.

    They stand for a section with its radii of gyration; without radii there is one.
    """
    ry, rz = np.asarray(beam.radii) * np.sqrt(2.0)
    arms = np.array([[0, ry, 0], [0, -ry, 0], [0, 0, rz], [0, 0, -rz]])
    arms = arms if arms.any() else np.zeros((1, 3))
    axis = np.stack([x, 0 * x, 0 * x], axis=1)
    s = (axis[:, None] + arms).reshape(-1, 3)
    dm = np.repeat(beam.mass * w / len(arms), len(arms))
    phi = np.zeros((len(modes), len(s), 3))
    for field_, mode in zip(phi, modes, strict=True):
        turned = np.cross(mode.tilt(x)[:, None], arms[None])
        field_[:] = (mode.shift(x)[:, None] + turned).reshape(-1, 3)
    return dm, s, phi


def _stiffness(beam: Beam, modes: Sequence[_Mode], waves: int) -> Matrix:
    """∫ EI φ'' φ'' or ∫ EA φ' φ' between modes of one kind."""
    x, w = gauss(waves)
    K = np.zeros((len(modes), len(modes)))
    for i, a in enumerate(modes):
        for j, b in enumerate(modes[: i + 1]):
            if a.kind == b.kind:
                d = 2 if a.kind.startswith("bend") else 1
                at = x * beam.length
                sum_ = (w * beam.length) @ (a.moved(at, d) * b.moved(at, d))
                K[i, j] = K[j, i] = beam.rigidity(a.kind) * sum_
    return K


def _slopes(
    beam: Beam, modes: Sequence[_Mode], waves: int
) -> tuple[Vector, Vector, Matrix]:
    """Points, weights, and slopes of the axis across itself: modes × points × 2."""
    x, w = gauss(waves)
    x, w = x * beam.length, w * beam.length
    slopes = np.zeros((len(modes), len(x), 2))
    for each, mode in zip(slopes, modes, strict=True):
        if mode.kind.startswith("bend"):
            each[:, ("bend-y", "bend-z").index(mode.kind)] = mode.moved(x, 1)
    return x, w, slopes


def _node(beam: Beam, modes: Sequence[_Mode], x: float) -> Node:
    if not 0.0 <= x <= beam.length * (1 + 1e-12):
        raise SettingError(
            f"beam: station {x:g}",
            f"the beam is {beam.length:g} long.",
            "Stations count from its left end.",
        )
    R, at = beam.frame.R, beam.frame.p
    one = np.array([x])
    shift = np.array([m.shift(one)[0] for m in modes]).reshape(-1, 3)
    tilt = np.array([m.tilt(one)[0] for m in modes]).reshape(-1, 3)
    place = Frame(tuple((at + R[:, 0] * x).tolist()), beam.frame.turn)
    return Node(place, R @ shift.T, R @ tilt.T)
