"""Rehearse: everything that is wrong with a model, up to putting it together."""

from __future__ import annotations

import re
from pathlib import Path

from bondline.build.build import build
from bondline.build.catalogue import catalogue
from bondline.description import ModelSpec, Place, Problem, examine
from bondline.errors import SettingError, WiringError


def rehearse(path: str | Path) -> tuple[ModelSpec | None, list[Problem]]:
    """Load, check, and, where that finds no error, build."""
    spec, problems = examine(path, catalogue())
    if spec is None or any(p.fatal for p in problems):
        return spec, problems
    try:
        build(spec)
    except (WiringError, SettingError) as error:
        problems = [*problems, _misfit(error)]
    return spec, problems


def _misfit(error: WiringError | SettingError) -> Problem:
    found = re.fullmatch(r"(.+?):(\d+):(\d+): (.*)", error.place)
    assert found is not None, error.place  # `build` writes it so
    file, line, column, what = found.groups()
    where = Place(file, int(line), int(column))
    return Problem("BND060", where, f"{what}: {error.finding}", error.remedy)
