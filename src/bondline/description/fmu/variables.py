"""Variables of an FMU: one a number, arrays element by element."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite, prod

from bondline.description.bindings import read_number
from bondline.description.fmu.arrays import (
    MOST,
    Sizes,
    is_array,
    names_of,
    shape_of,
    sizes_of,
    starts_of,
    unfit,
)
from bondline.description.place import Problem
from bondline.description.units import scale
from bondline.description.untrusted import Node

_KINDS_2 = {
    **{"Real": "Float64", "Integer": "Int32"},
    **{"Boolean": "Boolean", "Enumeration": "Int32"},
}
_KINDS_3 = {
    **{f"{u}Int{n}": f"{u}Int{n}" for u in ("", "U") for n in (8, 16, 32, 64)},
    **{"Float64": "Float64", "Float32": "Float32"},
    **{"Boolean": "Boolean", "Enumeration": "Int64"},
}


@dataclass(frozen=True, slots=True)
class Variable:
    """A number of an FMU. `factor` makes its unit SI.

    If it is the one at `element` of an array, that has `size` of them.
    """

    name: str
    reference: int
    kind: str  # as FMI 3 calls it
    causality: str
    variability: str
    start: float | None
    unit: str
    factor: float = 1.0
    size: int = 1
    element: int = 0

    @property
    def number(self) -> bool:
        """Whether it is real."""
        return self.kind in ("Float64", "Float32")


def read_variables(root: Node, version: int) -> list[Variable] | Problem:
    """All that are numbers; of arrays, those that go in, come out, or can be set."""
    types, units = _types(root), _units(root)
    group = root.one("", "ModelVariables")
    nodes = group.children if group else []
    if version == 2:
        made = [_variable_2(n, types, units) for n in nodes]
        return [v for v in made if v is not None]
    found, room, sizes = list[Variable](), MOST, sizes_of(nodes)
    for node in nodes:
        variable = _variable_3(node, types, units)
        if variable is None or not is_array(node):
            found += [variable] if variable else []
            continue
        each = _elements(node, variable, sizes, room)
        if isinstance(each, Problem):
            return each
        found += each
        room -= len(each)
    return found


def _elements(
    node: Node, whole: Variable, sizes: Sizes, room: int
) -> list[Variable] | Problem:
    """One variable an element; none of an array that nobody outside can reach."""
    if whole.causality not in ("input", "output", "parameter"):
        return []
    shape = shape_of(node, sizes)
    if isinstance(shape, Problem):
        return shape
    size = prod(shape)
    if size > room:  # a table may stay as it is; what is exchanged may not
        table = whole.causality == "parameter"
        return [] if table else unfit(node, "has too many elements")
    starts = starts_of(node, size)
    if isinstance(starts, Problem):
        return starts
    return [
        replace(whole, name=name, start=_start(start), size=size, element=k)
        for k, (name, start) in enumerate(
            zip(names_of(whole.name, shape), starts, strict=True)
        )
    ]


def _types(root: Node) -> Mapping[str, str]:
    """Units by the names of types."""
    group = root.one("", "TypeDefinitions")
    found: dict[str, str] = {}
    for node in group.children if group else []:
        inner = (
            node.children[0] if node.name == "SimpleType" and node.children else node
        )
        found[node.get("name")] = inner.get("unit")
    return found


def _units(root: Node) -> Mapping[str, float]:
    """What makes each unit SI; 0 where it takes more than a factor.

    A unit that the FMU only names is what everybody means by that name.
    """
    group = root.one("", "UnitDefinitions")
    found: dict[str, float] = {}
    for unit in group.children if group else []:
        base = unit.one("", "BaseUnit")
        if base is not None:
            factor = read_number(base.get("factor", "1"))
            shifted = read_number(base.get("offset", "0")) != 0.0
            found[unit.get("name")] = 0.0 if shifted or factor is None else factor
    return found


def _named(unit: str) -> float:
    """What makes a unit SI that has a name only; one that nobody knows is left."""
    found = scale(unit) if unit else 1.0
    return 1.0 if found is None else found


def _variable_2(
    node: Node, types: Mapping[str, str], units: Mapping[str, float]
) -> Variable | None:
    typed = next((c for c in node.children if c.name in _KINDS_2), None)
    if typed is None:
        return None
    return _made(node, typed, _KINDS_2[typed.name], types, units)


def _variable_3(
    node: Node, types: Mapping[str, str], units: Mapping[str, float]
) -> Variable | None:
    if node.name not in _KINDS_3:
        return None
    return _made(node, node, _KINDS_3[node.name], types, units)


def _made(
    node: Node,
    typed: Node,
    kind: str,
    types: Mapping[str, str],
    units: Mapping[str, float],
) -> Variable | None:
    reference = read_number(node.get("valueReference"))
    if reference is None or not 0 <= reference < 2**32:
        return None
    unit = typed.get("unit") or types.get(typed.get("declaredType"), "")
    return Variable(
        name=node.get("name"),
        reference=int(reference),
        kind=kind,
        causality=node.get("causality", "local"),
        variability=node.get("variability", "continuous"),
        start=_start(typed.get("start").strip()),
        unit=unit,
        factor=units[unit] if unit in units else _named(unit),
    )


def _start(text: str) -> float | None:
    number = {"true": 1.0, "false": 0.0}.get(text, read_number(text))
    return number if number is not None and isfinite(number) else None
