"""Decks of other codes: read as models, written from models."""

from __future__ import annotations

from bondline.leaves.fe.formats.bdf.read import read_bdf
from bondline.leaves.fe.formats.deck import Analysis, Deck
from bondline.leaves.fe.formats.inp.read import read_inp
from bondline.leaves.fe.formats.inp.write import inp_text, write_inp
from bondline.leaves.fe.formats.msh.read import read_msh

__all__ = [
    "Analysis",
    "Deck",
    "inp_text",
    "read_bdf",
    "read_inp",
    "read_msh",
    "write_inp",
]
