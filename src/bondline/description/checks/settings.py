"""Are the gluing settings ones that work?"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from bondline.description.catalogue import Catalogue
from bondline.description.place import Problem
from bondline.description.spec import GluingSpec, ModelSpec, SystemSpec
from bondline.errors import did_you_mean


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
    yield from _scheme(gluing, catalogue)
    yield from _choice(gluing, "refresh", gluing.refresh, catalogue.refresh)
    yield from _choice(gluing, "update", gluing.update, catalogue.update)
    yield from _ranges(gluing)


def _method(gluing: GluingSpec, catalogue: Catalogue) -> Iterator[Problem]:
    if gluing.method not in catalogue.methods:
        later = gluing.method in ("X-X", "X-T", "auto")
        yield Problem(
            "BND042",
            gluing.where,
            f"no method {gluing.method[:200]!r}"
            + (" in this version; it comes later." if later else "."),
            did_you_mean(gluing.method, catalogue.methods),
        )


def _scheme(gluing: GluingSpec, catalogue: Catalogue) -> Iterator[Problem]:
    name = gluing.scheme
    if name is None or name in catalogue.schemes:
        return
    choices = ", ".join(sorted(catalogue.schemes))
    if name in catalogue.refused_schemes:
        yield Problem(
            "BND041",
            gluing.where,
            f"the scheme {name} is refused: {catalogue.refused_schemes[name]}.",
            f"Use one of {choices}, or leave scheme out.",
        )
    else:
        yield Problem(
            "BND040",
            gluing.where,
            f"no scheme {name[:200]!r}.",
            did_you_mean(name, catalogue.schemes),
        )


def _choice(
    gluing: GluingSpec, key: str, word: str | None, known: tuple[str, ...]
) -> Iterator[Problem]:
    if word is not None and word not in known:
        yield Problem(
            "BND044",
            gluing.where,
            f'no such choice: {key}="{word[:200]}".',
            did_you_mean(word, known),
        )


def _ranges(gluing: GluingSpec) -> Iterator[Problem]:
    for key, number in (
        ("tolerance", gluing.tolerance),
        ("forceTolerance", gluing.force_tolerance),
        ("epsilon", gluing.epsilon),
        ("step", gluing.step),
    ):
        if number is not None and not (isfinite(number) and number > 0.0):
            yield _range(gluing, key, number, "Give a finite number above zero.")
    for key, count in (
        ("maxIterations", gluing.max_iterations),
        ("windows", gluing.windows),
    ):
        if count is not None and not 1 <= count <= 1_000_000:
            yield _range(gluing, key, count, "Give a whole number, 1 or more.")


def _range(gluing: GluingSpec, key: str, number: float, remedy: str) -> Problem:
    return Problem("BND043", gluing.where, f"{key} is {number:g}.", remedy)


def check_times(spec: ModelSpec) -> Iterator[Problem]:
    """Start, stop and step of the whole model."""
    step, gluing = spec.step, spec.system.gluing
    if spec.stop is None or (step is None and gluing is not None):
        what = "stop time" if spec.stop is None else "step"
        flag = "--until" if spec.stop is None else "--step"
        yield Problem(
            "BND045",
            gluing.where if gluing and spec.stop is not None else spec.where,
            f"the model gives no {what}.",
            f"Give {flag} with each run, or write it into the model.",
            "warning",
        )
    elif spec.stop <= spec.start:
        yield Problem(
            "BND047",
            spec.where,
            f"the model stops at {spec.stop:g} s and starts at {spec.start:g} s.",
            "Let stopTime be the larger one.",
        )
    elif step is not None and isfinite(step) and step > 0.0:
        yield from _whole(spec, spec.stop - spec.start, step)


def _whole(spec: ModelSpec, span: float, step: float) -> Iterator[Problem]:
    windows = span / step
    if not isfinite(windows) or abs(windows - round(windows)) > 1e-6:
        below, above = (
            step * int(min(windows, 1e15)),
            step * (int(min(windows, 1e15)) + 1),
        )
        yield Problem(
            "BND046",
            spec.system.gluing.where if spec.system.gluing else spec.where,
            f"{span:g} s are not a whole number of steps of {step:g} s.",
            f"Stop after {below:g} s or {above:g} s, or change the step.",
            "warning",
        )
