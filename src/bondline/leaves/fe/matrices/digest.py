"""One number for all that a set of matrices says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from bondline.leaves.fe.matrices.histories_text import histories_text
from bondline.leaves.fe.matrices.matrix_set import MatrixSet


def digest_of(source: MatrixSet) -> str:
    """SHA-256 over names, sizes and numbers, whatever the form of the file."""
    total = hashlib.sha256()
    for label, A in _content(source):
        numbers = np.ascontiguousarray(A)
        total.update(f"{label}:{numbers.dtype.str}:{numbers.shape}:".encode())
        total.update(numbers.tobytes())
    return total.hexdigest()


def _content(source: MatrixSet) -> Iterator[tuple[str, Any]]:
    for letter, A in zip("MCK", source.system, strict=True):
        yield from _matrix(letter, A)
    if source.labels is not None:
        yield "labels", source.labels.astype(np.int64)
    yield "band", np.array([source.band or 0.0])
    for name, (port, select, _) in source.ports.items():
        words = f"{name} {port.causality.value} {port.fixed} {' '.join(port.dofs)}"
        yield from _matrix(words, select)
        if port.surface is not None:
            yield f"points {port.surface.facets}", np.asarray(port.surface.points)
    loads = source.loads
    if loads is not None:
        words = histories_text(source.name, loads.histories)
        for A in (loads.value, loads.rate, loads.second, loads.static):
            yield words, A


def _matrix(label: str, A: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(A, np.ndarray):
        yield label, A.astype(np.float64)
        return
    yield f"{label} data", A.data.astype(np.float64)
    yield f"{label} indices", A.indices.astype(np.int64)
    yield f"{label} indptr", A.indptr.astype(np.int64)
