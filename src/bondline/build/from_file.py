"""Parts that are made from files: decks, matrices, leaf files, FMUs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from bondline.build import fmus
from bondline.build.decks import files as deck_files
from bondline.build.decks import make as make_deck
from bondline.build.matrix_files import ENDINGS
from bondline.build.matrix_files import files as matrix_files
from bondline.build.matrix_files import make as make_matrices
from bondline.build.mechanisms import parts as mechanisms
from bondline.build.solvers import parts as solvers
from bondline.build.structures import parts as structures
from bondline.core import Model
from bondline.description import ComponentSpec
from bondline.description.catalogue import Examined, FileForm
from bondline.description.leaf_files import read_leaf
from bondline.description.spec import LEAF_ENDING

MEANING = "a mechanism, a structure, or what another program computes"


def examined(part: ComponentSpec) -> Examined:
    """What may be known of the part that a leaf file makes, and what is wrong."""
    return _shelf(part).examined(part)


class Shelf(Protocol):
    """Parts of one kind of leaf file."""

    def examined(self, part: ComponentSpec) -> Examined:
        """What may be known of one, and what is wrong."""
        ...

    def make(self, part: ComponentSpec, values: Mapping[str, float]) -> Model:
        """The leaf of one."""
        ...


def _shelf(part: ComponentSpec) -> Shelf:
    """By the root element; what is no leaf file is told as a mechanism."""
    assert part.file is not None, "only what could be read is examined"
    root, _ = read_leaf(part.file)
    if root is None or root.name == "mechanism":
        return mechanisms
    return structures if root.name == "structure" else solvers


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
        return _shelf(part).make(part, values)
    made = make_matrices if part.file.ending in ENDINGS else make_deck
    return made(part, values)
