"""Small systems in C that the integrators are tried on, built once for all tests."""

from __future__ import annotations

import ctypes
import json
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bondline.kernels import building, sources
from bondline.kernels.system import CSystem
from bondline.numerics.systems import Array, System

HERE = Path(__file__).parent
DATA = HERE / "data"


@cache
def library() -> ctypes.CDLL:
    """The systems of `c/`, compiled as the kernels are."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "systems.so"
        files = [str(path) for path in sorted((HERE / "c").glob("*.c"))]
        line = [*next(building.compilers()), *sources.FLAGS, f"-I{sources.SOURCES}"]
        subprocess.run([*line, "-o", str(target), *files, "-lm"], check=True)
        return ctypes.CDLL(str(target))  # loaded: the file may go


def filled(name: str, numbers: Array, *more: Any) -> System:
    """The system that `fill_<name>` makes of its numbers."""
    struct, held = CSystem(), np.ascontiguousarray(numbers, dtype=np.float64)
    address = ctypes.addressof(struct)
    fill = library()[f"fill_{name}"]
    fill.argtypes = [ctypes.c_void_p, ctypes.c_void_p, *[type(x) for x in more]]
    fill(address, held.ctypes.data, *more)
    return System(address, (struct, held, more))


def decay(factor: float = -1.0) -> System:
    """y' = factor · y."""
    return filled("decay", np.array([factor]))


def duffing() -> System:
    """Forced and damped, with a spring of third order."""
    return filled("duffing", np.array([0.1, 1.0, 0.5, 1.2]))


def top(inertias: tuple[float, float, float], spring: float = 0.0) -> System:
    """A body that turns about a fixed point, by a quaternion."""
    return filled("top", np.array([*inertias, spring]))


def shaken_top() -> System:
    """A sprung top, by a quaternion, with a fast mass on a spring inside."""
    return filled("shaken_top", np.array([1.0, 2.0, 3.0, 0.7, 0.8, 30.0]))


def linear(M: Array, K: Array, n_slow: int) -> System:
    """M q'' + K q = 0, of which the first `n_slow` are slow."""
    n, s = len(M), slice(None, n_slow)
    f = slice(n_slow, None)
    N = np.linalg.solve(M[f, f], M[f, s]) if n_slow < n else np.empty((0, n_slow))
    W = -np.linalg.solve(M[f, f], K[f])
    B = np.linalg.solve(M[s, s] - M[s, f] @ N, M[s, f])
    parts = [-np.linalg.solve(M, K), W, N, B]
    index = (ctypes.c_int * n)(*range(n))
    numbers = np.concatenate([part.ravel() for part in parts])
    counts = ctypes.c_int(n_slow), ctypes.c_int(n - n_slow)
    return filled("linear", numbers, *counts, index)


def oscillator(omega: float) -> System:
    """q'' = −ω² q."""
    return linear(np.eye(1), np.array([[omega**2]]), 0)


def one_and_one(mu: float, omega: float) -> System:
    """One slow and one fast variable, coupled by their masses."""
    return linear(np.array([[1.0, mu], [mu, 1.0]]), np.diag([0.0, omega**2]), 1)


GUN = json.loads((DATA / "gun_params.json").read_text())


def gun(torque: tuple[float, float, float] = (-45500.0, 17600.0, -33451.0)) -> System:
    """The gun and turret, torques as in kim2000 (43), (44)."""
    return filled("gun", gun_numbers(torque))


def gun_numbers(torque: tuple[float, float, float]) -> Array:
    """Parameters in the order of `c/gun.c`."""
    g = GUN
    scalars = [g["J_yaw"], g["J_my"], g["J"], g["S1"], g["m"], g["p_x"], g["g"]]
    return np.array([*scalars, *g["I0"], *g["I1"], *g["om"], *torque])
