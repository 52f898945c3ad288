"""Parts that are made from files with matrices and ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from bondline.build.deck_annotation import asked_settings
from bondline.core import Model, Passport
from bondline.description import ComponentSpec, Place, Problem
from bondline.description.catalogue import Examined, FileForm
from bondline.description.spec import FileSpec
from bondline.errors import DeckError, SettingError, did_you_mean

if TYPE_CHECKING:
    from bondline.leaves.fe.matrices import MatrixSet
    from bondline.leaves.structure import Structure

ENDINGS = ("h5", "hdf5")
MEANING = "matrices with ports, full or reduced"


def files() -> Mapping[str, FileForm]:
    """What a model file may name as matrices."""
    return {ending: FileForm(MEANING, examined) for ending in ENDINGS}


@lru_cache(maxsize=64)
def examined(part: ComponentSpec) -> Examined:
    """What may be known of the part that matrices make, and what is wrong with it."""
    assert part.file is not None, "only what could be read is examined"
    try:
        made = _leaf(part)
    except (DeckError, SettingError) as error:
        inner = error.place.removeprefix(part.file.shown).strip("/: ")
        finding = f"{inner}: {error.finding}" if inner else error.finding
        problem = Problem("BND071", Place(part.file.shown), finding, error.remedy)
        return Examined(None, (problem,))
    problems = [*_unasked(part), *_portless(part, made)]
    kind = part.file.ending
    passport = Passport(kind, MEANING, {}, made.ports, made.capabilities)
    return Examined(passport, tuple(problems))


def _unasked(part: ComponentSpec) -> Iterator[Problem]:
    """A file of matrices has its ports inside, and nothing else to say."""
    _, wrong = asked_settings(part)
    yield from wrong
    if part.fe is None:
        return
    keys = [f'{key}="{text[:60]}"' for key, text in part.fe.settings if key != "steps"]
    keys += [f"port {p.name}" for p in part.fe.ports]
    keys += [f"{p.name} to be published" for p in part.fe.publish]
    keys += [f"parameter {p.name}" for p in part.fe.parameters]
    for what in keys:
        finding = f"{part.name} is asked for {what}, which matrices do not have."
        remedy = "Ports are in the file; the annotation may say steps, and no more."
        yield Problem("BND072", part.fe.where, finding, remedy)


def _portless(part: ComponentSpec, made: Structure) -> Iterator[Problem]:
    for c in part.connectors:
        if c.mechanical and c.name not in made.ports:
            finding = f"{part.name} has no port {c.name[:60]!r}."
            yield Problem("BND025", c.where, finding, did_you_mean(c.name, made.ports))


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of a file with matrices; there is nothing to be set."""
    try:
        return _leaf(part)
    except DeckError as error:
        raise SettingError(error.place, error.finding, error.remedy) from error


def _leaf(part: ComponentSpec) -> Structure:
    from bondline.leaves.fe.matrices import matrix_leaf

    assert part.file is not None, "only what could be read is made"
    source = replace(_matrices(part.file), name=part.name)
    return matrix_leaf(source, steps=asked_settings(part)[0].steps)


@lru_cache(maxsize=16)
def _matrices(file: FileSpec) -> MatrixSet:
    from bondline.leaves.fe.matrices import read_h5

    return read_h5(file.data, file.shown)
