"""Matrices of other codes: read, written, and made leaves."""

from __future__ import annotations

from bondline.leaves.fe.matrices.abaqus import read_abaqus, read_substructure
from bondline.leaves.fe.matrices.abaqus_write import write_abaqus, write_substructure
from bondline.leaves.fe.matrices.digest import digest_of
from bondline.leaves.fe.matrices.hdf5_read import read_h5
from bondline.leaves.fe.matrices.hdf5_write import write_h5
from bondline.leaves.fe.matrices.leaf import matrix_leaf
from bondline.leaves.fe.matrices.market import read_market, write_market
from bondline.leaves.fe.matrices.matrix_set import MatrixSet, Terminal
from bondline.leaves.fe.matrices.of_model import full_matrices, reduced_matrices
from bondline.leaves.fe.matrices.op4 import read_op4, write_op4
from bondline.leaves.fe.matrices.open import read_matrices

__all__ = [
    "MatrixSet",
    "Terminal",
    "digest_of",
    "full_matrices",
    "matrix_leaf",
    "read_abaqus",
    "read_h5",
    "read_market",
    "read_matrices",
    "read_op4",
    "read_substructure",
    "reduced_matrices",
    "write_abaqus",
    "write_h5",
    "write_market",
    "write_op4",
    "write_substructure",
]
