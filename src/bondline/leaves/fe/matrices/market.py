"""Matrix Market: one matrix in a file, read and written by SciPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import mminfo, mmread, mmwrite
from scipy.sparse import csr_array

from bondline.core import Matrix
from bondline.errors import DeckError
from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.matrices.sound import check_count
from bondline.leaves.fe.stacks import Sparse
from bondline.numerics import LinearSystem
from bondline.numerics.lowrank import Updated

_SHORTEST = {"array": 2, "coordinate": 4}  # bytes that an entry needs


def read_market(
    K: Path | str, M: Path | str, C: Path | str | None = None, name: str = ""
) -> MatrixSet:
    """Stiffness, mass and damping from three files; without damping there is none."""
    k, m = _read(Path(K)), _read(Path(M))
    c = csr_array(m.shape) if C is None else _read(Path(C))
    return MatrixSet(name or Path(K).stem, LinearSystem(m, c, k))


def write_market(source: MatrixSet, folder: Path | str) -> dict[str, Path]:
    """Files NAME_K.mtx, NAME_M.mtx and NAME_C.mtx, with all digits; their paths."""
    made = {}
    for letter, A in zip("MCK", source.system, strict=True):
        path = made[letter] = Path(folder) / f"{source.name}_{letter}.mtx"
        plain: Any = A.toarray() if isinstance(A, Updated) else A
        mmwrite(str(path), plain, precision=17, symmetry="general")
    return made


def _read(path: Path) -> Matrix | Sparse:
    try:
        rows, columns, entries, form, kind, _ = mminfo(str(path))
        _check(path, (rows, columns, entries), form, kind)
        found: Any = mmread(str(path), spmatrix=False)
    except (OSError, ValueError, OverflowError, TypeError, MemoryError) as error:
        raise DeckError(
            str(path),
            f"it is no Matrix Market file that can be read ({error}).",
            "The first line says %%MatrixMarket matrix coordinate real symmetric, or "
            "the like. Files of Abaqus are read by read_abaqus.",
        ) from error
    if isinstance(found, np.ndarray):
        return np.asarray(found, dtype=np.float64)
    made: Sparse = csr_array(found, dtype=np.float64)
    return made


def _check(path: Path, sizes: tuple[int, int, int], form: str, kind: str) -> None:
    rows, columns, entries = sizes
    if kind not in ("real", "integer", "unsigned-integer", "double"):
        raise DeckError(
            str(path), f"its numbers are {kind}.", "Write real numbers: M, C or K."
        )
    if rows != columns:
        raise DeckError(
            str(path),
            f"it is {rows} × {columns}.",
            "Matrices of structures are square.",
        )
    count = rows * columns if form == "array" else entries
    check_count(str(path), count)
    check_count(str(path), rows)
    least = _SHORTEST[form] * (entries if form == "coordinate" else rows)
    if least > path.stat().st_size:
        raise DeckError(
            str(path),
            f"it says that it has {count} numbers, and is too short for them.",
            "Write the file again: it was cut off.",
        )
