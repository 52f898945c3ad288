"""Joints by the name of their kind, as model files and `glue` ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from bondline.core import Connection, Port, PortRef
from bondline.errors import WiringError, did_you_mean
from bondline.gluing.joints import makers
from bondline.gluing.joints.bushing import Bushing
from bondline.gluing.joints.fits import planar, turned
from bondline.gluing.joints.joint import Joint
from bondline.gluing.joints.mesh_tie import MeshTie
from bondline.gluing.joints.tie import Tie

Ends = tuple[PortRef, ...]
Ports = Sequence[Port]


@dataclass(frozen=True, slots=True)
class JointKind:
    """What a kind of joint means, the settings it takes, and how to make one.

    `make` is called with a name, the ends, their ports and settings.
    """

    meaning: str
    settings: tuple[str, ...]
    make: Callable[..., Connection]


def make_joint(
    kind: str, name: str, ends: Ends, ports: Ports, **settings: Any
) -> Connection:
    """The joint of the given kind; settings that are None are left to the kind.

    `WiringError` for an unknown kind, a setting it does not take, or one it lacks.
    """
    known = JOINT_KINDS.get(kind)
    if known is None:
        raise WiringError(
            f"joint {name}",
            f"it is of the kind {kind!r}, which does not exist.",
            did_you_mean(kind, JOINT_KINDS),
        )
    given = {k: v for k, v in settings.items() if v is not None}
    for setting in given:
        if setting not in known.settings:
            raise WiringError(
                f"joint {name}",
                f"a {kind} joint takes no {setting}.",
                did_you_mean(setting, known.settings),
            )
    return known.make(name, ends, ports, **given)


def _tie(
    name: str, ends: Ends, ports: Ports, dofs: Sequence[str] | None = None
) -> Connection:
    return Tie.of(name, ends, ports, dofs)


def _fixed(name: str, ends: Ends, ports: Ports, **given: Any) -> Connection:
    """Small rotations add up, so welded linear nodes are a tie, and stay linear."""
    if not given and not _finite(ports) and "rz" in ports[0].dofs:
        return replace(Tie.of(name, ends, ports), kind="fixed")
    return makers.fixed(name, ends, **_rested(ports, given))


def _spherical(name: str, ends: Ends, ports: Ports, **given: Any) -> Connection:
    if not given and not _finite(ports):
        tied = Tie.of(name, ends, ports, _point(ports, "xyz"))
        return replace(tied, kind="spherical")
    return makers.spherical(name, ends, **_rested(ports, given))


def _revolute(name: str, ends: Ends, ports: Ports, **given: Any) -> Connection:
    """In the plane there is one axis to turn about: a tie of the points."""
    if not given and all({*p.dofs} <= {"x", "y", "rz"} for p in ports):
        tied = Tie.of(name, ends, ports, _point(ports, "xy"))
        return replace(tied, kind="revolute")
    return makers.revolute(name, ends, **_rested(ports, given))


def _in_space(make: Callable[..., Joint]) -> Callable[..., Connection]:
    def made(name: str, ends: Ends, ports: Ports, **given: Any) -> Connection:
        return make(name, ends, **_rested(ports, given))

    return made


def _point_on_line(name: str, ends: Ends, ports: Ports, **given: Any) -> Connection:
    plane = all(map(planar, ports))
    return makers.point_on_line(name, ends, plane=plane, **_rested(ports, given))


def _distance(name: str, ends: Ends, ports: Ports, **given: Any) -> Connection:
    if "length" not in given:
        raise WiringError(
            f"joint {name}",
            "a distance joint without a length.",
            "Give its length in metres.",
        )
    plane = all(map(planar, ports))
    return makers.distance(name, ends, plane=plane, **_rested(ports, given))


def _bushing(
    name: str,
    ends: Ends,
    ports: Ports,
    stiffness: Sequence[float] | float = (),
    damping: Sequence[float] | float = 0.0,
    **given: Any,
) -> Connection:
    """Axes turn with the first end where it turns; a tie's gap where nothing does."""
    inner = _cushion(name, ends, ports, given)
    n = len(inner.components)
    return Bushing(inner, _each(stiffness, n), _each(damping, n))


def _cushion(
    name: str, ends: Ends, ports: Ports, given: Mapping[str, Any]
) -> Joint | Tie:
    seats = {k: v for k, v in given.items() if k != "dofs"}
    if not _finite(ports) and not seats:
        return Tie.whole(name, ends, ports, given.get("dofs"))
    if "dofs" in given:
        raise WiringError(
            f"joint {name}",
            f"a bushing of frames takes no dofs, found {' '.join(given['dofs'])}.",
            "Give no stiffness to the directions that are to be free.",
        )
    if not turned(ports[0]):
        return makers.spherical(name, ends, **_rested(ports, seats))
    whole = all(map(turned, ports))
    return makers.cushion(name, ends, whole, **_rested(ports, seats))


def _each(given: Sequence[float] | float, count: int) -> tuple[float, ...]:
    """One number for all directions, or one for each."""
    numbers = (given,) if isinstance(given, int | float) else tuple(given)
    return tuple(map(float, numbers * count if len(numbers) == 1 else numbers))


def _mesh_tie(
    name: str, ends: Ends, ports: Ports, dofs: Sequence[str] = (), **given: Any
) -> Connection:
    return MeshTie(name, ends, tuple(ports), dofs=tuple(dofs), **given)


def _finite(ports: Ports) -> bool:
    return any(port.frame for port in ports)


def _point(ports: Ports, directions: str) -> tuple[str, ...]:
    """The translations that the first port has."""
    return tuple(d for d in ports[0].dofs if d in directions)


def _rested(ports: Ports, given: Mapping[str, Any]) -> dict[str, Any]:
    """With the rests of nodes that meet a frame: they show displacements from there."""
    rests = [_rest(port) for port in ports]
    if "rests" in given or not _finite(ports) or not any(map(any, rests)):
        return dict(given)
    return {**given, "rests": rests}


def _rest(port: Port) -> tuple[float, ...]:
    if port.surface is None or port.frame or port.nodes > 1:
        return (0.0, 0.0, 0.0)
    return tuple(map(float, port.surface.points[0]))


_SEATS = ("frames", "rests")
_AXES = ("axis", "axis2", *_SEATS)

JOINT_KINDS: Mapping[str, JointKind] = MappingProxyType(
    {
        "tie": JointKind("ports share their dofs, or some of them", ("dofs",), _tie),
        "fixed": JointKind("frames move as one", _SEATS, _fixed),
        "spherical": JointKind("points coincide", ("rests",), _spherical),
        "revolute": JointKind("turns about one axis", _AXES, _revolute),
        "universal": JointKind(
            "turns about two perpendicular axes", _AXES, _in_space(makers.universal)
        ),
        "cylindrical": JointKind(
            "turns about one axis and slides along it",
            _AXES,
            _in_space(makers.cylindrical),
        ),
        "prismatic": JointKind(
            "slides along one axis", ("axis", *_SEATS), _in_space(makers.prismatic)
        ),
        "planar": JointKind(
            "slides in a plane and turns about its normal",
            _AXES,
            _in_space(makers.planar),
        ),
        "point-on-line": JointKind(
            "a point of the second end on a line of the first",
            ("axis", *_SEATS),
            _point_on_line,
        ),
        "distance": JointKind(
            "two points a length apart", ("length", "rests"), _distance
        ),
        "mesh-tie": JointKind(
            "surfaces move as one though their meshes do not match",
            ("method", "dofs", "multipliers", "reach", "moments"),
            _mesh_tie,
        ),
        "bushing": JointKind(
            "springs and dampers in every direction",
            ("stiffness", "damping", "dofs", *_SEATS),
            _bushing,
        ),
    }
)
