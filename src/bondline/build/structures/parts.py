"""Parts that are made from structure files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from bondline.build.leaf_files.opened import first_of, opened, portless, unasked
from bondline.core import Model, Passport
from bondline.description import ComponentSpec, Problem
from bondline.description.catalogue import Examined
from bondline.description.spec import LEAF_ENDING

MEANING = "a nonlinear finite-element structure"


@lru_cache(maxsize=64)
def examined(part: ComponentSpec) -> Examined:
    """What may be known of the part that a structure makes, and what is wrong."""
    leaf, problems = _leaf(part, ())
    if leaf is None:
        return Examined(None, tuple(problems))
    ports, can = leaf.ports, leaf.capabilities
    passport = Passport(LEAF_ENDING, MEANING, leaf.parameters, ports, can)
    wrong = [*unasked(part), *portless(part, list(ports))]
    signals = tuple(leaf.observe(leaf.start(0.0).state))  # type: ignore[attr-defined]
    return Examined(passport, tuple(wrong), signals)


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of a structure file with those values of its parameters."""
    leaf, problems = _leaf(part, tuple(sorted(values.items())))
    if leaf is None:
        raise first_of(problems)
    return leaf


@lru_cache(maxsize=16)
def _leaf(
    part: ComponentSpec, values: tuple[tuple[str, float], ...]
) -> tuple[Model | None, list[Problem]]:
    from bondline.build.leaf_files.presence import present
    from bondline.build.leaf_files.values import Values
    from bondline.build.structures.read import read_structure

    root, own, problems = opened(part, dict(values))
    if root is None:
        return None, problems
    v = Values(own)
    kept = present(root, v)
    if v.problems:
        return None, v.problems
    return read_structure(kept, part.name, own, dict(part.beside))
