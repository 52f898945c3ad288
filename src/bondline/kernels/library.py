"""The shared library, loaded once in each process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from bondline.errors import KernelError
from bondline.kernels.sources import beside, built_name, in_cache


@cache
def _library() -> ctypes.CDLL:
    path = _found()
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise KernelError(
            f"compiled kernels {path}",
            f"they cannot be loaded ({error}).",
            "Remove that file; the next call builds it again.",
        ) from error


def _found() -> Path:
    """The library of these very sources, built here and now if need be."""
    for folder in (beside(), in_cache()):
        if (folder / built_name()).is_file():
            return folder / built_name()
    from bondline.kernels.building import build  # imports what only builds need

    try:
        return build(beside())
    except OSError:  # an installation that belongs to somebody else
        return build(in_cache())


@cache
def function(
    name: str,
    *takes: Any,
    gives: Any = ctypes.c_int,
    own: ctypes.CDLL | None = None,
) -> Callable[..., Any]:
    """A C function with its types; arrays are given as `pointer(array)`.

    Each signature is an object of its own: none changes another's types. It is that of
    a library of one's `own`, if that has it.
    """
    home = own if own is not None and hasattr(own, name) else _library()
    return ctypes.CFUNCTYPE(gives, *takes)((name, home))


def pointer(array: NDArray[Any]) -> int:
    """Where an array begins, for a C function; it must be contiguous."""
    assert array.flags.c_contiguous, "a kernel reads rows one after another"
    try:  # a third of the price of `array.ctypes.data`
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # it may not be written, or is empty
        address: int = array.ctypes.data
        return address


@cache
def built_with() -> str:
    """The compiler that made the library."""
    said: bytes = function("bondline_built_with", gives=ctypes.c_char_p)()
    return said.decode()
