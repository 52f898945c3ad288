"""Rehearse: everything that is wrong with a model, up to putting it together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from bondline.build.broken import explained
from bondline.build.build import Elsewhere, Misfit, assemble
from bondline.build.catalogue import catalogue
from bondline.build.component import components
from bondline.build.deck_doubts import doubtful
from bondline.build.distances import distances
from bondline.build.ignored import ignored
from bondline.build.unfit import unfit, unpublished
from bondline.description import ModelSpec, Problem, examine
from bondline.description.spec import REMOTE


def rehearse(
    path: str | Path,
    elsewhere: Elsewhere | None = None,
    placed: Collection[str] = (),
) -> tuple[ModelSpec | None, list[Problem]]:
    """Load, check, and, where that finds no error, build.

    `placed` are parts that somebody said the place of, though nobody is asked there.
    """
    spec, problems = examine(path, catalogue())
    if spec is None:
        return spec, problems
    if any(p.fatal for p in problems):
        return spec, explained(spec, problems)
    if any(_unplaced(spec, elsewhere or {})):  # nothing more can be known without them
        return spec, [*problems, *_unplaced(spec, {*(elsewhere or {}), *placed})]
    problems = [*problems, *ignored(spec, elsewhere or {})]
    if other := unfit(spec, elsewhere or {}):  # another model: what it shows is its own
        return spec, [*problems, *other]
    told = misfits(spec, elsewhere) or [*distances(spec), *doubtful(spec, spec.step)]
    return spec, [*problems, *told, *unpublished(spec, elsewhere or {})]


def _unplaced(spec: ModelSpec, placed: Collection[str]) -> Iterator[Problem]:
    for name, part in components(spec.system):
        known = any(name == p or name.startswith(f"{p}.") for p in placed)
        if part.kind == REMOTE and not known:
            yield Problem(
                "BND080",
                part.where,
                f"{name} stays with its owner: its ports are not known here.",
                f"Give --placement FILE, with the address under [parts.{name}].",
                "warning",
            )


def misfits(spec: ModelSpec, elsewhere: Elsewhere | None = None) -> list[Problem]:
    """Why a description without errors cannot be built; empty if it can."""
    try:
        assemble(spec, elsewhere)
    except Misfit as misfit:
        error = misfit.error
        finding = f"{error.place}: {error.finding}"
        return [Problem("BND060", misfit.where, finding, error.remedy)]
    return []
