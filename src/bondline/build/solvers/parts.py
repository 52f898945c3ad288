"""Parts that other programs compute."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from bondline.build.leaf_files.opened import first_of, opened, portless, unasked
from bondline.build.leaf_files.values import Values, named
from bondline.build.solvers.grant import code_is_allowed, refused
from bondline.build.solvers.readers import MEANINGS, READERS
from bondline.core import Model, Observing, Passport
from bondline.description import ComponentSpec, Problem
from bondline.description.catalogue import Examined
from bondline.description.spec import LEAF_ENDING
from bondline.description.untrusted import Node
from bondline.errors import BondlineError, DeckError, SettingError, WiringError


def examined(part: ComponentSpec) -> Examined:
    """What may be known of the part, and what is wrong; code runs where it may."""
    return _examined(part, code_is_allowed())


@lru_cache(maxsize=64)
def _examined(part: ComponentSpec, allowed: bool) -> Examined:
    leaf, root, problems = _leaf(part, {}, allowed)
    if leaf is None or root is None:
        return Examined(None, tuple(problems))
    signals: tuple[str, ...] = ()
    if isinstance(leaf, Observing):
        signals = tuple(leaf.observe(leaf.start(0.0).state))
    own = opened(part, {})[1]
    meaning, can = MEANINGS[root.name], leaf.capabilities
    passport = Passport(LEAF_ENDING, meaning, own, leaf.ports, can)
    wrong = [*unasked(part), *portless(part, list(leaf.ports))]
    return Examined(passport, tuple(wrong), signals)


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf with those values of its parameters; each call makes another one."""
    leaf, _, problems = _leaf(part, values, code_is_allowed())
    if leaf is None:
        raise first_of(problems)
    return leaf


def _leaf(
    part: ComponentSpec, values: Mapping[str, float], allowed: bool
) -> tuple[Model | None, Node | None, list[Problem]]:
    root, own, problems = opened(part, values)
    if root is None:
        return None, None, problems
    if root.name == "python" and not allowed:
        return None, root, [refused(part.name, root.get("source"), root.where)]
    try:
        read = READERS[root.name]
        return read(root, part.name, Values(own), dict(part.beside)), root, []
    except (DeckError, SettingError, WiringError) as error:
        return None, root, [_wrong(root, error)]


def _wrong(root: Node, error: BondlineError) -> Problem:
    code = "BND131" if root.name == "python" else "BND132"
    finding = f"{named(root)}: {error.place}: {error.finding}"
    return Problem(code, root.where, finding, error.remedy)
