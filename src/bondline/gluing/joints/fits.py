"""Which ports a joint can hold, and which joint would hold the ports there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bondline.core import FRAME_DOFS, Port, PortRef
from bondline.errors import WiringError

_SPACE = FRAME_DOFS[:3]
_PLANE = (("x", "y"), ("x", "y", "rz"))
_TURNED = "fixed, spherical, revolute, universal, cylindrical, prismatic, planar"


@dataclass(frozen=True, slots=True)
class Needs:
    """What a joint asks of its ports.

    `turns` says whether the ends but the last must show how they are turned, and
    whether the last must.
    """

    kind: str
    turns: tuple[bool, bool]
    plane: bool
    many: bool


def check_ports(
    place: str, needs: Needs, ends: Sequence[PortRef], ports: Sequence[Port]
) -> None:
    """Raise `WiringError` with the ends, their dofs and the joints that would fit."""
    last = len(ports) - 1
    fit = all(_holds(p, needs, needs.turns[i == last]) for i, p in enumerate(ports))
    if fit and (needs.many or len(ports) == 2):
        return
    if fit:
        raise WiringError(
            place,
            f"a {needs.kind} joint has two ends; found {_listed(ends, ports)}.",
            "Join them pair by pair; tie, fixed and spherical take several ends.",
        )
    raise WiringError(
        place,
        f"a {needs.kind} joint{' in the plane' * needs.plane} cannot hold "
        f"{_listed(ends, ports)}.",
        f"{_asked(needs)} {fitting(ports)}",
    )


def turned(port: Port) -> bool:
    """Whether a port in space shows how it is turned."""
    return port.nodes == 1 and port.dofs == FRAME_DOFS


def planar(port: Port) -> bool:
    """A point x y or a body x y rz."""
    return port.nodes == 1 and port.dofs in _PLANE


def shown(port: Port) -> str:
    """Its dofs, in words.

    >>> shown(Port("p", ("x", "y"), nodes=3))
    '2 (x y) at 3 nodes'
    """
    nodes = f" at {port.nodes} nodes" if port.nodes > 1 else ""
    frame = " as a frame" if port.frame else ""
    return f"{len(port.dofs)} ({' '.join(port.dofs)}){nodes}{frame}"


def effort(dof: str) -> str:
    """What a joint does to a dof: `Fx` to x, `Mx` to rx.

    >>> effort("x"), effort("rx"), effort("s")
    ('Fx', 'Mx', 'Fs')
    """
    return f"M{dof[1:]}" if dof in FRAME_DOFS[3:] else f"F{dof}"


def fitting(ports: Sequence[Port]) -> str:
    """A sentence with the kinds of joints that these ports allow."""
    first, *others = ports
    if all(map(turned, ports)):
        return f"These allow {_TURNED}, point-on-line or distance."
    if all(turned(p) or _point(p) for p in ports):
        line = " or point-on-line" if turned(first) else ""
        return f"These allow spherical, distance{line}."
    if all(map(planar, ports)):
        line = " or point-on-line" if first.dofs == _PLANE[1] else ""
        return f"These allow tie, revolute (x y), distance{line}."
    shared = [d for d in first.dofs if all(d in p.dofs for p in others)]
    if len({p.nodes for p in ports}) == 1 and shared:
        return f'These allow a tie with dofs="{" ".join(shared)}".'
    return "No point joint holds these; meshes that do not match need a mesh tie."


def _holds(port: Port, needs: Needs, oriented: bool) -> bool:
    if needs.plane:
        return planar(port) and (not oriented or port.dofs == _PLANE[1])
    return turned(port) or (not oriented and _point(port))


def _point(port: Port) -> bool:
    return port.nodes == 1 and port.dofs == _SPACE


def _asked(needs: Needs) -> str:
    body, point = ("x y rz", "x y") if needs.plane else (" ".join(FRAME_DOFS), "x y z")
    first, last = (
        body if oriented else f"{point} or {body}" for oriented in needs.turns
    )
    if first == last:
        return f"It needs ports of one node with the dofs {first}."
    return f"It needs {first} at the first end, {last} at the second."


def _listed(ends: Sequence[PortRef], ports: Sequence[Port]) -> str:
    each = [f"{e} with {shown(p)}" for e, p in zip(ends, ports, strict=True)]
    return f"{', '.join(each[:-1])} and {each[-1]}"
