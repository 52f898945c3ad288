"""Modes of flexible bodies: of uniform beams, of finite elements, of matrices."""

from __future__ import annotations

from bondline.leaves.mbd.modal.beam import Beam, Shapes, beam_modes
from bondline.leaves.mbd.modal.damping import ratios
from bondline.leaves.mbd.modal.fe import fe_modes, reduced_modes
from bondline.leaves.mbd.modal.fields import Region
from bondline.leaves.mbd.modal.file import read_modes, write_modes
from bondline.leaves.mbd.modal.matrices import matrix_modes

__all__ = [
    "Beam",
    "Region",
    "Shapes",
    "beam_modes",
    "fe_modes",
    "matrix_modes",
    "ratios",
    "read_modes",
    "reduced_modes",
    "write_modes",
]
