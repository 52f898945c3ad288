"""Nastran's OUTPUT4 files, through pyyeti (the extra `nastran`)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from bondline.errors import DeckError, SettingError
from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.matrices.sound import check_count
from bondline.numerics import LinearSystem
from bondline.numerics.lowrank import Updated

NAMES: Mapping[str, tuple[str, ...]] = {
    "K": ("kaa", "kgg", "k", "kxx"),
    "M": ("maa", "mgg", "m", "mxx"),
    "C": ("baa", "bgg", "b", "c", "bxx"),
}
"""What matrices are called, as a rule; the first name there is counts."""

_SPARSE = 2**22  # numbers from which a matrix is kept sparse


def read_op4(path: Path | str, names: Mapping[str, str] | None = None) -> MatrixSet:
    """K, M and C of one file; `names` says what they are called there.

    Without it the usual ones are looked for: KAA MAA BAA, KGG MGG BGG, or K M C. A file
    without damping has none.
    """
    path, op4 = Path(path), _pyyeti("read_op4")
    try:
        known, sizes, _, kinds = op4.dir(str(path), verbose=False)
        chosen = _chosen(path, [str(k).lower() for k in known], names or {})
        for name, size, kind in zip(known, sizes, kinds, strict=True):
            if str(name).lower() in chosen.values():
                _check(f"{path}: {name}", size, kind)
        found = op4.read(str(path), list(chosen.values()), sparse=None)
        made = {letter: _plain(found[name]) for letter, name in chosen.items()}
    except _UNREADABLE as error:
        raise DeckError(
            str(path),
            f"it is no OUTPUT4 file that can be read ({error}).",
            "Write K, M and B again with OUTPUT4; all of the file must be there.",
        ) from error
    C = made.get("C", csr_array(made["K"].shape))
    return MatrixSet(path.stem, LinearSystem(made["M"], C, made["K"]))


_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    OverflowError,
    RuntimeError,
    MemoryError,
    UnicodeDecodeError,
    struct.error,
)


def write_op4(source: MatrixSet, path: Path | str) -> None:
    """KAA, MAA and BAA in one binary file."""
    op4 = _pyyeti("write_op4")
    names = dict(zip("MCK", ("MAA", "BAA", "KAA"), strict=True))
    made = {}
    for letter, A in zip("MCK", source.system, strict=True):
        made[names[letter]] = A.toarray() if isinstance(A, Updated) else A
    op4.write(str(path), made)


def _pyyeti(place: str) -> Any:
    if find_spec("pyyeti") is None:
        raise SettingError(
            place,
            "pyyeti is not installed.",
            "Install bondline[nastran], or use another format.",
        )
    with np.printoptions():  # pyyeti sets numpy's for good where it is loaded
        from pyyeti.nastran import op4
    return op4


def _chosen(path: Path, known: list[str], told: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for letter, usual in NAMES.items():
        wanted = [told[letter].lower()] if letter in told else list(usual)
        own = [name for name in wanted if name in known]
        if own:
            found[letter] = own[0]
        elif letter != "C" or letter in told:
            raise DeckError(
                str(path),
                f"there is no {letter} in it: none of {', '.join(wanted)}.",
                f"Say names={{'{letter}': …}}; it has {', '.join(known) or 'nothing'}.",
            )
    return found


def _check(place: str, size: tuple[int, int], kind: int) -> None:
    rows, columns = (int(x) for x in size)
    if rows != columns:
        raise DeckError(
            place, f"it is {rows} × {columns}.", "Matrices of structures are square."
        )
    if kind not in (1, 2):
        raise DeckError(place, "its numbers are complex.", "Write real matrices.")
    check_count(place, rows)
    check_count(place, rows * columns, 2**31)


def _plain(A: Any) -> Any:
    if hasattr(A, "tocsr"):
        sparse = csr_array(A, dtype=np.float64)
        dense = sparse.shape[0] ** 2 <= _SPARSE
        return sparse.toarray() if dense else sparse
    return np.asarray(A, dtype=np.float64)
