"""Which models can be taken many windows at a time, and why others cannot."""

from __future__ import annotations

from bondline.core import Assembly, Causality, Port
from bondline.errors import SettingError
from bondline.gluing.couplings.tt import TT
from bondline.gluing.glueing import Glueing
from bondline.gluing.solvers.newton import Newton


def check_block(glueing: Glueing, block: int, waveform: bool, against: str) -> None:
    """Raise `SettingError` where a model cannot be driven in blocks as it is told.

    `against` is the `obstacle`, if there is one.
    """
    place = f"{glueing.name}: block of {block} windows"
    if block < 1:
        raise SettingError(place, "there is none.", "Give a block of 1, 10 or 50.")
    if block == 1 and waveform:
        finding = "there are no blocks to iterate on."
        remedy = "Say how many windows a block has (--block 5), or leave it out."
        raise SettingError(f"{glueing.name}: waveform", finding, remedy)
    if block == 1:
        return
    if against:
        remedy = "Leave the block out: one window at a time."
        raise SettingError(place, f"{against}.", remedy)
    name = curved(glueing.assembly)
    if name and not waveform:
        raise SettingError(
            place,
            f"part {name} is not linear: the forces of many windows do not follow "
            "from one exchange.",
            'Choose the waveform iteration (--waveform, waveform="true") with a few '
            "windows a block, or leave the block out.",
        )


def obstacle(glueing: Glueing, windows: int, paced: bool) -> str:
    """Why not even an iteration can glue blocks of windows; nothing if it can."""
    if paced:
        return "its windows are adaptive, and those of a block have one length"
    if windows > 1:
        return f"its parts exchange {windows} times a window already"
    assembly = glueing.assembly
    return _method(glueing) or _joints(assembly) or _ports(assembly)


def _method(glueing: Glueing) -> str:
    if not isinstance(glueing.coupling, TT):
        kind = glueing.coupling.settings().get("method", "another")
        return f"the coupling is {kind}; blocks need T-T, forces in and motion out"
    if not isinstance(glueing.solver, Newton):
        kind = glueing.solver.settings()["kind"]
        return f"the solver is {kind}; a block is solved by Newton's method"
    return "" if glueing.assembly.connections else "nothing is glued"


def _joints(assembly: Assembly) -> str:
    for c in assembly.connections:
        if not c.constant:
            return f"joint {c.name} turns with its ends, so its forces do not superpose"
        if c.law is not None:
            return f"joint {c.name} gives way by a law, which blocks do not serve"
    return ""


def _ports(assembly: Assembly) -> str:
    for end in assembly.ends:
        port = assembly.parts[end.part].ports[end.port]
        assert isinstance(port, Port)
        if port.frame or port.causality is not Causality.FORCE_IN:
            return f"port {end} {'is a frame' if port.frame else 'takes motion'}"
    return ""


def curved(assembly: Assembly) -> str:
    """The first part that is not linear; nothing if all are."""
    every = assembly.parts.items()
    return next((n for n, p in every if not p.capabilities.linear), "")
