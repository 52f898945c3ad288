"""Any linear model as one level of ports and joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from bondline.core import Assembly, Model, Port, PortRef
from bondline.gluing.frequency.interface import Interface, interface


@runtime_checkable
class Glued(Protocol):
    """A model that is made of parts, seen from here."""

    @property
    def assembly(self) -> Assembly:
        """Parts and connections."""
        ...

    @property
    def exports(self) -> Mapping[str, PortRef]:
        """Ports that the outside may see."""
        ...


def whole(model: Model) -> Interface:
    """The parts of an integrated model; a leaf is an assembly of one."""
    name = model.name
    if isinstance(model, Glued):
        return interface(name, model.assembly, model.exports)
    ports = {p: PortRef(name, p) for p, t in model.ports.items() if isinstance(t, Port)}
    return interface(name, Assembly({name: model}, ()), ports)
