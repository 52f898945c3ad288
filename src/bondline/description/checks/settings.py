"""Are the gluing settings ones that work?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from bondline.description.bindings import read_number
from bondline.description.catalogue import Catalogue, SolverForm
from bondline.description.forms import WHOLE
from bondline.description.place import Problem
from bondline.description.ports import coupling_of
from bondline.description.settings import solver_of, solver_settings
from bondline.description.spec import GluingSpec, SystemSpec
from bondline.errors import SettingError, did_you_mean


def check_settings(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """The gluing of one system."""
    gluing = system.gluing
    if gluing is None:
        yield Problem(
            "BND036",
            system.where,
            f"{system.name} does not say how its parts are glued.",
            "Add an annotation of type io.github.bondline.gluing to the system.",
        )
        return
    yield from _method(gluing, catalogue)
    yield from _scheme(gluing, coupling_of(system, catalogue), catalogue)
    yield from _ranges(gluing)
    yield from _estimate(gluing, catalogue)
    yield from _start(gluing, catalogue)
    yield from _solver(gluing, catalogue)


def _method(gluing: GluingSpec, catalogue: Catalogue) -> Iterator[Problem]:
    if gluing.method not in catalogue.methods:
        yield Problem(
            "BND042",
            gluing.where,
            f"no method {gluing.method[:200]!r}.",
            did_you_mean(gluing.method, catalogue.methods),
        )


def _scheme(
    gluing: GluingSpec, coupling: str | None, catalogue: Catalogue
) -> Iterator[Problem]:
    """The scheme is one of the coupling; where that is unclear, one of any."""
    name = gluing.scheme
    known = among(catalogue.schemes, coupling)
    if name is None or name in known:
        return
    refused = among(catalogue.refused_schemes, coupling)
    others = [m for m, schemes in catalogue.schemes.items() if name in schemes]
    remedy = f"Use one of {', '.join(sorted(known))}, or leave scheme out."
    if others:
        finding = f"the scheme {name} is for {' and '.join(others)}, not {coupling}."
        yield Problem("BND040", gluing.where, finding, remedy)
    elif name in refused:
        finding = f"the scheme {name} is refused: {refused[name]}."
        yield Problem("BND041", gluing.where, finding, remedy)
    else:
        yield Problem(
            "BND040",
            gluing.where,
            f"no scheme {name[:200]!r}.",
            did_you_mean(name, known),
        )


def among(
    listed: Mapping[str, Mapping[str, str]], coupling: str | None
) -> dict[str, str]:
    """What is listed for that coupling; everything where it is not listed."""
    chosen = [listed[coupling]] if coupling and coupling in listed else listed.values()
    return {name: words for each in chosen for name, words in each.items()}


_RANGED = ("tolerance", "forceTolerance", "maxIterations", "patience")


def _ranges(gluing: GluingSpec) -> Iterator[Problem]:
    numbers = {
        "epsilon": gluing.epsilon,
        "step": gluing.step,
        "adaptive": gluing.adaptive,
    }
    counts: dict[str, int | None] = {
        "windows": gluing.windows,
        "threads": gluing.threads,
        "block": gluing.block,
    }
    for key in _RANGED[:2]:
        numbers[key] = read_number(gluing.solving.get(key, ""))
    for key in _RANGED[2:]:
        counts[key] = WHOLE.read(gluing.solving.get(key, ""))
    for key, number in numbers.items():
        if number is not None and not (isfinite(number) and number > 0.0):
            yield _range(gluing, key, number, "Give a finite number above zero.")
    for key, count in counts.items():
        if count is not None and not 1 <= count <= 1_000_000:
            yield _range(gluing, key, count, "Give a whole number, 1 or more.")


def _range(gluing: GluingSpec, key: str, number: float, remedy: str) -> Problem:
    return Problem("BND043", gluing.where, f"{key} is {number:g}.", remedy)


def _start(gluing: GluingSpec, catalogue: Catalogue) -> Iterator[Problem]:
    if gluing.start is not None and gluing.start not in catalogue.starts:
        yield _choice(gluing, "start", gluing.start, catalogue.starts)
    if gluing.signals is not None and gluing.signals not in catalogue.exchanges:
        yield _choice(gluing, "signals", gluing.signals, catalogue.exchanges)


def _estimate(gluing: GluingSpec, catalogue: Catalogue) -> Iterator[Problem]:
    word, known = gluing.estimate, catalogue.estimates
    if word is not None and word not in known:
        yield _choice(gluing, "estimate", word, known)
    elif word is not None and gluing.adaptive is None:
        yield Problem(
            "BND053",
            gluing.where,
            f'estimate="{word}", and the windows are not adaptive.',
            'Say what error a window may have, for example adaptive="1e-6", or leave '
            "estimate out.",
        )


def _solver(gluing: GluingSpec, catalogue: Catalogue) -> Iterator[Problem]:
    solver = solver_of(gluing, catalogue)
    settings, found = solver_settings(gluing, catalogue)
    for key, known in solver.choices.items() if solver else ():
        word = gluing.solving.get(key)
        if word is not None and word not in known:
            found.append(_choice(gluing, key, word, known))
    yield from found
    if solver is not None and not found:
        yield from _made(gluing, solver, settings)


def _choice(gluing: GluingSpec, key: str, word: str, known: tuple[str, ...]) -> Problem:
    return Problem(
        "BND044",
        gluing.where,
        f'no such choice: {key}="{word[:200]}".',
        did_you_mean(word, known),
    )


def _made(
    gluing: GluingSpec, solver: SolverForm, settings: Mapping[str, Any]
) -> Iterator[Problem]:
    """Try it: only the solver itself knows its ranges."""
    try:
        solver.make(**settings)
    except SettingError as error:
        names = {key: attribute for attribute, key in solver.keys.items()}
        place = names.get(error.place, error.place)
        finding = f"{place}: {error.finding}"
        if place not in _RANGED:  # which are judged already, with every other number
            yield Problem("BND043", gluing.where, finding, error.remedy)
