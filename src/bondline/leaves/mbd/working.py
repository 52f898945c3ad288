"""Whether a mechanism's energy can be told from its states, and its loads' kinks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bondline.core import Vector
from bondline.leaves.histories import Constant
from bondline.leaves.mbd.forces import (
    Bushing,
    Contact,
    Force,
    JointLoad,
    JointSpring,
    JointStop,
    Push,
    Spring,
)
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import Packed


def kinks_of(mechanism: Mechanism) -> tuple[float, ...]:
    """Instants at which a load is not smooth, in order."""
    timed = [f for f in mechanism.forces if isinstance(f, JointLoad | Push)]
    histories = [f.history for f in timed]
    histories += [h for motion in mechanism.motions for h in motion.histories]
    each = (getattr(history, "kinks", ()) for history in histories)
    return tuple(sorted({t for kinks in each for t in kinks}))


def accountable(mechanism: Mechanism) -> bool:
    """Whether all loads of its own are constant, and nothing is lost in its modes."""
    bodies = (b.modes for b in mechanism.bodies if b.modes)
    quiet = all(not m.D.any() and m.stiffening is None for m in bodies)
    quiet = quiet and not mechanism.motions and not _on_spins(mechanism)
    return quiet and all(_tells(force) for force in mechanism.forces)


def lossy(mechanism: Mechanism) -> bool:
    """Whether some force turns motion into heat."""
    return any(_loses(force) for force in mechanism.forces)


def _on_spins(mechanism: Mechanism) -> bool:
    """Whether a load turns a joint that has no angle: its work is not to be told."""
    kinds = {joint.name: joint.of for joint in mechanism.joints}
    loads = [f for f in mechanism.forces if isinstance(f, JointLoad)]
    return any(
        (load.coordinate or next(iter(kinds[load.joint].speeds), ""))
        not in kinds[load.joint].positions
        for load in loads
        if load.joint in kinds
    )


def _tells(force: Force) -> bool:
    """Whether the work of a load follows from the ends of a window."""
    match force:
        case JointLoad(history=history):
            return isinstance(history, Constant)
        case Push():
            return not any(force.force) and not any(force.moment)
        case _:
            return True


def _loses(force: Force) -> bool:
    match force:
        case JointSpring(damping=d) | JointStop(damping=d) | Spring(damping=d):
            return d != 0.0
        case Bushing(damping=six):
            return any(six)
        case Contact(damping=d, friction=mu):
            return d != 0.0 or mu != 0.0
        case _:
            return False


def supplied(packed: Packed, mechanism: Mechanism, ends: Sequence[Vector]) -> float:
    """The work of constant joint loads between two sets of positions."""
    travel = np.asarray(ends[1]) - ends[0]
    work = 0.0
    for force in mechanism.forces:
        if isinstance(force, JointLoad) and isinstance(force.history, Constant):
            q, _ = packed.layout.coordinate("", force.joint, force.coordinate)
            work += force.factor * force.history.value * float(travel[q])
    return work
