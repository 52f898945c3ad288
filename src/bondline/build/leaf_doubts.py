"""What is doubtful about structure and mechanism files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf, pi

from bondline.build.doubts import in_millimetres, missed, units
from bondline.build.leaf_files.opened import opened
from bondline.build.leaf_files.presence import present
from bondline.build.leaf_files.values import Values
from bondline.description import ComponentSpec, Problem
from bondline.description.schema import LEAF
from bondline.description.untrusted import Node
from bondline.leaves.fe.sections import Material

_OWN_STEP = 1e-3  # s, of a mechanism that says none


def leaf_doubts(
    part: ComponentSpec, values: Mapping[str, float], step: float | None
) -> Iterator[Problem]:
    """Materials in other units, and loads that windows of `step` s miss."""
    root, parameters, _ = opened(part, values)
    if root is None:
        return  # told as a problem
    v = Values(parameters)
    kept = present(root, v)
    for node in kept.all(LEAF, "material"):
        material = v.attempt(node, lambda n: _material(n, v))
        if material is not None and in_millimetres(material, 0.0):
            yield units(node.where, material, "", "Files of parts")
    inner = step and v.attempt(kept, lambda n: _inner(n, v, step))
    if inner:
        yield from _missed(part.name, kept, v, inner)


def _material(node: Node, v: Values) -> Material:
    E, rho = v.number(node, "E"), v.number(node, "density", 0.0)
    return Material(node.get("name"), E, 0.3, rho)


def _inner(root: Node, v: Values, step: float) -> float:
    """The steps that a part takes inside a window."""
    node = root.one(LEAF, "integration")
    if root.name == "mechanism":
        own = _OWN_STEP if node is None else v.number(node, "step", _OWN_STEP)
        return min(step, own)
    return step / (1.0 if node is None else v.number(node, "steps", 1.0))


def _missed(name: str, root: Node, v: Values, step: float) -> Iterator[Problem]:
    """The quickest of its harmonic loads, if it is too quick."""
    found = [
        (abs(v.attempt(n, lambda n: v.number(n, "frequency", 0.0)) or 0.0), n.where)
        for n in root.walk()
        if n.space == LEAF and "frequency" in n.attributes
    ]
    hertz, where = max(found, default=(0.0, root.where), key=lambda pair: pair[0])
    problem = missed(where, name, 2.0 * pi * hertz, step) if hertz < inf else None
    if problem is not None:
        yield problem
