"""Leaf files, *.leaf.xml: through the gate, and held to their schema."""

from __future__ import annotations

from functools import lru_cache

from bondline.description.place import Problem
from bondline.description.schema import LEAF, violations
from bondline.description.shelf import Shelf
from bondline.description.spec import LEAF_ENDING, FileSpec
from bondline.description.untrusted import Node, read_xml

SOLVERS = ("python", "mujoco", "kratos", "calculix")  # other programs
ROOTS = ("mechanism", "structure", *SOLVERS)


@lru_cache(maxsize=64)
def read_leaf(file: FileSpec) -> tuple[Node | None, tuple[Problem, ...]]:
    """The root element, and what is wrong with the file as a file."""
    document = read_xml(file.data, file.shown)
    if isinstance(document, Problem):
        return None, (document,)
    root = document.root
    if root.space != LEAF or root.name not in ROOTS:
        finding = f"the root element is {root.name!r} of {root.space or 'no space'!r}."
        remedy = f'Start with <mechanism xmlns="{LEAF}">, or with <structure …>.'
        return None, (Problem("BND073", root.where, finding, remedy),)
    problems = tuple(violations(document))
    return (None if problems else root), problems


def named_files(file: FileSpec, shelf: Shelf) -> tuple[tuple[str, FileSpec], ...]:
    """The files that a leaf file names, by the names it uses; each is kept."""
    if file.ending != LEAF_ENDING:
        return ()
    root, _ = read_leaf(file)  # what is wrong is told when the part is examined
    found: dict[str, FileSpec] = {}
    for node in root.walk() if root else ():
        source = node.get("source")
        beside = shelf.bring(source, file.name, node.where) if source else None
        if beside is not None:
            found[source] = beside
    return tuple(found.items())
