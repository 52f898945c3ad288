"""From bindings to the numbers of each leaf: prefixes, mappings, precedence, units.

SSP's rule of precedence: an outer binding beats an inner one, a later one an earlier
one. So the assignments are listed in that order, and the last one counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from bondline.core import Parameter
from bondline.description.bindings import read_number
from bondline.description.catalogue import Catalogue
from bondline.description.place import Place, Problem
from bondline.description.spec import (
    BindingSpec,
    ComponentSpec,
    MappingSpec,
    SystemSpec,
    ValueSpec,
)
from bondline.description.units import UnitTrouble, to_si
from bondline.errors import did_you_mean


@dataclass(frozen=True, slots=True)
class Assignment:
    """`target` gets what `source` says: dotted names from the root of the model."""

    target: str
    source: str
    value: ValueSpec
    rule: MappingSpec | None  # None: by its own name

    @property
    def where(self) -> Place:
        """Where the target is named."""
        return self.rule.where if self.rule else self.value.where


def leaves(system: SystemSpec, path: str = "") -> Iterator[tuple[str, ComponentSpec]]:
    """Every leaf with its dotted name, in document order."""
    for element in system.elements:
        name = path + element.name
        if isinstance(element, ComponentSpec):
            yield name, element
        else:
            yield from leaves(element, f"{name}.")


def assignments(system: SystemSpec, path: str = "") -> Iterator[Assignment]:
    """What all bindings say, the weakest first."""
    for element in system.elements:
        inner = f"{path}{element.name}."
        if isinstance(element, SystemSpec):
            yield from assignments(element, inner)
        else:
            for binding in element.bindings:
                yield from _bound(binding, inner)
    for binding in system.bindings:
        yield from _bound(binding, path)


def _bound(binding: BindingSpec, path: str) -> Iterator[Assignment]:
    named = {binding.prefix + v.name: v for v in binding.values}
    if binding.mapping is None:
        for name, value in named.items():
            yield Assignment(path + name, path + name, value, None)
        return
    for rule in binding.mapping:
        if rule.source in named:
            yield Assignment(
                path + rule.target, path + rule.source, named[rule.source], rule
            )


def numbers(
    system: SystemSpec, catalogue: Catalogue
) -> tuple[dict[str, float], list[Problem]]:
    """SI values by dotted name of everything the files set, and what is wrong."""
    known = parameters(system, catalogue)
    vague = tuple(
        f"{name}." for name, c in leaves(system) if catalogue.passport(c) is None
    )
    values: dict[str, float] = {}
    problems: list[Problem] = []
    for assignment in assignments(system):
        if assignment.target.startswith(vague):
            continue  # the kind of that leaf is the problem, and told elsewhere
        found = _number(assignment, known)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            values[assignment.target] = found
    return values, problems


def parameters(system: SystemSpec, catalogue: Catalogue) -> dict[str, Parameter]:
    """Declared parameters of all leaves, by dotted name."""
    return {
        f"{name}.{key}": parameter
        for name, component in leaves(system)
        for key, parameter in _declared(component, catalogue).items()
    }


def _declared(
    component: ComponentSpec, catalogue: Catalogue
) -> Mapping[str, Parameter]:
    passport = catalogue.passport(component)
    return passport.parameters if passport else {}


def _number(assignment: Assignment, known: Mapping[str, Parameter]) -> float | Problem:
    parameter = known.get(assignment.target)
    if parameter is None:
        return Problem(
            "BND030",
            assignment.where,
            f"there is no parameter {assignment.target!r}.",
            did_you_mean(assignment.target, _siblings(assignment.target, known)),
        )
    if parameter.choices:
        return _chosen(assignment, parameter.choices)
    raw = read_number(assignment.value.text)
    if raw is None:
        return _not_a_number(assignment)
    number = _converted(raw, assignment, parameter)
    return (
        number
        if isinstance(number, Problem)
        else _judged(number, assignment, parameter)
    )


def _siblings(target: str, known: Mapping[str, Parameter]) -> list[str]:
    """Parameters of the same leaf if there is such a leaf, else all."""
    leaf = target.rpartition(".")[0]
    return [k for k in known if k.rpartition(".")[0] == leaf] or list(known)


def _chosen(assignment: Assignment, choices: Sequence[str]) -> float | Problem:
    """The place of a word among the choices; the number of the place will do."""
    text = assignment.value.text
    places = {word: i for i, word in enumerate(choices)}
    number = places.get(text, read_number(text))
    if number in places.values() and number is not None:
        return float(number)
    return Problem(
        "BND033",
        assignment.value.where,
        f"{assignment.source} is {text[:40]!r}, which is none of its choices.",
        did_you_mean(text, choices),
    )


def _not_a_number(assignment: Assignment) -> Problem:
    return Problem(
        "BND033",
        assignment.value.where,
        f"{assignment.source} is {assignment.value.text[:40]!r}, which is not one "
        "finite number.",
        "Give one number, for example 12.5 or 1e-3.",
    )


def _converted(
    raw: float, assignment: Assignment, parameter: Parameter
) -> float | Problem:
    value, rule = assignment.value, assignment.rule
    unit = None if rule and rule.keep_number else value.unit
    number = to_si(raw, unit, parameter.unit)
    if isinstance(number, UnitTrouble):
        return Problem(
            "BND031" if number.known else "BND032",
            value.where,
            f"{assignment.target}: {number.finding}",
            number.remedy,
        )
    return number * rule.factor + rule.offset if rule else number


def _judged(
    number: float, assignment: Assignment, parameter: Parameter
) -> float | Problem:
    if not isfinite(number):
        return _not_a_number(assignment)
    if parameter.positive and number <= 0.0:
        return Problem(
            "BND034",
            assignment.value.where,
            f"{assignment.target} is {number:g} {parameter.unit}.",
            f"Give a number greater than zero ({parameter.meaning or parameter.name}).",
        )
    return number
