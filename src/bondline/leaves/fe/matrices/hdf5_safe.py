"""HDF5 of strangers: nothing is followed out of the file, nothing is read unmeasured.

An HDF5 file can point to other files, say that it is larger than any memory, and hold
objects of Python. Here it may hold plain numbers and short words.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix
from bondline.errors import DeckError
from bondline.leaves.fe.matrices.sound import check_count
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.stacks import Sparse

_LONGEST = 2**20  # characters of an attribute


_DAMAGED = (OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError)
T = TypeVar("T")


def from_hdf5(
    place: str, source: Path | str | bytes, read: Callable[[Group], T], remedy: str
) -> T:
    """What `read` makes of a file or its bytes; `place` is what to call it."""
    import h5py

    opened: Any = io.BytesIO(source) if isinstance(source, bytes) else str(source)
    try:
        with h5py.File(opened, "r") as file:
            return read(Group(place, file))
    except DeckError:
        raise
    except (*_DAMAGED, MemoryError, RecursionError) as error:
        finding = f"it is no HDF5 file, or it is damaged ({error})."
        raise DeckError(place, finding, remedy) from error


@dataclass(frozen=True, eq=False)
class Group:
    """A group of an open file, and where it is for messages."""

    place: str
    own: Any

    def has(self, name: str) -> bool:
        """Whether there is something of that name, of whatever kind."""
        return name in self.names  # `in` of h5py would follow links

    @property
    def names(self) -> list[str]:
        """What it holds."""
        return [str(name) for name in self.own]

    def refuse(self, name: str, finding: str, remedy: str) -> DeckError:
        """The error for one of its members."""
        return DeckError(f"{self.place}/{name}", finding, remedy)

    def _member(self, name: str) -> Any:
        import h5py

        link = self.own.get(name, getlink=True) if self.has(name) else None
        if link is None:
            known = ", ".join(self.names) or "nothing"
            raise self.refuse(name, "it is missing.", f"There is {known}.")
        if not isinstance(link, h5py.HardLink):
            raise self.refuse(
                name, "it is a link to something else.", "Write the numbers themselves."
            )
        return self.own[name]

    def is_group(self, name: str) -> bool:
        """Whether a member is a group."""
        import h5py

        return isinstance(self._member(name), h5py.Group)

    def group(self, name: str) -> Group:
        """A group inside this one."""
        import h5py

        found = self._member(name)
        if not isinstance(found, h5py.Group):
            raise self.refuse(name, "it is no group.", "See the layout.")
        return Group(f"{self.place}/{name}", found)

    def numbers(self, name: str, kinds: str = "fiu", dimensions: int = 1) -> Any:
        """A member's numbers, after a look at what it says to be."""
        import h5py

        found = self._member(name)
        plain = isinstance(found, h5py.Dataset) and found.dtype.kind in kinds
        if not plain or found.ndim != dimensions or found.dtype.itemsize > 8:
            words = "whole numbers" if "f" not in kinds else "numbers"
            raise self.refuse(
                name,
                f"it is not an array of {words} in {dimensions} dimension(s).",
                "See the layout: float64, or int64 for dofs and nodes.",
            )
        if found.is_virtual or found.external:
            raise self.refuse(
                name, "its numbers are in another file.", "Keep them in this one."
            )
        check_count(f"{self.place}/{name}", int(found.size))
        return found[()]

    def floats(self, name: str, dimensions: int = 1) -> Matrix:
        """As float64."""
        return np.asarray(self.numbers(name, "fiu", dimensions), dtype=np.float64)

    def wholes(self, name: str, most: int, dimensions: int = 1) -> Indices:
        """Whole numbers from 0 up to, not including, `most`."""
        found: NDArray[Any] = self.numbers(name, "iu", dimensions)
        if found.size and (found.min() < 0 or found.max() >= most):
            raise self.refuse(
                name,
                f"numbers from {found.min()} to {found.max()}.",
                f"They count from 0 to {most - 1}.",
            )
        return found.astype(np.intp)

    def word(self, name: str, default: str = "") -> str:
        """An attribute that is text."""
        value = self._attribute(name)
        if value is None:
            return default
        if isinstance(value, bytes):
            value = value.decode("utf-8", errors="replace")
        if not isinstance(value, str) or len(value) > _LONGEST:
            raise self.refuse(f"@{name}", "it is no short text.", "See the layout.")
        return value

    def number(self, name: str) -> float | None:
        """An attribute that is one number, if there is one."""
        value = self._attribute(name)
        if value is None:
            return None
        if not np.isscalar(value) or isinstance(value, str | bytes | complex):
            raise self.refuse(f"@{name}", "it is no number.", "See the layout.")
        return float(np.real(value))

    def _attribute(self, name: str) -> Any:
        if name not in self.own.attrs:
            return None
        about = self.own.attrs.get_id(name)
        if int(np.prod(about.shape or (1,))) > 16:
            raise self.refuse(f"@{name}", "it is an array.", "Give one value.")
        return self.own.attrs[name]

    def matrix(self, name: str, rows: int | None = None) -> Matrix | Sparse:
        """A matrix, dense or by rows (CSR)."""
        if not self.is_group(name):
            return self.floats(name, 2)
        return _sparse(self.group(name), rows)


def _sparse(group: Group, rows: int | None) -> Sparse:
    from scipy.sparse import csr_array

    shape = _shape(group)
    data, starts = group.floats("data"), group.wholes("indptr", 2**62)
    columns = group.wholes("indices", shape[1])
    fits = len(starts) == shape[0] + 1 and not starts[0] and starts[-1] == len(data)
    if not fits or len(columns) != len(data) or (np.diff(starts) < 0).any():
        raise DeckError(
            group.place,
            f"{len(starts)} starts of rows and {len(columns)} columns do not make a "
            f"matrix of {shape[0]} × {shape[1]} with {len(data)} entries.",
            "indptr has one number more than rows, rises from 0 to the number of "
            "entries; indices has one column for each.",
        )
    made: Sparse = csr_array((data, columns, starts), shape=shape)
    return made


def _shape(group: Group) -> tuple[int, int]:
    value = group.own.attrs.get("shape") if "shape" in group.own.attrs else None
    fits = isinstance(value, np.ndarray) and value.shape == (2,)
    if not fits or value is None or value.dtype.kind not in "iu" or (value < 0).any():
        raise group.refuse(
            "@shape", "it is missing, or no pair.", "Give rows, columns."
        )
    rows, columns = (int(x) for x in value)
    check_count(group.place, max(rows, columns))
    return rows, columns
