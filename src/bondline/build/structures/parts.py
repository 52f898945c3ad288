"""Parts that are made from structure files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from bondline.build.mechanisms.parts import portless, unasked
from bondline.core import Model, Passport
from bondline.description import ComponentSpec, Problem
from bondline.description.catalogue import Examined
from bondline.description.leaf_files import read_leaf
from bondline.description.spec import LEAF_ENDING
from bondline.errors import SettingError

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
        first = problems[0]
        raise SettingError(str(first.where), first.finding, first.remedy)
    return leaf


@lru_cache(maxsize=16)
def _leaf(
    part: ComponentSpec, values: tuple[tuple[str, float], ...]
) -> tuple[Model | None, list[Problem]]:
    from bondline.build.mechanisms.parameters import declared
    from bondline.build.mechanisms.presence import present
    from bondline.build.mechanisms.values import Values
    from bondline.build.structures.read import read_structure

    assert part.file is not None, "only what could be read is examined"
    root, problems = read_leaf(part.file)
    if root is None:
        return None, list(problems)
    own, wrong = declared(root, dict(values))
    if wrong:
        return None, wrong
    v = Values(own)
    kept = present(root, v)
    if v.problems:
        return None, v.problems
    return read_structure(kept, part.name, own, dict(part.beside))
