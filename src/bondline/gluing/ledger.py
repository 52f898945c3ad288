"""What a window did: gap, interface work, energy, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Energy,
    Gap,
    InterfaceSolution,
    Landed,
    Matrix,
    Motion,
    PortRef,
    Rejected,
    Vector,
)
from bondline.gluing.couplings.spending import paid
from bondline.gluing.gaps import largest, utmost
from bondline.gluing.state import GluedState


def springs(assembly: Assembly, e: Vector) -> Energy:
    """What compliant joints store: k e²/2."""
    if assembly.compliant is None:
        return Energy(0.0)
    where, k, _ = assembly.compliant
    return Energy(0.5 * float(k @ e[where] ** 2))


def joint_work(
    assembly: Assembly, each: Vector, before: Vector, after: Vector
) -> tuple[float, Energy]:
    """Work of rigid joints, which should vanish; and what compliant ones did.

    They take in −Σ F·e', store the change of k e²/2, and dissipate the rest.
    """
    stored = springs(assembly, after)
    if assembly.compliant is None:
        return float(each.sum()), stored
    taken = -float(each[assembly.compliant[0]].sum())
    dissipated = taken - (stored.stored - springs(assembly, before).stored)
    return float(each.sum()) + taken, Energy(stored.stored, dissipated)


def energy(advances: Mapping[str, Advance[Any]], joints: Energy) -> Energy | None:
    """Sum over the parts, in their order; nothing if one of them does not say."""
    if isinstance(advances, Landed):
        own = joints.stored, joints.dissipated, joints.supplied
        parts = zip(own, advances.energies, strict=True)
        return Energy(*(sum([joint, *each]) for joint, each in parts))
    each = [joints, *(a.energy for a in advances.values())]
    known = [e for e in each if e is not None]
    if len(known) < len(each):
        return None
    flows = [e.dissipated for e in known], [e.supplied for e in known]
    return Energy(sum(e.stored for e in known), *map(sum, flows))


def silent(advances: Mapping[str, Advance[Any]]) -> tuple[str, ...]:
    """The parts that do not say their energy; of assemblies, those inside."""
    mute = {n: a.silent for n, a in advances.items() if a.energy is None}
    deep = ([f"{n}.{m}" for m in inner] or [n] for n, inner in mute.items())
    return tuple(name for names in deep for name in names)


def rigid(assembly: Assembly, gap: Gap) -> Gap:
    """The gap without joints that give way: they travel, and nothing is wrong."""
    if assembly.compliant is None:
        return gap
    e, rate, bend = gap
    where = assembly.compliant[0]
    kept = None if bend is None else np.delete(bend, where)
    return np.delete(e, where), np.delete(rate, where), kept


def states(advances: Mapping[str, Advance[Any]]) -> Mapping[str, Any]:
    """Where every part is."""
    if isinstance(advances, Landed):
        return advances.states
    return {n: a.state for n, a in advances.items()}


def inner_counts(advances: Mapping[str, Advance[Any]]) -> Mapping[str, float]:
    """What the parts count, by `part.name`."""
    if isinstance(advances, Landed):
        return advances.stats
    return {f"{n}.{k}": v for n, a in advances.items() for k, v in a.stats.items()}


def counts(
    solution: InterfaceSolution[Any],
    gap: Gap,
    motions: Mapping[PortRef, Motion],
    interface_work: float,
) -> dict[str, float]:
    """Numbers that do not jitter; `gap` is that of the `rigid` joints."""
    sweeps = len(solution.history)
    more = {} if solution.allowed is None else {"allowed": solution.allowed}
    if solution.lag is not None:
        more |= {"lag": solution.lag[0], "force": solution.lag[1]}
    return more | {
        "iterations": sweeps - 1,
        "sweeps": sweeps,
        "builds": solution.builds,
        "solves": solution.solves,
        "gap": largest([gap[0]]),
        "gap_rate": largest([gap[1]]),
        "speed": utmost(motions, 1),
        "residual": solution.history[-1],
        "surprise": solution.history[0],
        "interface_work": interface_work,
        "halvings": 0,
        "windows": 1,
        "rejected": 0,
        "condition": solution.condition or 0.0,  # 0 where nobody knows
    }


def one_after_another(
    one: Advance[GluedState], two: Advance[GluedState], forces: Matrix
) -> Advance[GluedState]:
    """Two windows as one, with the forces over both."""
    both = in_a_row(one, two)
    return replace(both, state=replace(two.state, forces=forces))


def in_a_row(one: Advance[Any], two: Advance[Any]) -> Advance[Any]:
    """The second of two windows, reporting for both.

    Flows and counts add up, of two gaps the larger counts.
    """
    energy = two.energy
    if energy is not None and one.energy is not None:
        energy = energy + Energy(0.0, one.energy.dissipated, one.energy.supplied)
    stats = {
        k: _both(k, one.stats.get(k, 0.0), two.stats.get(k, 0.0))
        for k in dict.fromkeys([*one.stats, *two.stats])
    }
    notes = tuple(dict.fromkeys((*one.notes, *two.notes)))
    return Advance(two.state, two.outputs, energy, stats, notes, two.silent)


def heard(own: Sequence[str], advances: Mapping[str, Advance[Any]]) -> tuple[str, ...]:
    """What the user should know: of the joints, then of the parts, by their names."""
    if isinstance(advances, Landed):
        return tuple(dict.fromkeys(own))
    theirs = [f"{n}: {note}" for n, a in advances.items() for note in a.notes]
    return tuple(dict.fromkeys((*own, *theirs)))


def _both(name: str, one: float, two: float) -> float:
    return max(one, two) if name.rpartition(".")[2] in _LARGEST else one + two


_LARGEST = (
    *("gap", "gap_rate", "speed", "residual", "allowed", "surprise"),
    *("condition", "lag", "force"),
)


def after_halving(
    done: Advance[GluedState], failed: InterfaceSolution[Any] | Rejected
) -> Advance[GluedState]:
    """The same, with the price of the attempt that failed."""
    stats = dict(done.stats)
    stats["halvings"] += 1
    stats["solves"] += failed.solves
    if not isinstance(failed, Rejected):
        stats["sweeps"] += len(failed.history)
        stats["iterations"] += len(failed.history) - 1
        stats["builds"] += failed.builds
        for name, number in failed.sweep.spent.items():
            stats[name] = stats.get(name, 0.0) + number
    return replace(done, stats=stats)


_PRICE = ("sweeps", "iterations", "builds", "solves")


@dataclass(frozen=True)
class Waste:
    """The price of windows that were taken back."""

    rejected: int = 0
    price: Mapping[str, float] = field(default_factory=dict)

    def plus(self, stats: Mapping[str, float], windows: int = 1) -> Waste:
        """With what one more attempt has cost."""
        names = (*_PRICE, *filter(paid, stats))
        cost = {k: self.price.get(k, 0.0) + stats.get(k, 0.0) for k in names}
        return Waste(self.rejected + windows, {**self.price, **cost})

    def into(self, stats: Mapping[str, float]) -> dict[str, float]:
        """The counts of what was kept, with what was not."""
        cost = {k: stats.get(k, 0.0) + more for k, more in self.price.items()}
        return {**stats, **cost, "rejected": stats["rejected"] + self.rejected}
