"""What one partner sees of a served model: the ports its owner grants, no others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bondline.core import Port, SignalPort
from bondline.remote.codec.decode import Reader
from bondline.remote.codec.rows import Numbers


@dataclass(frozen=True)
class Front:
    """Ports that are granted, numbered in their order; `hidden` has all others.

    Whatever leaves goes through `numbers`, and whatever comes through `reader`: neither
    knows the hidden ones.
    """

    ports: tuple[Port | SignalPort, ...]
    hidden: tuple[Port | SignalPort, ...]
    reader: Reader = field(init=False, compare=False)
    numbers: Numbers = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reader", Reader(self.ports))
        object.__setattr__(self, "numbers", Numbers(p.name for p in self.ports))

    @classmethod
    def of(cls, ports: Iterable[Port | SignalPort], granted: frozenset[str]) -> Front:
        """All ports of a model, and the names of those that are granted."""
        every = tuple(ports)
        return cls(
            tuple(p for p in every if p.name in granted),
            tuple(p for p in every if p.name not in granted),
        )

    @property
    def dofs(self) -> int:
        """Of the ports that are granted."""
        return sum(p.size for p in self.ports)
