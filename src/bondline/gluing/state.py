"""The state of an integrated model, as a value and as bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bondline.core import (
    Assembly,
    Coupling,
    InterfaceSolver,
    Matrix,
    Model,
    Motion,
    PortRef,
    Serialising,
    Tree,
)
from bondline.wire import pack, unpack


@dataclass(frozen=True, slots=True, eq=False)
class GluedState:
    """Everything that the next window depends on, and nothing else."""

    parts: Mapping[str, Any]
    motions: Mapping[PortRef, Motion]  # of the glued and exported ports, at tₙ
    forces: Matrix  # of all joints, over the last window
    history: Any  # of the coupling
    memory: Any  # of the interface solver
    pace: float = 0.0  # length of the next window, where windows are adaptive
    signals: Mapping[PortRef, float] = field(default_factory=dict)  # out of parts


def dump_state(
    state: GluedState,
    assembly: Assembly,
    coupling: Coupling[Any],
    solver: InterfaceSolver[Any],
) -> bytes:
    """The state as bytes; the parts dump their own, side by side."""
    parts = assembly.parts
    jobs = [partial(_serial(parts[n]).dump, s) for n, s in state.parts.items()]
    dumped = assembly.crew.call(jobs)
    return pack(
        {
            "parts": dict(zip(state.parts, dumped, strict=True)),
            "motions": [_levels(r, m) for r, m in state.motions.items()],
            "forces": state.forces,
            "history": coupling.dump(state.history),
            "memory": solver.dump(state.memory),
            "pace": state.pace,
            "signals": [[*r, value] for r, value in state.signals.items()],
        }
    )


def load_state(
    data: bytes,
    assembly: Assembly,
    coupling: Coupling[Any],
    solver: InterfaceSolver[Any],
) -> GluedState:
    """The state that `dump_state` wrote."""
    tree: Any = unpack(data)
    parts, dumped = assembly.parts, tree["parts"]
    jobs = [partial(_serial(parts[n]).load, b) for n, b in dumped.items()]
    return GluedState(
        dict(zip(dumped, assembly.crew.call(jobs), strict=True)),
        {PortRef(part, port): Motion(*m) for part, port, *m in tree["motions"]},
        tree["forces"],
        coupling.load(tree["history"]),
        solver.load(tree["memory"]),
        tree["pace"],
        {PortRef(part, port): v for part, port, v in tree.get("signals", ())},
    )


def _levels(r: PortRef, m: Motion) -> Tree:
    return [r.part, r.port, m.x, m.v, m.a, m.turn]


def _serial(part: Model) -> Serialising[Any]:
    if not isinstance(part, Serialising):
        raise TypeError(f"{part.name} cannot turn its state into bytes.")
    return part
