"""Parameter bindings: inline or in .ssv and .ssm files."""

from __future__ import annotations

from math import isfinite
from typing import TypedDict

from bondline.description.place import Problem
from bondline.description.schema import SSC, SSD, SSM, SSV
from bondline.description.shelf import Shelf
from bondline.description.spec import BindingSpec, MappingSpec, ValueSpec
from bondline.description.untrusted import Node

_SET = "application/x-ssp-parameter-set"
_MAPPING = "application/x-ssp-parameter-mapping"
_OTHER = (
    "BooleanMappingTransformation",
    "IntegerMappingTransformation",
    "EnumerationMappingTransformation",
)


def read_bindings(element: Node, shelf: Shelf, base: str) -> tuple[BindingSpec, ...]:
    """All bindings of an element; what cannot be read is left out and reported."""
    group = element.one(SSD, "ParameterBindings")
    nodes = group.all(SSD, "ParameterBinding") if group else ()
    return tuple(_binding(node, shelf, base) for node in nodes)


def _binding(node: Node, shelf: Shelf, base: str) -> BindingSpec:
    sets = _content(node, node.one(SSD, "ParameterValues"), shelf, base)
    mapping = node.one(SSD, "ParameterMapping")
    size = sum(len(group.children) for root in sets for group in root.children)
    return BindingSpec(
        values=_values(sets) if shelf.spend(size, node.where) else (),
        mapping=_mapping(mapping, shelf, base) if mapping else None,
        prefix=node.get("prefix"),
        where=node.where,
    )


def _content(
    holder: Node, inline: Node | None, shelf: Shelf, base: str
) -> tuple[Node, ...]:
    """Roots of the parameter sets: from the source if there is one, else inline."""
    if holder.get("type", _SET) != _SET:
        shelf.report(_other_type(holder))
        return ()
    if "source" not in holder.attributes:
        return tuple(inline.all(SSV, "ParameterSet")) if inline else ()
    root = _from_file(holder, shelf, base, (SSV, "ParameterSet"))
    return (root,) if root else ()


def _from_file(
    holder: Node, shelf: Shelf, base: str, root: tuple[str, str]
) -> Node | None:
    if holder.get("sourceBase", "SSD") != "SSD":
        shelf.report(_inside_component(holder))
        return None
    name = shelf.find(holder.get("source"), base, holder.where)
    return shelf.take(name, holder.where, root) if name else None


def _values(sets: tuple[Node, ...]) -> tuple[ValueSpec, ...]:
    return tuple(
        _value(parameter)
        for root in sets
        for group in root.all(SSV, "Parameters")
        for parameter in group.all(SSV, "Parameter")
    )


def _value(parameter: Node) -> ValueSpec:
    typed = next((c for c in parameter.children if c.space == SSV), None)
    return ValueSpec(
        name=parameter.get("name"),
        text=typed.get("value") if typed else "",
        unit=typed.attributes.get("unit") if typed else None,
        where=typed.where if typed else parameter.where,
    )


def _mapping(node: Node, shelf: Shelf, base: str) -> tuple[MappingSpec, ...]:
    if node.get("type", _MAPPING) != _MAPPING:
        shelf.report(_other_type(node))
        return ()
    if "source" in node.attributes:
        root = _from_file(node, shelf, base, (SSM, "ParameterMapping"))
    else:
        root = node.one(SSM, "ParameterMapping")
    entries = root.all(SSM, "MappingEntry") if root else ()
    return tuple(_entry(e, shelf) for e in entries)


def _entry(node: Node, shelf: Shelf) -> MappingSpec:
    return MappingSpec(
        source=node.get("source"),
        target=node.get("target"),
        where=node.where,
        **transformation(node, shelf),
    )


class Transformation(TypedDict):
    """What becomes of a number on its way: of a mapping, or of a connection."""

    factor: float
    offset: float
    keep_number: bool


def transformation(node: Node, shelf: Shelf) -> Transformation:
    """The linear one that is inside `node`; others are reported."""
    for other in node.all(SSC, *_OTHER):
        shelf.report(_unsupported(other))
    linear = node.one(SSC, "LinearTransformation")
    return {
        "factor": _number(linear, "factor", 1.0),
        "offset": _number(linear, "offset", 0.0),
        "keep_number": node.get("suppressUnitConversion") in ("true", "1"),
    }


def _inside_component(node: Node) -> Problem:
    return Problem(
        "BND121",
        node.where,
        f"{node.get('source')[:200]!r} is looked for inside the component "
        '(sourceBase="component"), which is not supported.',
        "Put the file beside the .ssd, and leave sourceBase away.",
    )


def _other_type(node: Node) -> Problem:
    kind = _SET if node.name == "ParameterBinding" else _MAPPING
    return Problem(
        "BND122",
        node.where,
        f"the type {node.get('type')[:200]!r} is not read here.",
        f"Give the values as {kind}, or leave the type away.",
    )


def _unsupported(node: Node) -> Problem:
    return Problem(
        "BND037",
        node.where,
        f"{node.name} is not for numbers.",
        "Use ssc:LinearTransformation, or none.",
    )


def _number(node: Node | None, key: str, default: float) -> float:
    number = read_number(node.get(key)) if node else None
    return default if number is None else number


def read_number(text: str) -> float | None:
    """A finite number, or None.

    >>> read_number("1e-2"), read_number("1_0"), read_number("INF")
    (0.01, None, None)
    """
    try:
        number = float(text) if "_" not in text else None
    except ValueError:
        return None
    return number if number is not None and isfinite(number) else None
