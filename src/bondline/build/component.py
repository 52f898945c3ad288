"""One component of a model file, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.build.catalogue import catalogue
from bondline.build.decks import modelled, readers
from bondline.build.given import Given, apply
from bondline.description import ComponentSpec, SystemSpec, accept, load, numbers
from bondline.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from bondline.leaves.fe.model import FeModel
    from bondline.leaves.fe.plug import Plug


def deck_component(
    path: Path, name: str, given: Given
) -> tuple[FeModel, dict[str, Plug]]:
    """The model and the ports of a component that is a deck: `left.rail`, if nested."""
    known = catalogue()
    spec = apply(accept(load(path, known.library), known), known, given)
    parts = dict(components(spec.system))
    part = parts.get(name)
    if part is None:
        raise UsageError(
            f"{path}: part {name}", "there is no such part.", did_you_mean(name, parts)
        )
    if part.file is None or part.file.ending not in readers():
        decks = [n for n, p in parts.items() if p.file and p.file.ending in readers()]
        raise UsageError(
            f"{path}: part {name}",
            "it is not made from a deck.",
            f"Parts that are: {', '.join(decks) or 'none'}.",
        )
    values, _ = numbers(spec.system, known)
    prefix = f"{name}."
    own = {n.removeprefix(prefix): v for n, v in values.items() if n.startswith(prefix)}
    deck, plugs = modelled(part, tuple(sorted(own.items())))
    return deck.model, plugs


def components(
    system: SystemSpec, path: str = ""
) -> Iterator[tuple[str, ComponentSpec]]:
    """All parts that are no systems themselves, by their names from the root on."""
    for element in system.elements:
        name = f"{path}{element.name}"
        if isinstance(element, SystemSpec):
            yield from components(element, f"{name}.")
        else:
            yield name, element
