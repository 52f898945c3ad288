"""Every final class satisfies its protocols: checked by mypy, not by running.

A new class is one more argument here; `test_public_api` fails when one is missing.
"""

from __future__ import annotations

from typing import Any

from bondline.core import (
    Connection,
    Coupling,
    InterfaceProblem,
    InterfaceSolver,
    Linearising,
    Observing,
    Placing,
    Reacting,
    Recorder,
    Serialising,
    Showing,
    Subsystem,
    Vector,
)
from bondline.gluing import TT, GluedState, IntegratedModel, Lagged, Newton, Tie
from bondline.gluing.couplings.tt import TTProblem
from bondline.gluing.solvers.gluing_matrix import GluingMatrix
from bondline.leaves import Checkpointed, FreeBar, FunctionLeaf, PinnedBar, Structure
from bondline.numerics import Adaptive, FixedStep, Integrator
from bondline.run import Flushing, Keep
from bondline.run.writer import Writer


def leaves(
    pinned: PinnedBar, free: FreeBar, structure: Structure, function: FunctionLeaf
) -> list[Subsystem[Vector]]:
    """Leaves whose state is an array."""
    return [pinned, free, structure, function]


def adapters(checkpointed: Checkpointed) -> list[Subsystem[Any]]:
    """Leaves whose state is somebody else's."""
    return [checkpointed]


def composites(glued: IntegratedModel) -> list[Subsystem[GluedState]]:
    """A composite is a leaf."""
    return [glued]


def observing(
    pinned: PinnedBar, free: FreeBar, structure: Structure, function: FunctionLeaf
) -> list[Observing[Vector]]:
    """Leaves that publish values."""
    return [pinned, free, structure, function]


def showing(
    pinned: PinnedBar, free: FreeBar, structure: Structure
) -> list[Showing[Vector]]:
    """Leaves that can be drawn."""
    return [pinned, free, structure]


def serialising(
    pinned: PinnedBar, free: FreeBar, structure: Structure, function: FunctionLeaf
) -> list[Serialising[Vector]]:
    """Leaves whose state can be kept."""
    return [pinned, free, structure, function]


def linearising(structure: Structure) -> list[Linearising[Vector]]:
    """Leaves that know their own flexibility."""
    return [structure]


def placing(free: FreeBar) -> list[Placing[Vector]]:
    """Leaves that can be moved to their joint."""
    return [free]


def glued_observing(glued: IntegratedModel) -> list[Observing[GluedState]]:
    """What the parts publish, the whole publishes."""
    return [glued]


def glued_reacting(glued: IntegratedModel) -> list[Reacting[GluedState]]:
    """Joint forces."""
    return [glued]


def glued_showing(glued: IntegratedModel) -> list[Showing[GluedState]]:
    """What the parts show, the whole shows."""
    return [glued]


def glued_serialising(glued: IntegratedModel) -> list[Serialising[GluedState]]:
    """What the parts keep, the whole keeps."""
    return [glued]


def connections(tie: Tie) -> list[Connection]:
    """Joints."""
    return [tie]


def couplings(tt: TT) -> list[Coupling[tuple[Vector, Vector]]]:
    """Couplings with their history."""
    return [tt]


def problems(tt: TTProblem) -> list[InterfaceProblem]:
    """What couplings pose."""
    return [tt]


def solvers(
    newton: Newton, lagged: Lagged
) -> list[InterfaceSolver[GluingMatrix | None]]:
    """Solvers with their memory."""
    return [newton, lagged]


def recorders(keep: Keep, writer: Writer) -> list[Recorder]:
    """What a run can be written to."""
    return [keep, writer]


def flushing(writer: Writer) -> list[Flushing]:
    """Recorders that hold frames back."""
    return [writer]


def integrators(fixed: FixedStep, adaptive: Adaptive) -> list[Integrator]:
    """Ways through one window."""
    return [fixed, adaptive]
