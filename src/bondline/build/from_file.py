"""Parts that are made from files: decks, matrices, mechanisms."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.build.decks import files as deck_files
from bondline.build.decks import make as make_deck
from bondline.build.matrix_files import ENDINGS
from bondline.build.matrix_files import files as matrix_files
from bondline.build.matrix_files import make as make_matrices
from bondline.build.mechanisms.parts import files as mechanism_files
from bondline.build.mechanisms.parts import make as make_mechanism
from bondline.core import Model
from bondline.description import ComponentSpec
from bondline.description.catalogue import FileForm
from bondline.description.spec import LEAF_ENDING


def files() -> Mapping[str, FileForm]:
    """All kinds of files, by what their names end with."""
    return {**deck_files(), **matrix_files(), **mechanism_files()}


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of a file with those values of its parameters."""
    assert part.file is not None, "only what could be read is made"
    if part.file.ending == LEAF_ENDING:
        return make_mechanism(part, values)
    made = make_matrices if part.file.ending in ENDINGS else make_deck
    return made(part, values)
