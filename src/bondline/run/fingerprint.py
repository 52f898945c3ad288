"""The numeric fingerprint: installations that share it compute the same bits."""

from __future__ import annotations

import hashlib
import platform
from importlib import metadata

import numpy as np

from bondline import __version__


def versions() -> dict[str, str]:
    """Versions of everything that computes."""
    return {
        "bondline": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": metadata.version("scipy"),
    }


def fingerprint() -> dict[str, str]:
    """Platform, BLAS build, and a SHA-256 of a few fixed floating-point results.

    The sample catches what no version number tells: the instruction set that the
    libraries chose on this processor.
    """
    config = np.show_config(mode="dicts")
    blas = (config or {}).get("Build Dependencies", {}).get("blas", {})
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "blas": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".strip(),
        "sample": hashlib.sha256(_sample()).hexdigest(),
    }


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
    ]
    return b"".join(np.ascontiguousarray(r, dtype="<f8").tobytes() for r in results)
