"""Arrays of FMI 3: how large they are, and how their elements are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from bondline.description.bindings import read_number
from bondline.description.place import Problem
from bondline.description.untrusted import Node

MOST = 10_000  # elements of all arrays of an FMU: each is a signal, or a parameter
_DEEPEST = 32  # dimensions

Sizes = Mapping[int | None, int]  # of what dimensions refer to, by value reference


def sizes_of(nodes: Iterable[Node]) -> Sizes:
    """What dimensions may refer to: structural parameters and constants, at start."""
    found: dict[int | None, int] = {}
    for node in nodes:
        structural = node.get("causality") == "structuralParameter"
        if structural or node.get("variability") == "constant":
            reference, size = _whole(node, "valueReference"), _whole(node, "start")
            if reference is not None and size is not None:
                found[reference] = size
    return found


def _whole(node: Node, key: str) -> int | None:
    number = read_number(node.get(key))
    return int(number) if number is not None and number.is_integer() else None


def is_array(node: Node) -> bool:
    """Whether a variable has dimensions; one of one element has them, too."""
    return node.one("", "Dimension") is not None


def shape_of(node: Node, sizes: Sizes) -> tuple[int, ...] | Problem:
    """How many elements along each dimension; or that nobody can know."""
    found: list[int] = []
    for dimension in node.all("", "Dimension"):
        size = _whole(dimension, "start")
        if size is None:
            size = sizes.get(_whole(dimension, "valueReference"))
        if size is None or size < 0:
            return unfit(node, "has a dimension of which the size is not told")
        found.append(size)
    if len(found) > _DEEPEST:
        return unfit(node, f"has more than {_DEEPEST} dimensions")
    return tuple(found)


def unfit(node: Node, why: str) -> Problem:
    """An array that cannot be used."""
    return Problem(
        "BND103",
        node.where,
        f"the array {node.get('name')[:60]} {why}.",
        "Let each dimension have a start value or name a structural parameter that has "
        "one, and give one start value an element; inputs and outputs of an FMU have "
        f"at most {MOST} elements.",
    )


def starts_of(node: Node, size: int) -> list[str] | Problem:
    """One start value an element; one alone is that of all; none where none is told."""
    told = node.get("start").split()
    if len(told) == 1:
        return told * size
    if told and len(told) != size:
        return unfit(node, f"has {size} elements and {len(told)} start values")
    return told or [""] * size


def names_of(name: str, shape: tuple[int, ...]) -> Iterator[str]:
    """Elements in the order of FMI: the last index runs first.

    >>> list(names_of("A", (2, 2)))
    ['A[1,1]', 'A[1,2]', 'A[2,1]', 'A[2,2]']
    """
    for index in product(*(range(1, n + 1) for n in shape)):
        yield f"{name}[{','.join(map(str, index))}]"
