"""Matrices that Abaqus and CalculiX write as text, *.mtx.

`*MATRIX OUTPUT` gives one matrix a file: lines of row node, dof, column node, dof and
entry (FORMAT=MATRIX INPUT or LABELS), or of row, column and entry (FORMAT=COORDINATE).
`*SUBSTRUCTURE MATRIX OUTPUT` gives all in one, as triangles after `*MATRIX, TYPE=…`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from bondline.core import Matrix
from bondline.errors import DeckError, did_you_mean
from bondline.leaves.fe.matrices.entries import (
    Line,
    mirrored,
    numbers,
    read_lines,
    whole,
)
from bondline.leaves.fe.matrices.matrix_set import MatrixSet
from bondline.leaves.fe.matrices.sound import check_count
from bondline.leaves.fe.mesh import Indices
from bondline.numerics import LinearSystem

TYPES = {"STIFFNESS": "K", "MASS": "M", "VISCOUSDAMPING": "C", "DAMPING": "C"}
_TYPE = re.compile(r"\*MATRIX\s*,.*TYPE\s*=\s*([A-Z ]+)", re.IGNORECASE)


def read_abaqus(
    K: Path | str, M: Path | str, C: Path | str | None = None, name: str = ""
) -> MatrixSet:
    """Stiffness, mass and damping of `*MATRIX OUTPUT` in three files.

    Dofs come sorted by node and component; a file with rows and columns has no labels.
    """
    paths = {"K": Path(K), "M": Path(M)} | ({"C": Path(C)} if C else {})
    tables = {letter: _table(path) for letter, path in paths.items()}
    widths = {len(keys[0]) for keys, _ in tables.values()}
    if len(widths) > 1:
        raise DeckError(
            f"{paths['M']}",
            f"its lines are of another form than those of {paths['K']}.",
            "Write all matrices with the same FORMAT.",
        )
    labelled = widths == {4}
    order, n = _numbered(tables) if labelled else (None, _largest(paths["K"], tables))
    made = {}
    for letter, (keys, values) in tables.items():
        at = _places(keys, order) if order is not None else (keys - 1).T
        made[letter] = mirrored((at[0], at[1]), values, n)
    C_made = made.get("C", csr_array((n, n)))
    system = LinearSystem(made["M"], C_made, made["K"])
    labels = None if order is None else order - np.array([0, 1])
    return MatrixSet(name or paths["K"].stem, system, labels)


def _table(path: Path) -> tuple[Indices, Matrix]:
    """Where entries belong (2 or 4 numbers each), and the entries."""
    lines = [x for x in read_lines(path) if not x.text.startswith(("*", "#"))]
    if not lines or lines[0].text.startswith("%"):
        raise DeckError(
            str(path),
            "it has no entries." if not lines else "it is a Matrix Market file.",
            "Give a file of *MATRIX OUTPUT, or use read_market.",
        )
    width = len(lines[0].text.replace(",", " ").split())
    if width not in (3, 5):
        raise DeckError(
            f"{path}:{lines[0].number}",
            f"{width} numbers in a line.",
            "There are 5 (row node, dof, column node, dof, entry) or 3 (row, column, "
            "entry). A substructure in one file is read by read_substructure.",
        )
    found = numbers(path, lines, width)
    return whole(path, lines, found[:, :-1]), found[:, -1]


def _numbered(tables: Mapping[str, tuple[Indices, Matrix]]) -> tuple[Indices, int]:
    """All labels (node, dof) in order."""
    every = np.concatenate([keys.reshape(-1, 2) for keys, _ in tables.values()])
    order = np.unique(every, axis=0)
    return order, len(order)


def _places(keys: Indices, order: Indices) -> tuple[Indices, Indices]:
    known = {label: i for i, label in enumerate(map(tuple, order.tolist()))}
    pairs = keys.reshape(-1, 2).tolist()
    found = np.array([known[node, dof] for node, dof in pairs], dtype=np.intp)
    i, j = found.reshape(-1, 2).T
    return i, j


def _largest(path: Path, tables: Mapping[str, tuple[Indices, Matrix]]) -> int:
    every = [keys for keys, _ in tables.values()]
    n, least = max(int(k.max()) for k in every), min(int(k.min()) for k in every)
    entries = sum(len(k) for k in every)
    if least < 1 or n > entries:
        raise DeckError(
            str(path),
            f"rows and columns from {least} to {n}, in {entries} entries.",
            "Rows count from 1, and every row has an entry at least.",
        )
    return n


def read_substructure(path: Path | str) -> MatrixSet:
    """All matrices of a substructure; a matrix that is not in the file is zero.

    Labels are known where the file lists nodes and dofs and they go with the matrices.
    """
    path = Path(path)
    lines = read_lines(path)
    made: dict[str, Matrix] = {}
    for start, line in enumerate(lines):
        found = _TYPE.match(line.text)
        if found:
            letter = _letter(path, line, found[1])
            made[letter] = _triangle(path, line, _data(lines[start + 1 :]))
    if "K" not in made:
        raise DeckError(
            str(path),
            "there is no *MATRIX, TYPE=STIFFNESS in it.",
            "Give a file of *SUBSTRUCTURE MATRIX OUTPUT; matrices of *MATRIX OUTPUT "
            "are read by read_abaqus, those of Matrix Market by read_market.",
        )
    none = np.zeros_like(made["K"])
    system = LinearSystem(made.get("M", none), made.get("C", none), made["K"])
    return MatrixSet(path.stem, system, _labels(path, lines, len(none)))


def _letter(path: Path, line: Line, word: str) -> str:
    key = word.replace(" ", "").upper()
    if key not in TYPES:
        raise DeckError(
            f"{path}:{line.number}",
            f"nothing takes a matrix of the type {word.strip()}.",
            did_you_mean(key, TYPES),
        )
    return TYPES[key]


def _data(lines: Sequence[Line]) -> list[Line]:
    """The lines up to the next keyword."""
    found = []
    for line in lines:
        if line.text.startswith("*"):
            if not line.text.startswith("**"):
                break
            continue
        found.append(line)
    return found


def _triangle(path: Path, keyword: Line, lines: Sequence[Line]) -> Matrix:
    """The lower triangle row by row: (1,1), (2,1), (2,2), …"""
    values = numbers(path, lines, None)
    n = int((np.sqrt(1.0 + 8.0 * len(values)) - 1.0) / 2.0 + 0.5)
    if not n or n * (n + 1) // 2 != len(values):
        raise DeckError(
            f"{path}:{keyword.number}",
            f"{len(values)} numbers are no triangle.",
            "A matrix of n dofs has n (n + 1)/2 numbers; the file may be cut off.",
        )
    check_count(f"{path}:{keyword.number}", n * n)
    A = np.zeros((n, n))
    A[np.tril_indices(n)] = values
    return A + np.tril(A, -1).T


def _labels(path: Path, lines: Sequence[Line], n: int) -> Indices | None:
    """Nodes are in comments; dofs follow *USER ELEMENT, where they change."""
    texts = [line.text.upper() for line in lines]
    heads = [i for i, t in enumerate(texts) if t.startswith("*USER ELEMENT")]
    if not heads:
        return None
    nodes = _nodes(texts)
    try:
        told = [
            [int(x) for x in line.text.replace(",", " ").split()]
            for line in _data(lines[heads[0] + 1 :])
        ]
    except ValueError:
        return None
    if not told or not nodes:
        return None
    starts = {1: told[0]} | {row[0]: row[1:] for row in told[1:] if row}
    labels, own = [], told[0]
    for place, node in enumerate(nodes, start=1):
        own = starts.get(place, own)
        labels += [(node, dof - 1) for dof in own]
    return np.array(labels, dtype=np.intp) if len(labels) == n else None


def _nodes(texts: Sequence[str]) -> list[int]:
    found: list[int] = []
    listing = False
    for text in texts:
        if not text.startswith("**"):
            listing = False
        elif "ELEMENT NODES" in text:
            listing = True
        elif listing:
            words = text.strip("* ").replace(",", " ").split()
            found += [int(w) for w in words if w.isdigit()]
    return found
