"""Decks of other codes: read as models, written from models."""

from __future__ import annotations

from bondline.leaves.fe.formats.bdf.read import parse_bdf, read_bdf
from bondline.leaves.fe.formats.deck import Analysis, Deck
from bondline.leaves.fe.formats.inp.read import parse_inp, read_inp
from bondline.leaves.fe.formats.inp.write import inp_text, write_inp
from bondline.leaves.fe.formats.msh.read import parse_msh, read_msh

__all__ = [
    "Analysis",
    "Deck",
    "inp_text",
    "parse_bdf",
    "parse_inp",
    "parse_msh",
    "read_bdf",
    "read_inp",
    "read_msh",
    "write_inp",
]
