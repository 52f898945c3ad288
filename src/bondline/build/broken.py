"""Parts of a kind that is installed and cannot be loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bondline.build.kinds import broken
from bondline.description import ComponentSpec, ModelSpec, Problem, leaves
from bondline.errors import SettingError

_NOT_INSTALLED = "BND023"


def demand(spec: ModelSpec) -> None:
    """`SettingError` for the first part of such a kind, with its place in the file."""
    for part, error in _lost(spec):
        place = f"{part.where}: {error.place}"
        raise SettingError(place, error.finding, error.remedy) from error


def explained(spec: ModelSpec, problems: Sequence[Problem]) -> list[Problem]:
    """The problems; where a kind is not just unknown, what is wrong with it."""
    lost = {part.where: (part, error) for part, error in _lost(spec)}
    return [
        _told(problem, *lost[problem.where])
        if problem.code == _NOT_INSTALLED and problem.where in lost
        else problem
        for problem in problems
    ]


def _lost(spec: ModelSpec) -> Iterator[tuple[ComponentSpec, SettingError]]:
    known = broken()
    for _, part in leaves(spec.system):
        if part.kind is not None and part.kind in known:
            yield part, known[part.kind]


def _told(problem: Problem, part: ComponentSpec, error: SettingError) -> Problem:
    finding = f"{part.name} is of the kind {part.kind!r}: {error.place}: "
    return replace(problem, finding=finding + error.finding, remedy=error.remedy)
