"""Do the parts and connections fit together? Asked once, when a model is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bondline.core import Causality, Connection, Model, Port, PortRef
from bondline.errors import WiringError, did_you_mean


def check_wiring(
    name: str,
    parts: Mapping[str, Model],
    connections: Sequence[Connection],
    exports: Mapping[str, PortRef],
) -> None:
    """Raise `WiringError` at the first thing that does not fit."""
    seen: set[str] = set()
    for c in connections:
        place = f"{name}: joint {c.name}"
        if c.name in seen:
            raise WiringError(place, "the name is taken.", "Give it another name.")
        seen.add(c.name)
        _check_ends(place, c, parts)
    for label, target in exports.items():
        _port(f"{name}: export {label}", target, parts)


def _check_ends(place: str, c: Connection, parts: Mapping[str, Model]) -> None:
    if len(set(c.ends)) < max(2, len(c.ends)):
        raise WiringError(
            place,
            f"its ends are {', '.join(map(str, c.ends)) or 'missing'}.",
            "A joint needs two or more different ports.",
        )
    ports = [_port(place, end, parts) for end in c.ends]
    for end, port in zip(c.ends, ports, strict=True):
        if port.causality is not Causality.FORCE_IN:
            raise WiringError(
                place,
                f"{end} takes motion and answers with force.",
                "T-T coupling needs ports that take force on every side.",
            )
        if port.size != ports[0].size or port.dofs != ports[0].dofs:
            raise WiringError(
                place,
                f"dofs differ: {c.ends[0]} has {_dofs(ports[0])}, {end} has "
                f"{_dofs(port)}.",
                "Tie ports with the same dofs, or give one of them the missing dofs.",
            )
    _check_size(place, c, ports[0])


def _check_size(place: str, c: Connection, port: Port) -> None:
    expected = (len(c.ends) - 1) * port.size
    if len(c.components) != expected:
        raise WiringError(
            place,
            f"it has {len(c.components)} forces for ports of {port.size} dofs.",
            f"{len(c.ends)} ends of {_dofs(port)} need {expected}.",
        )


def _port(place: str, end: PortRef, parts: Mapping[str, Model]) -> Port:
    known = {f"{n}.{p}": port for n, s in parts.items() for p, port in s.ports.items()}
    port = known.get(str(end))
    if port is None:
        raise WiringError(
            place,
            f"it refers to {end}, which does not exist.",
            did_you_mean(str(end), known),
        )
    if not isinstance(port, Port):
        raise WiringError(
            place,
            f"{end} is a signal, not a mechanical port.",
            "Joints take ports with dofs.",
        )
    return port


def _dofs(port: Port) -> str:
    nodes = f" at {port.nodes} nodes" if port.nodes > 1 else ""
    return f"{len(port.dofs)} ({' '.join(port.dofs)}){nodes}"
