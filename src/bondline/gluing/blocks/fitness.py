"""Which integrated models can be taken many windows at a time, and why others cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bondline.core import Assembly, Causality, Port
from bondline.errors import SettingError
from bondline.gluing.couplings.tt import TT
from bondline.gluing.solvers.newton import Newton

if TYPE_CHECKING:
    from bondline.gluing.integrated import IntegratedModel

_ALONE = "Leave the block out: one window at a time."


def check_block(model: IntegratedModel) -> None:
    """Raise `SettingError` where the model cannot be driven in blocks as it says."""
    place = f"{model.name}: block of {model.block} windows"
    if model.block < 1:
        raise SettingError(place, "a block has windows.", "Give 1, 10 or 50.")
    if model.block == 1:
        if model.waveform:
            finding = "there is no block to iterate on."
            raise SettingError(f"{model.name}: waveform", finding, "Give a block.")
        return
    found = obstacle(model)
    if found:
        raise SettingError(place, f"{found}.", _ALONE)
    name = curved(model.assembly)
    if name and not model.waveform:
        raise SettingError(
            place,
            f"part {name} is not linear: the forces of a block do not follow from one "
            "exchange.",
            "Choose the waveform iteration (--waveform, waveform=\"true\"), with a few "
            "windows a block, or leave the block out.",
        )


def obstacle(model: IntegratedModel) -> str:
    """Why not even an iteration can glue blocks of windows; nothing if it can."""
    looks: tuple[Callable[[IntegratedModel], str], ...] = (_method, _windows)
    for look in looks:
        found = look(model)
        if found:
            return found
    return _joints(model.assembly) or _parts(model.assembly)


def _method(model: IntegratedModel) -> str:
    if not isinstance(model.coupling, TT):
        kind = model.coupling.settings().get("method", "another")
        return f"the coupling is {kind}; blocks need T-T, forces in and motion out"
    if not isinstance(model.solver, Newton):
        kind = model.solver.settings()["kind"]
        return f"the solver is {kind}; a block is solved by Newton's method"
    return "" if model.connections else "nothing is glued"


def _windows(model: IntegratedModel) -> str:
    if model.pace is not None:
        return "its windows are adaptive; those of a block have one length"
    if model.windows > 1:
        return f"its parts exchange {model.windows} times a window"
    return ""


def _joints(assembly: Assembly) -> str:
    for c in assembly.connections:
        if not c.constant:
            return f"joint {c.name} turns with its ends, so its forces do not superpose"
        if c.law is not None:
            return f"joint {c.name} gives way by a law, which blocks do not serve"
    return ""


def _parts(assembly: Assembly) -> str:
    for name, part in assembly.parts.items():
        if not part.capabilities.repeatable:
            return f"part {name} cannot repeat a window"
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
