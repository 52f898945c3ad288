"""A model as its owner serves it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from bondline.core import (
    Affine,
    Blocked,
    Breaking,
    Correcting,
    Guarding,
    Harmonic,
    Impulsive,
    Linearising,
    Mobile,
    Model,
    Observing,
    Placing,
    Port,
    Pressing,
    Reacting,
    Serialising,
    Showing,
    SignalPort,
    Skinned,
    Static,
    Trying,
    Vibrating,
    Weighing,
    Yielding,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import encode
from bondline.remote.owner.front import Front
from bondline.remote.owner.published import Published
from bondline.remote.protocol import spoken

ABILITIES: Mapping[pb.Ability, type] = {
    pb.ABILITY_AFFINE: Affine,
    pb.ABILITY_LINEARISING: Linearising,
    pb.ABILITY_OBSERVING: Observing,
    pb.ABILITY_REACTING: Reacting,
    pb.ABILITY_SHOWING: Showing,
    pb.ABILITY_SERIALISING: Serialising,
    pb.ABILITY_PRESSING: Pressing,
    pb.ABILITY_MOBILE: Mobile,
    pb.ABILITY_PLACING: Placing,
    pb.ABILITY_STATIC: Static,
    pb.ABILITY_YIELDING: Yielding,
    pb.ABILITY_BREAKING: Breaking,
    pb.ABILITY_GUARDING: Guarding,
    pb.ABILITY_HARMONIC: Harmonic,
    pb.ABILITY_IMPULSIVE: Impulsive,
    pb.ABILITY_WEIGHING: Weighing,
    pb.ABILITY_TRYING: Trying,
    pb.ABILITY_BLOCKED: Blocked,
    pb.ABILITY_CORRECTING: Correcting,
    pb.ABILITY_SKINNED: Skinned,
    pb.ABILITY_VIBRATING: Vibrating,
}


@dataclass(frozen=True)
class Served:
    """One model on a server; every session works with one of its own.

    `make` builds it; models of sessions that have ended are used again. `digest`
    changes when the model does: clients compare it, checkpoints are tied to it.
    """

    name: str
    make: Callable[[], Model]
    digest: str = ""
    published: Published = Published()  # noqa: RUF009 - a frozen value
    max_step: float = 0.0  # s; 0: not said
    _idle: list[Model] = field(default_factory=list, compare=False)
    _lock: Lock = field(default_factory=Lock, compare=False)
    _first: list[Model] = field(default_factory=list, compare=False)
    _making: Lock = field(default_factory=Lock, compare=False)
    _fronts: dict[frozenset[str], Front] = field(default_factory=dict, compare=False)

    def borrow(self) -> Model:
        """A model that nobody else works with."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self.make()

    def bring_back(self, model: Model) -> None:
        """The session that had it is over."""
        with self._lock:
            self._idle.append(model)

    @property
    def _one(self) -> Model:
        """Not a `cached_property`: up to Python 3.11 all of them share one lock.

        A model that is made of served models would wait for itself.
        """
        with self._making:
            if not self._first:
                model = self.borrow()
                self._first.append(model)
                self.bring_back(model)
            return self._first[0]

    @property
    def ports(self) -> tuple[Port | SignalPort, ...]:
        """Not cached, as `_one` is not: this may be what makes the first model."""
        return tuple(self._one.ports.values())

    def front(self, granted: Iterable[str]) -> Front:
        """Its ports for those to whom these are granted."""
        names = frozenset(p.name for p in self.ports) & frozenset(granted)
        if names not in self._fronts:
            return self._fronts.setdefault(names, Front.of(self.ports, names))
        return self._fronts[names]

    def observables(self) -> frozenset[str]:
        """Names of all values of its start, whether they are published or not."""
        model = self.borrow()
        try:
            first = model.start(0.0).state
            return frozenset(
                model.observe(first) if isinstance(model, Observing) else ()
            )
        finally:
            self.bring_back(model)

    @cached_property
    def assembled(self) -> bool:
        """Whether there are parts inside, which is the owner's to tell."""
        return isinstance(getattr(self._one, "parts", None), Mapping)

    @cached_property
    def secretive(self) -> bool:
        """Whether nobody may know that there are parts inside."""
        return self.assembled and not self.published.inner

    @cached_property
    def counts(self) -> bool:
        """Whether counts leave; those of an assembly would tell that it is one."""
        return self.published.counts and not self.secretive

    @cached_property
    def abilities(self) -> frozenset[pb.Ability]:
        """What it can do, less what its owner does not show."""
        hidden = {
            pb.ABILITY_OBSERVING: self.published.values is False,
            pb.ABILITY_REACTING: not self.published.reactions,
            pb.ABILITY_SHOWING: not self.published.shapes,
            pb.ABILITY_SKINNED: not self.published.surfaces,
            pb.ABILITY_VIBRATING: not (
                self.published.surfaces and isinstance(self._one, Skinned)
            ),
            pb.ABILITY_SERIALISING: not self._one.capabilities.serialises,
        }
        able = {a for a, kind in ABILITIES.items() if isinstance(self._one, kind)}
        able.add(pb.ABILITY_GUARDING)  # else it would tell assemblies from leaves
        if self._one.capabilities.repeatable:
            able |= {pb.ABILITY_TRYING, pb.ABILITY_BLOCKED}  # the server does it
        return frozenset(a for a in able if not hidden.get(a, False))

    def description(self, lease: float, front: Front | None = None) -> pb.Description:
        """All that may be known of it, or by those who see this front of it."""
        model = self._one
        told = model.parameters.values() if self.published.parameters else ()
        return pb.Description(
            version=spoken(),
            model=self.name,
            digest=self.digest,
            ports=[encode.port(p) for p in (front or self).ports],
            parameters=[encode.parameter(p) for p in told],
            capabilities=encode.capabilities(model.capabilities),
            abilities=sorted(self.abilities),
            max_step_seconds=self.max_step,
            lease_seconds=lease,
        )
