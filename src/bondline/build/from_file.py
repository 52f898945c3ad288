"""Parts that are made from files: decks, matrices, mechanisms, structures, FMUs."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.build import fmus
from bondline.build.decks import files as deck_files
from bondline.build.decks import make as make_deck
from bondline.build.matrix_files import ENDINGS
from bondline.build.matrix_files import files as matrix_files
from bondline.build.matrix_files import make as make_matrices
from bondline.build.mechanisms import parts as mechanisms
from bondline.build.structures import parts as structures
from bondline.core import Model
from bondline.description import ComponentSpec
from bondline.description.catalogue import Examined, FileForm
from bondline.description.leaf_files import read_leaf
from bondline.description.spec import LEAF_ENDING

MEANING = "a mechanism or a structure"


def examined(part: ComponentSpec) -> Examined:
    """What may be known of the part that a leaf file makes, and what is wrong."""
    if _is_structure(part):
        return structures.examined(part)
    return mechanisms.examined(part)


def _is_structure(part: ComponentSpec) -> bool:
    """By the root element; what is no leaf file is told as a mechanism."""
    assert part.file is not None, "only what could be read is examined"
    root, _ = read_leaf(part.file)
    return root is not None and root.name == "structure"


def files() -> Mapping[str, FileForm]:
    """All kinds of files, by what their names end with."""
    own = {LEAF_ENDING: FileForm(MEANING, examined)}
    return {**deck_files(), **matrix_files(), **own, **fmus.files()}


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of a file with those values of its parameters."""
    assert part.file is not None, "only what could be read is made"
    if part.file.ending == fmus.ENDING:
        return fmus.make(part, values)
    if part.file.ending == LEAF_ENDING:
        if _is_structure(part):
            return structures.make(part, values)
        return mechanisms.make(part, values)
    made = make_matrices if part.file.ending in ENDINGS else make_deck
    return made(part, values)
