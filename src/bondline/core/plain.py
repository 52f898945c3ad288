"""What a model says about itself, as plain data: for documents and passports."""

from __future__ import annotations

from typing import Any

from bondline.core.abilities import Linearising, Serialising
from bondline.core.port import Port, SignalPort
from bondline.core.publishing import Observing, Showing
from bondline.core.subsystem import Model


def plain_ports(model: Model) -> dict[str, dict[str, Any]]:
    """Dofs with their units, nodes, and what each port takes."""
    return {name: plain_port(port) for name, port in model.ports.items()}


def plain_port(port: Port | SignalPort) -> dict[str, Any]:
    """One of them."""
    if isinstance(port, Port):
        takes = "force" if port.causality.value == "T" else "motion"
        units = ["rad" if dof.startswith("r") else "m" for dof in port.dofs]
        dofs = dict(zip(port.dofs, units, strict=True))
        return {"dofs": dofs, "nodes": port.nodes, "takes": takes}
    return {"unit": port.unit, "incoming": port.incoming}


def abilities(model: Model) -> dict[str, bool]:
    """What it declares, and what its methods show."""
    can = model.capabilities
    return {
        "rollback": can.repeatable,
        "linear": can.linear,
        "acceleration": can.acceleration,
        "one_step": can.one_step,
        "serialises": can.serialises and isinstance(model, Serialising),
        "linearises": isinstance(model, Linearising),
        "publishes": isinstance(model, Observing),
        "draws": isinstance(model, Showing),
    }
