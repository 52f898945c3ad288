"""Leaf files as they are opened, and what is wrong before anything is read of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bondline.core import Parameter
from bondline.description import ComponentSpec, Problem
from bondline.description.leaf_files import read_leaf
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean


def opened(
    part: ComponentSpec, values: Mapping[str, float]
) -> tuple[Node | None, dict[str, Parameter], list[Problem]]:
    """The tree of a part's file and its parameters with those values; or problems."""
    from bondline.build.leaf_files.parameters import declared

    assert part.file is not None, "only what could be read is examined"
    root, problems = read_leaf(part.file)
    if root is None:
        return None, {}, list(problems)
    own, wrong = declared(root, values)
    return (None if wrong else root), own, wrong


def first_of(problems: Sequence[Problem]) -> SettingError:
    """The first problem, for whoever makes a part without having it examined."""
    first = problems[0]
    finding = f"{first.finding} ({first.code})"
    return SettingError(str(first.where), finding, first.remedy)


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
