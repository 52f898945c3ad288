"""Check: everything that is wrong with a model, not just the first thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bondline.description.catalogue import Catalogue
from bondline.description.checks.connections import check_connections
from bondline.description.checks.joints import check_joints
from bondline.description.checks.names import check_names
from bondline.description.checks.parts import check_parts
from bondline.description.checks.rates import check_rates
from bondline.description.checks.settings import check_settings
from bondline.description.checks.times import check_times
from bondline.description.checks.values import check_values
from bondline.description.load import Loaded, load
from bondline.description.place import Problem, refuse
from bondline.description.spec import ModelSpec, SystemSpec


def check(spec: ModelSpec, catalogue: Catalogue) -> list[Problem]:
    """All problems of what was loaded, in the order of the file."""
    found = [*check_times(spec), *check_values(spec.system, catalogue)]
    for system in _systems(spec.system):
        found += check_names(system)
        found += check_parts(system, catalogue)
        found += check_joints(system, catalogue)
        found += check_connections(system, catalogue)
        found += check_settings(system, catalogue)
        found += check_rates(system, catalogue)
    return _ordered(found)


def _systems(system: SystemSpec) -> Iterator[SystemSpec]:
    yield system
    for element in system.elements:
        if isinstance(element, SystemSpec):
            yield from _systems(element)


def _ordered(problems: list[Problem]) -> list[Problem]:
    unique = dict.fromkeys(problems)
    return sorted(unique, key=lambda p: (p.where, p.code))


def examine(
    path: str | Path, catalogue: Catalogue
) -> tuple[ModelSpec | None, list[Problem]]:
    """Load and check: what the files say, and all that is wrong with them.

    What the schema already objects to at a place is not told twice.
    """
    loaded = load(path, catalogue.library)
    return loaded.spec, _problems(loaded, catalogue)


def _problems(loaded: Loaded, catalogue: Catalogue) -> list[Problem]:
    if loaded.spec is None:
        return _ordered(list(loaded.problems))
    told = {p.where for p in loaded.problems}
    more = [p for p in check(loaded.spec, catalogue) if p.where not in told]
    return _ordered([*loaded.problems, *more])


def read(path: str | Path, catalogue: Catalogue) -> ModelSpec:
    """A model without errors, or one `DescriptionError` with all problems."""
    return accept(load(path, catalogue.library), catalogue)


def accept(loaded: Loaded, catalogue: Catalogue) -> ModelSpec:
    """The same of what was loaded already."""
    problems = _problems(loaded, catalogue)
    if loaded.spec is None or any(p.fatal for p in problems):
        raise refuse(problems)
    return loaded.spec
