"""Whether matrices that come from outside are what they should be."""

from __future__ import annotations

from typing import Any

import numpy as np

from bondline.errors import DeckError
from bondline.numerics import LinearSystem
from bondline.numerics.factor import Form, factor
from bondline.numerics.lowrank import Updated
from bondline.numerics.symmetry import asymmetry

MOST = 2**26  # numbers in one matrix: half a gigabyte


def check_system(place: str, system: LinearSystem) -> None:
    """M, C and K are square, of one size, finite and symmetric."""
    n = system.M.shape[0]
    for letter, A in zip("MCK", system, strict=True):
        if A.shape != (n, n):
            raise DeckError(
                f"{place}: {letter}",
                f"its shape is {A.shape[0]} × {A.shape[1]}, and M has {n} rows.",
                "All matrices are square and of one size.",
            )
        _check_numbers(f"{place}: {letter}", A)


def _check_numbers(place: str, A: Form) -> None:
    if isinstance(A, Updated):
        A = A.base
    any_form: Any = A
    entries = any_form if isinstance(any_form, np.ndarray) else any_form.data
    if not np.isfinite(entries).all():
        raise DeckError(
            place,
            "an entry is NaN or infinite.",
            "Write the matrix again, with all digits of finite numbers.",
        )
    apart = asymmetry(A)
    if apart:
        raise DeckError(
            place,
            f"it is not symmetric: entries differ by {apart:.3g} across the diagonal.",
            "Structures have symmetric matrices: take gyroscopic, follower and "
            "friction terms out, and check that both triangles are written.",
        )


def check_mass(place: str, system: LinearSystem) -> None:
    """Accelerations need a mass matrix that can be inverted."""
    try:
        factor(system.M)
    except np.linalg.LinAlgError as error:
        raise DeckError(
            f"{place}: M",
            f"it is {error}.",
            "Every dof needs mass: write consistent masses, or condense what has none.",
        ) from error


def check_count(place: str, numbers: int, most: int = MOST) -> None:
    """So many numbers are not read at once; asked before any is."""
    if numbers < 0 or numbers > most:
        raise DeckError(
            place,
            f"it says that it has {numbers} numbers; {most} are read at most.",
            "Reduce the model to its ports first, or write the matrix sparse.",
        )
