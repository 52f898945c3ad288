"""Given: what a caller changes of a model, and how that is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from bondline.description import Catalogue, ModelSpec, SystemSpec, override
from bondline.errors import SettingError, UsageError, did_you_mean
from bondline.gluing import scheme


@dataclass(frozen=True)
class Given:
    """Parameters as text with units, and settings of the gluing; None: as in the file.

    Kept in a run's settings, so that a resumed run is the same model.
    """

    set: Mapping[str, str] = field(default_factory=dict)
    scheme: str | None = None
    tolerance: float | None = None
    max_iterations: int | None = None
    refresh: str | None = None
    update: str | None = None
    epsilon: float | None = None

    def plain(self) -> dict[str, Any]:
        """What was given, and nothing else."""
        return {name: value for name, value in asdict(self).items() if value}

    @classmethod
    def load(cls, tree: Mapping[str, Any]) -> Given:
        """What `plain` wrote."""
        return cls(**{f.name: tree[f.name] for f in fields(cls) if f.name in tree})

    @property
    def gluing(self) -> dict[str, Any]:
        """The settings of the gluing only."""
        return {name: value for name, value in self.plain().items() if name != "set"}


def apply(spec: ModelSpec, catalogue: Catalogue, given: Given) -> ModelSpec:
    """The model with what was given; an error names the flag."""
    _check(given, catalogue)
    changed = override(spec, catalogue, given.set) if given.set else spec
    return replace(changed, system=_reglued(changed.system, given.gluing))


def _check(given: Given, catalogue: Catalogue) -> None:
    if given.scheme is not None:
        scheme(given.scheme, "--scheme")
    for flag, word, known in (
        ("--refresh", given.refresh, catalogue.refresh),
        ("--update", given.update, catalogue.update),
    ):
        if word is not None and word not in known:
            raise SettingError(
                flag, f"no such choice {word!r}.", did_you_mean(word, known)
            )
    for flag, number in (("--tol", given.tolerance), ("--epsilon", given.epsilon)):
        if number is not None and not 0.0 < number < float("inf"):
            raise UsageError(flag, f"it is {number!r}.", "Give a positive number.")


def _reglued(system: SystemSpec, changes: Mapping[str, Any]) -> SystemSpec:
    """The settings hold for every level of a nested model."""
    if not changes:
        return system
    inner = tuple(
        _reglued(e, changes) if isinstance(e, SystemSpec) else e
        for e in system.elements
    )
    gluing = replace(system.gluing, **changes) if system.gluing else None
    return replace(system, elements=inner, gluing=gluing)
