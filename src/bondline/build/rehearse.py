"""Rehearse: everything that is wrong with a model, up to putting it together."""

from __future__ import annotations

from pathlib import Path

from bondline.build.broken import explained
from bondline.build.build import Misfit, assemble
from bondline.build.catalogue import catalogue
from bondline.build.deck_doubts import doubtful
from bondline.build.distances import distances
from bondline.description import ModelSpec, Problem, examine


def rehearse(path: str | Path) -> tuple[ModelSpec | None, list[Problem]]:
    """Load, check, and, where that finds no error, build."""
    spec, problems = examine(path, catalogue())
    if spec is None:
        return spec, problems
    if any(p.fatal for p in problems):
        return spec, explained(spec, problems)
    told = misfits(spec) or [*distances(spec), *doubtful(spec, spec.step)]
    return spec, [*problems, *told]


def misfits(spec: ModelSpec) -> list[Problem]:
    """Why a description without errors cannot be built; empty if it can."""
    try:
        assemble(spec)
    except Misfit as misfit:
        error = misfit.error
        finding = f"{error.place}: {error.finding}"
        return [Problem("BND060", misfit.where, finding, error.remedy)]
    return []
