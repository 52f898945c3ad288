"""Ports: the only surface a model shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from bondline.core.arrays import Matrix


class Causality(Enum):
    """Which half of the interface pair a port takes in."""

    FORCE_IN = "T"  # takes forces, answers with motion
    MOTION_IN = "X"  # takes motion, answers with forces


FRAME_DOFS = ("x", "y", "z", "rx", "ry", "rz")


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Where the nodes of a port rest, and the facets between them.

    `points` has one row (x, y, z) a node. A facet lists its nodes in order: two for a
    line, three or four for a face. A port without facets is a cloud of points.
    """

    points: Matrix
    facets: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Port:
    """A mechanical surface: a point, a frame, or a set of nodes.

    `dofs` are those of one node, for example ("x", "y") or ("x", "y", "z", "rx",
    "ry", "rz"); a port of several nodes lists them node by node. A `frame` turns by
    any amount and shows a unit quaternion; rotations of other ports are small, and
    add up. `fixed` lists the dofs, counted node by node, that the model holds still by
    itself: no force moves them.
    """

    name: str
    dofs: tuple[str, ...]
    nodes: int = 1
    causality: Causality = Causality.FORCE_IN
    frame: bool = False
    surface: Surface | None = None
    fixed: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.frame and (self.dofs, self.nodes) != (FRAME_DOFS, 1):
            raise ValueError(
                f"Port {self.name}: a frame is one node with the dofs "
                f"{' '.join(FRAME_DOFS)}; found {self.nodes} x {' '.join(self.dofs)}."
            )

    @property
    def size(self) -> int:
        """Number of degrees of freedom, and of force components."""
        return self.nodes * len(self.dofs)


@dataclass(frozen=True, slots=True)
class SignalPort:
    """A causal scalar: a torque going in, an angle coming out."""

    name: str
    unit: str
    incoming: bool

    @property
    def size(self) -> int:
        """One value."""
        return 1


class PortRef(NamedTuple):
    """`part.port`: the address of one end of a connection."""

    part: str
    port: str

    def __str__(self) -> str:
        return f"{self.part}.{self.port}"


def ref(text: str) -> PortRef:
    """Read `part.port`.

    >>> ref("upper.A")
    PortRef(part='upper', port='A')
    """
    part, dot, port = text.rpartition(".")
    if not (part and dot and port):
        raise ValueError(f"A port is written part.port, for example upper.A: {text!r}.")
    return PortRef(part, port)
