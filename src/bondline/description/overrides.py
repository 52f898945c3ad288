"""Settings from outside the files: `--set upper.mass=12kg`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bondline.core import Parameter
from bondline.description.catalogue import Catalogue
from bondline.description.place import Place, refuse
from bondline.description.resolve import Assignment, assignments, numbers, parameters
from bondline.description.spec import (
    BindingSpec,
    MappingSpec,
    ModelSpec,
    SystemSpec,
    ValueSpec,
)
from bondline.description.units import UnitTrouble, to_si
from bondline.errors import UsageError, did_you_mean

_GLUING = ("scheme", "step")  # set with the rest, though they are no parameters
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")


@dataclass(frozen=True, slots=True)
class Setting:
    """One name that can be set, as it stands now."""

    name: str
    value: float
    unit: str
    meaning: str
    choices: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """Its value as a user would write it."""
        return self.choices[int(self.value)] if self.choices else f"{self.value:g}"


def settable(spec: ModelSpec, catalogue: Catalogue) -> list[Setting]:
    """Everything that can be set: names of the system first, then of its leaves."""
    declared = parameters(spec.system, catalogue)
    values, _ = numbers(spec.system, catalogue)
    shared = [
        _shared(name, rules, values, declared)
        for name, rules in _mapped(spec.system).items()
        if name not in declared
    ]
    own = [
        Setting(name, values.get(name, p.value), p.unit, p.meaning, p.choices)
        for name, p in declared.items()
    ]
    return [s for s in shared if s is not None] + own


def _shared(
    name: str,
    rules: list[Assignment],
    values: Mapping[str, float],
    declared: Mapping[str, Parameter],
) -> Setting | None:
    """A system's parameter, told in the terms of the first leaf that takes it."""
    told = next((a for a in rules if a.target in declared and a.target in values), None)
    if told is None or told.rule is None or told.rule.factor == 0.0:
        return None
    number = (values[told.target] - told.rule.offset) / told.rule.factor
    p = declared[told.target]
    takers = ", ".join(dict.fromkeys(a.target for a in rules))
    meaning = f"{p.meaning} (sets {takers})"
    return Setting(name, number, p.unit, meaning, p.choices)


def _mapped(system: SystemSpec) -> dict[str, list[Assignment]]:
    """Assignments by rule, under the name they take their value from."""
    found: dict[str, list[Assignment]] = {}
    for a in assignments(system):
        if a.rule is not None:
            found.setdefault(a.source, []).append(a)
    return found


def override(
    spec: ModelSpec, catalogue: Catalogue, changes: Mapping[str, str]
) -> ModelSpec:
    """The model with some values replaced, as if the root's last binding said so.

    `UsageError` for a name that cannot be set or a text that is no number,
    `DescriptionError` for a unit or value that does not suit the parameter.
    """
    added = bindings(spec, catalogue, changes)
    root = replace(spec.system, bindings=spec.system.bindings + added)
    before = set(numbers(spec.system, catalogue)[1])
    problems = [p for p in numbers(root, catalogue)[1] if p not in before]
    if problems:
        raise refuse(problems)
    return replace(spec, system=root)


def bindings(
    spec: ModelSpec, catalogue: Catalogue, changes: Mapping[str, str]
) -> tuple[BindingSpec, ...]:
    """What the last bindings of the root would say, one a name."""
    mapped, known = _mapped(spec.system), parameters(spec.system, catalogue)
    own = _GLUING if spec.system.gluing else ()
    return tuple(
        _binding(name, text, mapped, known, own) for name, text in changes.items()
    )


def _binding(
    name: str,
    text: str,
    mapped: Mapping[str, list[Assignment]],
    known: Mapping[str, Parameter],
    gluing: Sequence[str] = (),
) -> BindingSpec:
    where = Place(f"--set {name}={text}")
    if name not in known and name not in mapped:
        raise UsageError(
            str(where),
            f"nothing is named {name!r}.",
            did_you_mean(name, [*known, *mapped, *gluing]),
        )
    targets = [name] if name in known else [a.target for a in mapped[name]]
    worded = any(known[t].choices for t in targets if t in known)
    value = ValueSpec(name, text, None, where) if worded else _value(name, text, where)
    if name in known:
        return BindingSpec((value,), None, "", where)
    rules = tuple(_rule(a, where) for a in mapped[name])
    return BindingSpec((value,), rules, "", where)


def _rule(assignment: Assignment, where: Place) -> MappingSpec:
    assert assignment.rule is not None
    return replace(
        assignment.rule,
        source=assignment.source,
        target=assignment.target,
        where=where,
    )


def quantity(name: str, text: str, unit: str) -> float:
    """A positive number that is set from outside, in SI units."""
    where = Place(f"--set {name}={text}")
    read = _value(name, text, where)
    found = to_si(float(read.text), read.unit, unit)
    if isinstance(found, UnitTrouble):
        raise UsageError(str(where), found.finding, found.remedy)
    if not 0.0 < found < float("inf"):
        raise UsageError(str(where), f"it is {found:g} {unit}.", "Give more than 0.")
    return found


def amount(text: str) -> tuple[str, str] | None:
    """A number and its unit as they are written; None if it is none.

    >>> amount("12kg"), amount("1e-3"), amount("heavy")
    (('12', 'kg'), ('1e-3', ''), None)
    """
    found = _NUMBER.fullmatch(text)
    return (found[1], found[2]) if found else None


def _value(name: str, text: str, where: Place) -> ValueSpec:
    found = amount(text)
    if found is None:
        raise UsageError(
            str(where),
            f"{text!r} is not a number with an optional unit.",
            "Write for example 12, 1e-3 or 12kg.",
        )
    return ValueSpec(name, found[0], found[1] or None, where)
