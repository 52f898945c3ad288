"""One BLAS thread: the matrices of an interface are small, and bits must repeat."""

from __future__ import annotations

import os

VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread() -> None:
    """Ask for one thread, unless somebody asked for something else before."""
    for name in VARIABLES:
        os.environ.setdefault(name, "1")
