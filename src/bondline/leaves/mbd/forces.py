"""Forces inside a mechanism, besides gravity.

Ends and points are markers, "body.marker"; a coordinate is one of the joint's
(`kinds.py`), by default its first. Histories are those of the finite-element leaf.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

from bondline.errors import SettingError
from bondline.leaves.expression import Expression
from bondline.leaves.histories import STEADY, Constant, Harmonic, Table
from bondline.leaves.spatial import Triple

__all__ = [
    "STEADY",
    "Bushing",
    "Constant",
    "Contact",
    "Expression",
    "Force",
    "Harmonic",
    "History",
    "JointLoad",
    "JointMotion",
    "JointSpring",
    "JointStop",
    "Polynomial",
    "Push",
    "Spring",
    "Table",
    "rate_of",
]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """c₀ + c₁ (t − t₀) + c₂ (t − t₀)² + …, at all times."""

    coefficients: tuple[float, ...]
    t0: float = 0.0


History: TypeAlias = Constant | Table | Harmonic | Polynomial | Expression


@dataclass(frozen=True, slots=True)
class JointLoad:
    """A force or torque of a motor on a coordinate: `factor` times the history."""

    joint: str
    history: History
    coordinate: str = ""
    factor: float = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.history, int | float):
            raise SettingError(
                f"load on joint {self.joint}",
                f"its history is the number {self.history:g}.",
                f"Write Constant({self.history:g}).",
            )


@dataclass(frozen=True, slots=True)
class JointMotion:
    """A coordinate that is told: the sum of the histories, which must be smooth."""

    joint: str
    histories: tuple[History, ...]
    coordinate: str = ""


def rate_of(place: str, history: History) -> History:
    """The history of its rate; `SettingError` if it has none that is a history."""
    match history:
        case Constant():
            return Constant(0.0)
        case Polynomial(coefficients, t0):
            rates = [k * c for k, c in enumerate(coefficients)][1:]
            return Polynomial(tuple(rates) or (0.0,), t0)
        case Harmonic(_, a, b, omega, t0):
            terms = max(len(a), len(b))
            a, b = (x + (0.0,) * (terms - len(x)) for x in (a, b))
            w = [(k + 1) * omega for k in range(terms)]
            cosines = tuple(w[k] * b[k] for k in range(terms))
            sines = tuple(-w[k] * a[k] for k in range(terms))
            return Harmonic(0.0, cosines, sines, omega, t0)
        case _:
            raise SettingError(
                place,
                f"a motion cannot be told by a {type(history).__name__.lower()}.",
                "Give constants, polynomials and harmonics, whose rates are known.",
            )


def _numbers(place: str, **given: float) -> None:
    for name, value in given.items():
        if not isfinite(value):
            raise SettingError(place, f"its {name} is {value:g}.", "Give a number.")


def _laws(place: str, stiffness: float, power: float, damping: float) -> None:
    """k xᵖ (1 + d ẋ) must push back."""
    _numbers(place, stiffness=stiffness, power=power, damping=damping)
    if stiffness < 0.0 or power <= 0.0 or damping < 0.0:
        raise SettingError(
            place,
            f"found stiffness {stiffness:g}, power {power:g} and damping {damping:g}.",
            "Give a power above zero, and no negative stiffness or damping.",
        )


@dataclass(frozen=True, slots=True)
class JointSpring:
    """A linear spring and damper on a coordinate: −k (q − rest) − d q̇."""

    joint: str
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    coordinate: str = ""

    def __post_init__(self) -> None:
        place = f"spring of joint {self.joint}"
        _numbers(place, stiffness=self.stiffness, damping=self.damping, rest=self.rest)


@dataclass(frozen=True, slots=True)
class JointStop:
    """A bump stop: beyond `above` or below `below`, k xᵖ (1 + d ẋ) pushes back.

    x is how far the coordinate is beyond; the stop never pulls.
    """

    joint: str
    stiffness: float
    above: float | None = None
    below: float | None = None
    power: float = 1.0
    damping: float = 0.0
    coordinate: str = ""

    def __post_init__(self) -> None:
        place = f"stop of joint {self.joint}"
        _laws(place, self.stiffness, self.power, self.damping)
        ends = {"above": self.above, "below": self.below}
        _numbers(place, **{n: x for n, x in ends.items() if x is not None})


@dataclass(frozen=True, slots=True)
class Push:
    """A force and a moment at a marker, times the history.

    In world axes, or in those of the marker if they `follow` it.
    """

    at: str
    force: Triple = (0.0, 0.0, 0.0)
    moment: Triple = (0.0, 0.0, 0.0)
    history: History = STEADY
    follow: bool = False


@dataclass(frozen=True, slots=True)
class Spring:
    """A spring and damper between two points: k (l − length) + d l̇ pulls them."""

    a: str
    b: str
    stiffness: float = 0.0
    damping: float = 0.0
    length: float = 0.0

    def __post_init__(self) -> None:
        given = {"stiffness": self.stiffness, "damping": self.damping}
        _numbers(f"spring from {self.a} to {self.b}", **given, length=self.length)


@dataclass(frozen=True, slots=True)
class Bushing:
    """Six springs and dampers between two frames that rest one upon the other.

    Three along the axes of frame `a`, at `b`, for the shift of `b`; three about them
    for the rotation vector from `a` to `b`. Potential forces act for any turn.
    """

    a: str
    b: str
    stiffness: Sequence[float]
    damping: Sequence[float] = (0.0,) * 6


@dataclass(frozen=True, slots=True)
class Contact:
    """A sphere about a point, pushed out of the plane z = 0 of another frame.

    The normal force is k xᵖ (1 + d ẋ), never a pull, at depth x. Friction opposes the
    sliding: μ times the normal force, regularised below the speed `stiction`. With
    an `edge` the plane ends there, as a curb does: the sphere also touches its edge,
    the y axis through x = 0; the plane is where x > 0.
    """

    point: str
    plane: str
    radius: float
    stiffness: float
    power: float = 1.5
    damping: float = 0.0
    friction: float = 0.0
    stiction: float = 1e-2
    edge: bool = False

    def __post_init__(self) -> None:
        place = f"contact of {self.point} with {self.plane}"
        _laws(place, self.stiffness, self.power, self.damping)
        _numbers(place, radius=self.radius, friction=self.friction)
        if not self.stiction > 0.0:
            raise SettingError(
                place,
                f"its stiction is {self.stiction:g} m/s.",
                "Give a small speed above zero, below which it sticks.",
            )


Force: TypeAlias = (
    JointLoad | JointSpring | JointStop | Push | Spring | Bushing | Contact
)
