"""Ports: the only surface a model shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Causality(Enum):
    """Which half of the interface pair a port takes in."""

    FORCE_IN = "T"  # takes forces, answers with motion
    MOTION_IN = "X"  # takes motion, answers with forces


@dataclass(frozen=True, slots=True)
class Port:
    """A mechanical surface: a point, a frame, or a set of nodes.

    `dofs` are those of one node, for example ("x", "y") or ("x", "y", "z", "rx",
    "ry", "rz"); a port of several nodes lists them node by node.
    """

    name: str
    dofs: tuple[str, ...]
    nodes: int = 1
    causality: Causality = Causality.FORCE_IN

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


@dataclass(frozen=True, slots=True)
class PortRef:
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
