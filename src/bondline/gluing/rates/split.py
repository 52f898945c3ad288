"""Which part is fast, who stands in for the others, and how they are glued inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    Assembly,
    Causality,
    InterfaceSolver,
    Matrix,
    Mobile,
    Motion,
    Port,
    PortRef,
    Pressing,
    Vector,
)
from bondline.errors import SettingError, did_you_mean
from bondline.gluing.admittance import Pushes
from bondline.gluing.couplings.fitness import check_scheme
from bondline.gluing.couplings.tt import TT
from bondline.gluing.glueing import Glueing
from bondline.gluing.rates.stand_in import StandIn


@dataclass(frozen=True, eq=False)
class Split:
    """An assembly, seen from its fast part."""

    outer: Assembly
    fast: str
    coupling: TT
    solver: InterfaceSolver[Any]
    windows: int

    @cached_property
    def slow(self) -> Mapping[str, StandIn]:
        """The stand-ins, by the names of the slow parts."""
        found = {}
        for n, places in self.outer.places.items():
            if n != self.fast and places:
                part, used = self.outer.parts[n], dict.fromkeys(p for p, _, _ in places)
                ports = {p: _port(self.outer, PortRef(n, p)) for p in used}
                found[n] = StandIn(n, ports, part.capabilities.linear)
        return found

    @cached_property
    def inner(self) -> Glueing:
        """The fast part and the stand-ins; it shows all ports of the fast part."""
        fast = self.outer.parts[self.fast]
        parts = {n: self.slow.get(n, fast) for n in (self.fast, *self.slow)}
        assembly = Assembly(parts, self.outer.connections, self.outer.crew)
        shown = {p: PortRef(self.fast, p) for p in fast.ports}
        return Glueing(
            self.fast, assembly, self.coupling, self.solver, shown, halvings=0
        )

    @cached_property
    def repeatable(self) -> bool:
        """Whether slow parts can repeat a window: the first one is iterated then."""
        return all(p.capabilities.repeatable for p in self.outer.parts.values())

    @property
    def cuts(self) -> Sequence[float]:
        """Where the short windows end."""
        return [k / self.windows for k in range(1, self.windows)]

    @cached_property
    def where(self) -> Mapping[str, slice]:
        """The dofs of each slow part among all of them."""
        at = np.cumsum([0, *(s.size for s in self.slow.values())]).tolist()
        return {n: slice(at[k], at[k + 1]) for k, n in enumerate(self.slow)}

    @property
    def size(self) -> int:
        """Dofs of all slow parts at the joints."""
        return sum(s.size for s in self.slow.values())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """`turret.mount.x` and so on."""
        return tuple(
            f"{n}.{p}.{dof}"
            for n, stand_in in self.slow.items()
            for p, port in stand_in.ports.items()
            for dof in port.dofs * port.nodes
        )

    def mobility(self, name: str, state: Any, t: float) -> Matrix:
        """∂(accelerations)/∂(loads) of a slow part at an instant."""
        part, stand_in = self.outer.parts[name], self.slow[name]
        blocks = part.mobility(state, t) if isinstance(part, Mobile) else None
        if blocks is None:
            assert isinstance(part, Pressing), f"{name} can be pressed"
            push = part.press
            pushes = Pushes(self.outer, lambda n, f: push(state, t, f), acceleration)
            blocks = pushes.blocks(name)
        ports = list(stand_in.ports)
        return np.block([[blocks[out, p] for p in ports] for out in ports])


def acceleration(motion: Motion) -> Vector:
    """That of a slow part: `check_split` has asked for it."""
    assert motion.a is not None, "slow parts give accelerations"
    return motion.a


def _port(assembly: Assembly, end: PortRef) -> Port:
    port = assembly.parts[end.part].ports[end.port]
    assert isinstance(port, Port), f"{end} is mechanical"
    return port


def check_split(place: str, assembly: Assembly, split: Split, iterate: bool) -> None:
    """Raise `SettingError` where parts cannot be glued at two rates."""
    if split.fast not in assembly.parts:
        remedy = did_you_mean(split.fast, assembly.parts)
        raise SettingError(f"{place}: fast", f"no part {split.fast!r}.", remedy)
    for c in assembly.connections:
        if split.fast not in {end.part for end in c.ends}:
            raise SettingError(
                f"{place}: joint {c.name}",
                f"it joins {' and '.join(e.part for e in c.ends)}, which are both "
                f"slow: only {split.fast} is fast.",
                "Put the parts that go at one rate into a nested model.",
            )
        if c.law is not None:
            raise SettingError(
                f"{place}: joint {c.name}",
                "it gives way under force, and a fast part must be held by joints "
                "that do not.",
                "Put the compliance into a nested model with the fast part.",
            )
    for n in split.slow:
        _check_slow(place, assembly, n, iterate)
    check_scheme(f"{place}: inside", split.coupling.scheme, split.inner.assembly)


def _check_slow(place: str, assembly: Assembly, n: str, iterate: bool) -> None:
    part = assembly.parts[n]
    can = part.capabilities
    for port, _, _ in assembly.places[n]:
        if _port(assembly, PortRef(n, port)).causality is not Causality.FORCE_IN:
            raise SettingError(
                f"{place}: slow part {n}",
                f"port {port} takes motion.",
                "A slow part takes the forces of the fast one: give it force ports.",
            )
    if iterate and not can.repeatable:
        raise SettingError(
            f"{place}: slow part {n}",
            "it cannot repeat a window, and the windows are to be iterated.",
            "Leave iterate out: in one pass a slow part takes each window once.",
        )
    if can.one_step or can.mixed:
        raise SettingError(
            f"{place}: slow part {n}",
            "it takes one Newmark step a window, and sees a force at its end only.",
            "Give it two or more steps a window (steps=2).",
        )
    if not (can.acceleration and isinstance(part, Mobile | Pressing)):
        raise SettingError(
            f"{place}: slow part {n}",
            "it does not say how forces accelerate it at an instant (press), so "
            "nothing can stand in for it.",
            "Let it give accelerations and press, or glue it at one rate.",
        )
