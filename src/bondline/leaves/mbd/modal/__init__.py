"""Modes of flexible bodies: of uniform beams, of finite elements, of matrices."""

from __future__ import annotations

from bondline.leaves.mbd.modal.beam import Beam, Shapes, beam_modes
from bondline.leaves.mbd.modal.damping import ratios
from bondline.leaves.mbd.modal.fe import Attachments, fe_modes, reduced_modes
from bondline.leaves.mbd.modal.fields import Region, defect
from bondline.leaves.mbd.modal.file import read_modes, write_modes
from bondline.leaves.mbd.modal.floating import Bodied
from bondline.leaves.mbd.modal.matrices import matrix_modes

__all__ = [
    "Attachments",
    "Beam",
    "Bodied",
    "Region",
    "Shapes",
    "beam_modes",
    "defect",
    "fe_modes",
    "matrix_modes",
    "ratios",
    "read_modes",
    "reduced_modes",
    "write_modes",
]
