"""The numeric fingerprint: installations that share it compute the same bits."""

from __future__ import annotations

import hashlib
import math
import os
import platform
from functools import cache
from importlib import metadata

import numpy as np

from bondline import __version__
from bondline.kernels import digest

# BLAS reads them once, when it is loaded: so do we
_ASKED = [
    os.environ[name]
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
    if os.environ.get(name)
]


def versions() -> dict[str, str]:
    """Versions of everything that computes."""
    return {
        "bondline": __version__,
        "kernels": digest(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        **{name: _installed(name) for name in ("scipy", "pymetis", "cvxopt")},
        "sparse solver": os.environ.get("BONDLINE_SPARSE") or "automatic",
    }


@cache
def _installed(package: str) -> str:
    """Version of a package that may be missing; read once, as packages are."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"


def fingerprint() -> dict[str, str]:
    """Platform, C library, BLAS build, and a SHA-256 of a few fixed results.

    The sample catches what no version number tells: the instruction set that the
    libraries chose on this processor.
    """
    config = np.show_config(mode="dicts")
    blas = (config or {}).get("Build Dependencies", {}).get("blas", {})
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()).strip() or "unknown",
        "blas": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip(),
        "sample": hashlib.sha256(_sample()).hexdigest(),
    }


def threads() -> str:
    """How many threads BLAS may use: as asked for, or one a core.

    No part of the fingerprint: small matrices do not feel it.
    """
    return _ASKED[0] if _ASKED else str(os.cpu_count() or 1)


def _sample() -> bytes:
    """Transcendental functions, a product, a sum, a solve and eigenvalues."""
    x = np.linspace(0.1, 9.7, 41)
    A = np.sin(np.outer(x, x[::-1])) + 7.0 * np.eye(41)
    results = [
        *(np.exp(-x), np.sin(x), np.arctan2(x, 1.0 - x), np.sqrt(x), x**1.7),
        A @ A,
        np.linalg.solve(A, x),
        np.linalg.eigvalsh(A + A.T),
        np.array([x.sum(), x @ x, np.linalg.norm(A)]),
        np.array([y for point in x.tolist() for y in _scalars(point)]),
    ]
    return b"".join(np.ascontiguousarray(r, dtype="<f8").tobytes() for r in results)


def _scalars(x: float) -> list[float]:
    """What Python takes from the C library; NumPy brings functions of its own."""
    one = (math.sin, math.cos, math.tan, math.atan, math.exp, math.log, math.sinh)
    inside = (math.asin(0.1 * x), math.acos(0.1 * x), math.expm1(-x), math.tanh(x))
    two = (math.atan2(x, 1.0 - x), math.hypot(x, 0.3), math.pow(x, 1.7), x**-0.4)
    return [*(f(x) for f in one), *inside, *two]
