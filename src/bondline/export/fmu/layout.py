"""The variables that an exported model has: names, directions, units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bondline.core import Causality, Model, Observing, Port, SignalPort

TERMINAL_KIND = "io.github.bondline.mech.interface3d"
_LETTERS = {"force": ("F", "M"), "x": ("r", "phi"), "v": ("v", "omega")} | {
    "a": ("a", "alpha")
}
_UNITS = {"force": ("N", "N.m"), "x": ("m", "rad"), "v": ("m/s", "rad/s")} | {
    "a": ("m/s2", "rad/s2")
}


class Spot(NamedTuple):
    """One number of a port: the terminal it is in, its member, and where it lies.

    `level` is force, x, v, a or turn; `at` is its place in the array of that level.
    """

    name: str
    terminal: str
    member: str
    port: str
    level: str
    at: int
    incoming: bool
    unit: str


def spots(model: Model) -> list[Spot]:
    """Of all ports; a port of several nodes is a terminal a node."""
    return [
        spot
        for name, port in model.ports.items()
        if isinstance(port, Port)
        for spot in _port(name, port, model.capabilities.acceleration)
    ]


def _port(name: str, port: Port, accelerates: bool) -> Iterator[Spot]:
    levels = ("force", "x", "v", "a") if accelerates else ("force", "x", "v")
    forced = port.causality is Causality.FORCE_IN
    for node in range(port.nodes):
        terminal = f"{name}.{node + 1}" if port.nodes > 1 else name
        for level in levels:
            incoming = forced if level == "force" else not forced
            dofs = port.dofs[:3] if port.frame and level == "x" else port.dofs
            for k, dof in enumerate(dofs):
                turning = len(dof) == 2
                letter = _LETTERS[level][turning]
                yield _spot(
                    (terminal, f"{letter}.{dof[-1]}"),
                    (name, level, node * len(port.dofs) + k),
                    incoming,
                    _UNITS[level][turning],
                )
        if port.frame:
            for k, axis in enumerate("wxyz"):
                where = (name, "turn", k)
                yield _spot((terminal, f"q.{axis}"), where, not forced, "1")


def _spot(
    who: tuple[str, str], where: tuple[str, str, int], incoming: bool, unit: str
) -> Spot:
    terminal, member = who
    return Spot(f"{terminal}.{member}", terminal, member, *where, incoming, unit)


def signals(model: Model) -> list[SignalPort]:
    """The signals that go in and come out."""
    return [p for p in model.ports.values() if isinstance(p, SignalPort)]


def published(model: Model) -> dict[str, tuple[str, str]]:
    """Values that the model publishes, but its signals: by variable, name and unit.

    A value with the name of a parameter is told as `angle_now`.
    """
    if not isinstance(model, Observing):
        return {}
    shown = model.observe(model.start(0.0).state)
    taken = {*model.ports, *(s.name for s in spots(model))}
    return {
        f"{name}_now" if name in model.parameters else name: (name, seen.unit)
        for name, seen in shown.items()
        if name not in taken
    }


def terminals(model: Model) -> str:
    """terminalsAndIcons.xml: one terminal a port, or a node of a port."""
    groups: dict[str, list[Spot]] = {}
    for spot in spots(model):
        groups.setdefault(spot.terminal, []).append(spot)
    text = "".join(_terminal(name, group) for name, group in groups.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<fmiTerminalsAndIcons fmiVersion="3.0">\n<Terminals>\n{text}</Terminals>\n'
        "</fmiTerminalsAndIcons>\n"
    )


def _terminal(name: str, group: list[Spot]) -> str:
    members = "".join(
        f'<TerminalMemberVariable variableName="{s.name}" memberName="{s.member}" '
        'variableKind="signal"/>\n'
        for s in group
    )
    return (
        f'<Terminal name="{name}" matchingRule="bus" terminalKind="{TERMINAL_KIND}">\n'
        f"{members}</Terminal>\n"
    )


MANIFEST = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<fmi-ls:fmiLayeredStandardManifest '
    'xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest" '
    f'fmi-ls:fmi-ls-name="{TERMINAL_KIND}" fmi-ls:fmi-ls-version="1.0" '
    'fmi-ls:fmi-ls-description="Mechanical interfaces in space: forces on the '
    'component, motions of the interface, SI units, world axes."/>\n'
)
