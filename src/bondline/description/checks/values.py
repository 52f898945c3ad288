"""Does every value reach a parameter, in a unit that suits it?"""

from __future__ import annotations

from collections.abc import Iterator

from bondline.description.catalogue import Catalogue
from bondline.description.place import Problem
from bondline.description.resolve import numbers
from bondline.description.spec import BindingSpec, SystemSpec
from bondline.errors import did_you_mean


def check_values(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """All bindings of the whole model."""
    yield from numbers(system, catalogue)[1]
    yield from _mappings(system)


def _mappings(system: SystemSpec) -> Iterator[Problem]:
    for binding in system.bindings:
        yield from _mapping(binding)
    for element in system.elements:
        if isinstance(element, SystemSpec):
            yield from _mappings(element)
        else:
            for binding in element.bindings:
                yield from _mapping(binding)


def _mapping(binding: BindingSpec) -> Iterator[Problem]:
    if binding.mapping is None:
        return
    names = [binding.prefix + v.name for v in binding.values]
    for rule in binding.mapping:
        if rule.source not in names:
            yield Problem(
                "BND035",
                rule.where,
                f"the mapping takes {rule.source!r}, and the set has no such value.",
                did_you_mean(rule.source, names),
            )
    used = {rule.source for rule in binding.mapping}
    for value in binding.values:
        if binding.prefix + value.name not in used:
            yield Problem(
                "BND038",
                value.where,
                f"the value {value.name!r} goes nowhere: the mapping beside it does "
                "not mention it.",
                "Add a mapping entry for it, or move it to a binding without one.",
                "warning",
            )
