"""Do the parts and connections fit together? Asked once, when a model is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bondline.core import Connection, Model, Port, PortRef, SignalPort
from bondline.errors import SettingError, WiringError, did_you_mean


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
    ports = [_mechanical(place, end, parts) for end in c.ends]
    c.suits(place, ports)


def _mechanical(place: str, end: PortRef, parts: Mapping[str, Model]) -> Port:
    port = _port(place, end, parts)
    if not isinstance(port, Port):
        raise WiringError(
            place,
            f"{end} is a signal, not a mechanical port.",
            "Joints take ports with dofs.",
        )
    return port


def _port(place: str, end: PortRef, parts: Mapping[str, Model]) -> Port | SignalPort:
    part = parts.get(end.part)
    port = part.ports.get(end.port) if part is not None else None
    if port is None:
        known = [f"{n}.{p}" for n, s in parts.items() for p in s.ports]
        raise WiringError(
            place,
            f"it refers to {end}, which does not exist.",
            did_you_mean(str(end), known),
        )
    return port


def check_counts(name: str, windows: object, halvings: object) -> None:
    """Raise `SettingError` where windows or halvings are no counts."""
    for key, value, least in (("windows", windows, 1), ("halvings", halvings, 0)):
        if not isinstance(value, int) or value < least:
            raise SettingError(
                f"{name}: {key}",
                f"it is {value!r}.",
                f"Take a whole number, {least} or more.",
            )
