"""Parts that are made from mechanism files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from bondline.core import Capabilities, Model, Passport
from bondline.description import ComponentSpec, Problem
from bondline.description.catalogue import Examined
from bondline.description.leaf_files import read_leaf
from bondline.description.spec import LEAF_ENDING
from bondline.errors import SettingError, did_you_mean

if TYPE_CHECKING:
    from bondline.leaves.mbd.sheet import Sheet

MEANING = "a multibody mechanism"


@lru_cache(maxsize=64)
def examined(part: ComponentSpec) -> Examined:
    """What may be known of the part that a mechanism makes, and what is wrong."""
    from bondline.leaves.mbd.leaf import shown_ports

    sheet, problems = _sheet(part, ())
    if sheet is None:
        return Examined(None, tuple(problems))
    ports = shown_ports(sheet)
    passport = Passport(LEAF_ENDING, MEANING, sheet.parameters, ports, Capabilities())
    wrong = [*unasked(part), *portless(part, list(ports))]
    return Examined(passport, tuple(wrong), tuple(sheet.signals))


def unasked(part: ComponentSpec) -> Iterator[Problem]:
    """An annotation for decks, which leaf files do not have."""
    if part.fe is not None:
        finding = f"{part.name} has an annotation for decks, and is a leaf file."
        remedy = "Say it in the file: <port>, <signal>, <parameter>, <integration>."
        yield Problem("BND072", part.fe.where, finding, remedy)


def portless(part: ComponentSpec, known: list[str]) -> Iterator[Problem]:
    """Connectors that name no port."""
    for c in part.connectors:
        if c.mechanical and c.name not in known:
            finding = f"{part.name} has no port {c.name[:60]!r}."
            yield Problem("BND025", c.where, finding, did_you_mean(c.name, known))


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of a mechanism file with those values of its parameters."""
    from bondline.leaves.mbd.making import multibody_leaf

    return multibody_leaf(part.name, sheet_of(part, values))


def sheet_of(part: ComponentSpec, values: Mapping[str, float]) -> Sheet:
    """What the file says; `SettingError` where values make it wrong."""
    sheet, problems = _sheet(part, tuple(sorted(values.items())))
    if sheet is None:
        first = problems[0]
        raise SettingError(str(first.where), first.finding, first.remedy)
    return sheet


@lru_cache(maxsize=64)
def _sheet(
    part: ComponentSpec, values: tuple[tuple[str, float], ...]
) -> tuple[Sheet | None, list[Problem]]:
    from bondline.build.mechanisms.parameters import declared
    from bondline.build.mechanisms.read import read_sheet

    assert part.file is not None, "only what could be read is examined"
    root, problems = read_leaf(part.file)
    if root is None:
        return None, list(problems)
    own, wrong = declared(root, dict(values))
    if wrong:
        return None, wrong
    return read_sheet(root, part.name, own, dict(part.beside))
