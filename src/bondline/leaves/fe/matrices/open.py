"""Files of matrices, read by what their names end with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from bondline.errors import DeckError, did_you_mean
from bondline.leaves.fe.matrices.abaqus import read_substructure
from bondline.leaves.fe.matrices.hdf5_read import read_h5
from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.matrices.op4 import read_op4

READERS: Mapping[str, Callable[[Path], MatrixSet]] = {
    ".h5": read_h5,
    ".hdf5": read_h5,
    ".mtx": read_substructure,
    ".op4": read_op4,
}


def read_matrices(path: Path | str) -> MatrixSet:
    """All matrices of one file."""
    path = Path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise DeckError(
            str(path),
            f"nothing reads matrices from *{path.suffix}.",
            did_you_mean(path.suffix, READERS),
        )
    return reader(path)
