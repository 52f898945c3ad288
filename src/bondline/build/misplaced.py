"""Names in a placement file that the model, or a partner, does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bondline.build.catalogue import catalogue
from bondline.description import Place, Problem, SystemSpec, load
from bondline.errors import NotServed, did_you_mean


def misplaced(models: Sequence[Path], placed: Mapping[str, Place]) -> list[Problem]:
    """One problem for each that is in none of the models, where it is written.

    Nobody is asked for that: a slip is found before a partner is waited for.
    """
    if not models or not placed:
        return []  # a caller that knows no model file has nothing to compare with
    every = [parts_of(model) for model in models]
    if not all(every):
        return []  # one cannot be read, which is told when it is opened
    known = [name for names in every for name in names]
    have = f"{' and '.join(map(str, models))} {'have' if len(models) > 1 else 'has'}"
    return [
        Problem(
            "BND082",
            where,
            f"part {name} is placed, but {have} no such part.",
            did_you_mean(name, known),
        )
        for name, where in placed.items()
        if name not in known
    ]


def unserved(error: NotServed, where: Place) -> Problem:
    """What a partner said who has no model of the name that is written there."""
    finding = f"{error.place}: {error.finding}"
    return Problem("BND083", where, finding, error.remedy)


def parts_of(model: Path) -> list[str]:
    """Names of all parts of a model file; none if it cannot be read."""
    spec = load(model, catalogue().library).spec
    return list(part_names(spec.system)) if spec is not None else []


def part_names(system: SystemSpec, path: str = "") -> Iterator[str]:
    """Of all parts, outer ones first: `rear`, `rear.axle`."""
    for element in system.elements:
        yield f"{path}{element.name}"
        if isinstance(element, SystemSpec):
            yield from part_names(element, f"{path}{element.name}.")
