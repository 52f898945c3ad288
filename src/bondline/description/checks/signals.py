"""Do signals start at something that comes out, and end at something that goes in?"""

from __future__ import annotations

from collections.abc import Iterator

from bondline.core import Passport, Port, SignalPort
from bondline.description.catalogue import Catalogue
from bondline.description.place import Problem
from bondline.description.spec import (
    REMOTE,
    ComponentSpec,
    ConnectionSpec,
    SystemSpec,
)
from bondline.errors import did_you_mean

_MOTIONS = ("r", "v", "a", "phi", "omega", "alpha")
_FORCES = ("F", "M")


def check_signals(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """The connections of one system between outputs and inputs."""
    driven: set[tuple[str | None, str]] = set()
    for connection in system.connections:
        kinds = system.kinds(connection)
        if kinds and "unspecified" not in kinds and connection not in system.wires:
            yield _backwards(connection, kinds)
        elif connection not in system.wires:
            yield from _untransformed(connection)
    for wire in system.wires:
        for end, comes_out in zip(wire.ends, (True, False), strict=True):
            yield from _end(wire, end, system, catalogue, comes_out)
        if wire.end in driven:
            name = ".".join(map(str, wire.end))
            remedy = "Let one connection end there; add signals in a component."
            yield Problem("BND108", wire.where, f"{name} is driven twice.", remedy)
        driven.add(wire.end)


def _untransformed(connection: ConnectionSpec) -> Iterator[Problem]:
    """A transformation where no signal goes from element to element is told."""
    if (connection.factor, connection.offset) == (1.0, 0.0):
        return
    yield Problem(
        "BND136",
        connection.where,
        f"the connection from {connection.start[1]} to {connection.end[1]} has a "
        "LinearTransformation, and carries no signal between two elements.",
        "Glued ports and the connectors of a system itself exchange their numbers as "
        "they are: transform a signal from an output to an input of two elements.",
    )


def _backwards(connection: ConnectionSpec, kinds: tuple[str, ...]) -> Problem:
    first, second = connection.start[1], connection.end[1]
    return Problem(
        "BND028",
        connection.where,
        f"the signal from {first} ({kinds[0]}) to {second} ({kinds[1]}) cannot be "
        "carried.",
        "A signal goes from an output to an input; correct the kinds, or remove the "
        "connection.",
        "warning",
    )


def _end(
    wire: ConnectionSpec,
    end: tuple[str | None, str],
    system: SystemSpec,
    catalogue: Catalogue,
    comes_out: bool,
) -> Iterator[Problem]:
    owner = system.element(end[0] or "")
    if not isinstance(owner, ComponentSpec) or owner.kind == REMOTE:
        return  # what is inside is judged there
    passport = catalogue.passport(owner)
    if passport is None or offers(passport, end[1], comes_out):
        return
    if comes_out:
        return  # a value that it publishes, told when the model runs
    known = [
        n
        for n, p in passport.ports.items()
        if isinstance(p, SignalPort) and p.incoming is not comes_out
    ]
    yield Problem(
        "BND028",
        wire.where,
        f"{owner.name} ({passport.kind}) has no input {end[1]!r}.",
        f"{did_you_mean(end[1], known)} Forces on its ports are inputs, too: PORT.F.x.",
    )


def offers(passport: Passport, name: str, comes_out: bool) -> bool:
    """Whether a part has that signal: its own, or a motion of, or force on, a port."""
    port = passport.ports.get(name)
    if isinstance(port, SignalPort):
        return port.incoming is not comes_out
    whole, _, axis = name.rpartition(".")
    label, _, level = whole.rpartition(".")
    held = passport.ports.get(label)
    levels = _MOTIONS if comes_out else _FORCES
    return isinstance(held, Port) and level in levels and axis in ("x", "y", "z")
