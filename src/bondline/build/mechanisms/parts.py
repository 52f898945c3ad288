"""Parts that are made from mechanism files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from bondline.build.leaf_files.opened import first_of, opened, portless, unasked
from bondline.core import Capabilities, Model, Passport
from bondline.description import ComponentSpec, Problem
from bondline.description.catalogue import Examined
from bondline.description.spec import LEAF_ENDING

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


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of a mechanism file with those values of its parameters."""
    from bondline.leaves.mbd.making import multibody_leaf

    return multibody_leaf(part.name, sheet_of(part, values))


def sheet_of(part: ComponentSpec, values: Mapping[str, float]) -> Sheet:
    """What the file says; `SettingError` where values make it wrong."""
    sheet, problems = _sheet(part, tuple(sorted(values.items())))
    if sheet is None:
        raise first_of(problems)
    return sheet


@lru_cache(maxsize=64)
def _sheet(
    part: ComponentSpec, values: tuple[tuple[str, float], ...]
) -> tuple[Sheet | None, list[Problem]]:
    from bondline.build.mechanisms.read import read_sheet

    root, own, problems = opened(part, dict(values))
    if root is None:
        return None, problems
    return read_sheet(root, part.name, own, dict(part.beside))
