"""Static equilibrium of an assembly, by Algorithm 1 of wang2003 and beyond."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import Advance, Assembly, Flexibility, PortRef, Rejected, Vector
from bondline.errors import SettingError, SingularInterface
from bondline.gluing.statics.asking import Load, check_static
from bondline.gluing.statics.condensing import condensed
from bondline.gluing.statics.dofs import Here, Seen
from bondline.gluing.statics.holding import Asked, Hold, check_method, hold
from bondline.gluing.statics.interface import Interface
from bondline.gluing.statics.newton import Found, inverse_at, solve
from bondline.gluing.statics.regular import Inverse

_HALVINGS = 6


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """All parts at rest under one load, and the forces in the joints."""

    advances: Mapping[str, Advance[Any]]
    forces: Vector
    p: Vector
    method: str  # direct, robin or feti
    why: str
    notes: tuple[str, ...]  # what the user should know
    stats: Mapping[str, float]

    @property
    def here(self) -> Here:
        """Where the next step starts."""
        states = {n: a.state for n, a in self.advances.items()}
        return Here(states, self.p, self.forces)


@dataclass(frozen=True, eq=False)
class Statics:
    """Where the parts of an assembly rest.

    `method` is 'direct' (supported parts), 'robin' (springs on every glued dof of
    parts that float), 'feti' (springs on a statically determinate set of them), or
    'auto': direct where every part is supported, else robin. All are exact; `springs`
    is the stiffness, chosen from the parts where it is None.
    """

    name: str
    assembly: Assembly
    exports: Mapping[str, PortRef]
    method: str = "auto"
    springs: float | None = None

    def __post_init__(self) -> None:
        check_method(self.name, self.method)

    @cached_property
    def seen(self) -> Seen:
        """The dofs of all ports; `SettingError` where statics has no meaning."""
        found = Seen(self.name, self.assembly, self.exports)
        check_static(self.name, found)
        return found

    def acting(
        self,
        factor: float,
        inputs: Mapping[PortRef, Vector],
        springs: Mapping[PortRef, Vector],
    ) -> Load:
        """A share of the parts' own loads, and what comes from outside."""
        seen = self.seen
        told = seen.mask(r for r in inputs if r in seen.at)
        _check_told(self.name, seen, told & seen.driven & seen.glued)
        u = seen.spread({r: f for r, f in inputs.items() if r in seen.at})
        u[seen.driven & ~seen.glued & ~told] = np.nan
        return Load(factor, u, seen.spread(springs))

    def rest(self, here: Here, acting: Load) -> Equilibrium | Rejected:
        """At rest under `acting`, stepped there from no load if it must be."""
        return self.follow(here, replace(acting, factor=0.0, u=0.0 * acting.u), acting)

    def follow(
        self, here: Here, start: Load, end: Load, halvings: int = _HALVINGS
    ) -> Equilibrium | Rejected:
        """At rest under `end`; the way from `start` is halved until it can be gone."""
        found = self._once(here, end)
        if not isinstance(found, Rejected) or not halvings or self._hopeless(found):
            return found
        middle = start.between(end, 0.5)
        first = self.follow(here, start, middle, halvings - 1)
        if isinstance(first, Rejected):
            return first
        second = self.follow(first.here, middle, end, halvings - 1)
        return second if isinstance(second, Rejected) else _together(first, second)

    def chosen(self, here: Here) -> Hold | Rejected:
        """How the parts are held, without loads, and why."""
        return self._hold(here, self.acting(0.0, {}, {}))

    def compliance(
        self, here: Here, springs: Mapping[PortRef, Vector]
    ) -> Flexibility | Rejected:
        """What a unit of each exported input does to the equilibrium."""
        problem = self._problem(here, self.acting(0.0, {}, springs))
        if isinstance(problem, Rejected):
            return problem
        point = problem.at(self._guess(problem, here))
        if isinstance(point, Rejected):
            return point
        inverse = inverse_at(problem, point)
        if isinstance(inverse, Rejected):
            return inverse
        return condensed(problem, inverse, point, self.exports)

    def _once(self, here: Here, acting: Load) -> Equilibrium | Rejected:
        problem = self._problem(here, acting)
        if isinstance(problem, Rejected):
            return problem
        known = self._known.get(acting.k.tobytes())
        found = solve(problem, self._guess(problem, here), known)
        if isinstance(found, Rejected):
            return found
        if self.assembly.affine:
            self._known[acting.k.tobytes()] = found.inverse
        return _equilibrium(problem, found)

    def _problem(self, here: Here, acting: Load) -> Interface | Rejected:
        held = self._hold(here, acting)
        if isinstance(held, Rejected):
            return held
        return Interface(self.seen, held, here.states, acting, here.p)

    def _guess(self, problem: Interface, here: Here) -> Vector:
        """Nothing for affine problems: one correction answers them from anywhere."""
        if self.assembly.affine:
            return np.zeros(problem.size)
        return np.concatenate([here.forces, here.p[problem.hold.follow]])

    @cached_property
    def _known(self) -> dict[bytes, Inverse]:
        """Of affine assemblies, by springs from outside: remembered, not relied on."""
        return {}

    @cached_property
    def _holds(self) -> dict[bytes, Hold]:
        return {}

    def _hold(self, here: Here, acting: Load) -> Hold | Rejected:
        """Springs for what floats; for affine parts the state does not matter."""
        kept = self._holds.get(acting.k.tobytes())
        if kept is not None:
            return kept
        found = hold(self.seen, here, acting, Asked(self.method, self.springs))
        if self.assembly.affine and not isinstance(found, Rejected):
            self._holds[acting.k.tobytes()] = found
        return found

    def _hopeless(self, no: Rejected) -> bool:
        """Whether smaller steps cannot help."""
        wrong = isinstance(no.error, SingularInterface | SettingError)
        return wrong or self.assembly.affine


def _equilibrium(problem: Interface, found: Found) -> Equilibrium:
    point, held, seen = found.point, problem.hold, problem.seen
    stats = {
        "iterations": len(found.history) - 1,
        "sweeps": len(found.history),
        "builds": found.builds,
        "solves": found.solves,
        "gap": float(np.abs(seen.gap(point.p) * problem.rigid).max(initial=0.0)),
        "residual": found.history[-1],
        "load_steps": 1,
    }
    return Equilibrium(
        point.advances,
        point.z[: problem.forces],
        point.p,
        held.method,
        held.why,
        found.inverse.notes,
        stats,
    )


_LARGEST = ("gap", "residual")


def _together(first: Equilibrium, second: Equilibrium) -> Equilibrium:
    """The end of a path, with what the whole of it took."""
    stats = {
        key: value if key in _LARGEST else value + first.stats[key]
        for key, value in second.stats.items()
    }
    return replace(second, stats=stats)


def _check_told(name: str, seen: Seen, both: Any) -> None:
    if both.any():
        where = seen.labels[int(np.argmax(both))]
        raise SettingError(
            f"{name}, static equilibrium",
            f"{where} takes motion, and is told by a joint and from outside.",
            "Export a port that takes motion, or glue it; not both.",
        )
