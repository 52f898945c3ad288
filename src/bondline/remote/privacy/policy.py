"""An owner's policy: who may do what with which model, and how much of it.

Deny by default: what no grant names is refused. `policy_file` reads it from TOML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

STEP_WITHIN = 1e-9  # windows of a uniform grid wobble in their last digits
KEEPS = ("counts", "numbers")
ACTIONS = ("off", "alarm", "stop")
PUBLISHES = (
    *("outline", "reactions", "notes", "parameters", "surfaces"),
    *("energy", "counts", "inner"),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """How a model is served, to everybody.

    `band` in Hz: a reduced model takes its place that has no mode above. `digest` pins
    the file it is made of. What is published of it: `observables` by name, or all of
    them for "*", and those words of `PUBLISHES` that are in `publish`.
    """

    name: str
    band: float | None = None
    digest: str = ""
    observables: tuple[str, ...] = ()
    publish: frozenset[str] = frozenset()

    @property
    def seen(self) -> bool | frozenset[str]:
        """The observables that may be seen: all (True), or these."""
        return "*" in self.observables or frozenset(self.observables)


@dataclass(frozen=True, slots=True)
class Steps:
    """Window lengths that are allowed, in seconds: a list, or a range."""

    lengths: tuple[float, ...] = ()
    least: float | None = None
    most: float | None = None

    def allow(self, h: float, off: float = 0.0) -> bool:
        """Whether windows of this length are, which may be `off` by so much."""
        for one in self.lengths:
            slack = STEP_WITHIN * one + off
            if -slack <= h - one <= slack:
                return True
        if self.least is None or self.most is None:
            return False
        slack = STEP_WITHIN * h + off
        return self.least <= h + slack and h - slack <= self.most

    def __str__(self) -> str:
        each = [f"{h:g} s" for h in self.lengths]
        if self.least is not None and self.most is not None:
            each.append(f"{self.least:g} s to {self.most:g} s")
        return ", ".join(each) or "none"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a partner may use of one model in a day (UTC); None: no limit."""

    windows: int | None = None
    probes: int | None = None
    sessions: int | None = None
    cpu_seconds: float | None = None

    def limits(self) -> dict[str, float]:
        """Those that are set, by name."""
        every = {
            "windows": self.windows,
            "probes": self.probes,
            "sessions": self.sessions,
            "cpu_seconds": self.cpu_seconds,
        }
        return {name: value for name, value in every.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Watched:
    """What the excitation monitor looks for; `band` in Hz is that of the contract."""

    band: float = 0.0
    action: str = "off"


@dataclass(frozen=True, slots=True)
class Grant:
    """What one partner may do with one model.

    `ports` and `model` may be "*"; ports that are not named do not exist for it.
    `blocks` is how many windows one call may answer; `rollbacks` how often a window may
    be asked for again.
    """

    who: str
    model: str
    methods: frozenset[str]
    ports: frozenset[str] = frozenset({"*"})
    steps: Steps = field(default_factory=Steps)
    budget: Budget = field(default_factory=Budget)
    rollbacks: int | None = None
    blocks: int = 1
    monitor: Watched = field(default_factory=Watched)

    def meets(self, who: str, model: str) -> bool:
        """Whether it speaks of this partner and this model."""
        return self.who == who and self.model in ("*", model)

    def seen(self, ports: Iterable[str]) -> frozenset[str]:
        """Those of the ports that it names."""
        every = frozenset(ports)
        return every if "*" in self.ports else every & self.ports


@dataclass(frozen=True, slots=True)
class Policy:
    """Models, grants, and where the owner's log and budgets are kept."""

    models: Mapping[str, Terms] = field(default_factory=dict)
    grants: Sequence[Grant] = ()
    audit: Path | None = None
    budgets: Path | None = None
    keep: str = "counts"

    def grant(self, who: str, model: str) -> Grant | None:
        """What this partner may do with this model: the first grant that fits."""
        return next((g for g in self.grants if g.meets(who, model)), None)

    def terms(self, model: str) -> Terms:
        """How that model is served; without a word about it, showing nothing."""
        return self.models.get(model, Terms(model))
