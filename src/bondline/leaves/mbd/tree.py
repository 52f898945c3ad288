"""A packed mechanism in the hands of the kernels."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_double, c_int, c_size_t, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import Matrix, Vector
from bondline.errors import BondlineError, LeafFailed, UsageError
from bondline.kernels import function, pointer
from bondline.kernels.system import remedy, words
from bondline.leaves.mbd.pack import Packed
from bondline.leaves.mbd.special import Special


class Loaded(ctypes.Structure):
    """`Loaded` of c/tree.h: a tree and the wrenches on it during a window."""

    _fields_ = (
        ("tree", c_void_p),
        ("t0", c_double),
        ("h", c_double),
        ("n_ports", c_int),
        ("n_powers", c_int),
        ("markers", c_void_p),
        ("coefficients", c_void_p),
    )


@dataclass(frozen=True, eq=False)
class Loads:
    """Wrenches at markers over a window: Σ C[port, k] sᵏ, s = (t − t0)/h.

    World axes: force, then moment about the marker.
    """

    markers: NDArray[np.int32]
    coefficients: Matrix  # ports × powers × 6
    t0: float = 0.0
    h: float = 1.0


NO_LOADS = Loads(np.zeros(0, np.int32), np.zeros((0, 1, 6)))


class Tree:
    """The compiled form of a mechanism; states come and go by value.

    Threads may share it: each works in memory of its own. Integrators take the rates of
    its `special` kernel, if it has one; all else is the general one's.
    """

    def __init__(self, packed: Packed, special: Special | None = None) -> None:
        self.packed, self.special = packed, special
        opened = function(
            "tree_open", c_void_p, c_size_t, c_void_p, c_size_t, gives=c_void_p
        )
        ints, reals = packed.ints, packed.reals
        handle = opened(pointer(ints), ints.size, pointer(reals), reals.size)
        if handle is None:
            raise BondlineError(
                "compiled kernels",
                "they do not read what pack wrote.",
                "Rebuild them: remove src/bondline/kernels/built.",
            )
        self.handle: int = handle
        weakref.finalize(self, function("tree_close", c_void_p, gives=None), handle)
        sizes = np.zeros(5, dtype=np.int64)
        function("tree_sizes", c_void_p, c_void_p, gives=None)(handle, pointer(sizes))
        self.n_q, self.n_u, self.n_fast, self.n_markers, self._size = map(int, sizes)
        self._desk = threading.local()

    @property
    def turns(self) -> list[int]:
        """Where spins of joints with quaternions begin among the velocities."""
        names = self.packed.layout.speeds
        return [k for k, name in enumerate(names) if name.endswith(".wx")]

    @property
    def work(self) -> Vector:
        """Memory for the kernels, one for each thread."""
        try:
            mine: Vector = self._desk.work
        except AttributeError:
            mine = self._desk.work = np.zeros(self._size)
        return mine

    def loaded(self, loads: Loads = NO_LOADS) -> Loaded:
        """For C; `loads` must outlive it."""
        ports, powers, _ = loads.coefficients.shape
        return Loaded(
            *(self.handle, loads.t0, loads.h, ports, powers),
            *(pointer(loads.markers), pointer(loads.coefficients)),
        )

    def rates(
        self, t: float, q: Vector, u: Vector, loads: Loads = NO_LOADS
    ) -> tuple[Vector, Vector]:
        """q̇ and u̇."""
        dq, du = np.empty(self.n_q), np.empty(self.n_u)
        self._call("tree_rates", t, q, u, loads, dq, du)
        return dq, du

    def fast_rates(
        self, t: float, q: Vector, u: Vector, loads: Loads = NO_LOADS
    ) -> tuple[Vector, Matrix]:
        """w and N of u̇_f = w − N u̇_s, kim2000 (36)."""
        w, N = np.empty(self.n_fast), np.empty((self.n_fast, self.n_u - self.n_fast))
        self._call("tree_fast_rates", t, q, u, loads, w, N)
        return w, N

    def split_rates(
        self, t: float, q: Vector, u: Vector, loads: Loads = NO_LOADS
    ) -> tuple[Vector, Vector, Matrix]:
        """q̇, u̇ and B = m_e⁻¹ m_sf, kim2000 (36)."""
        dq, du = np.empty(self.n_q), np.empty(self.n_u)
        B = np.empty((self.n_u - self.n_fast, self.n_fast))
        self._call("tree_split_rates", t, q, u, loads, dq, du, B)
        return dq, du, B

    def mass(
        self, t: float, q: Vector, u: Vector, loads: Loads = NO_LOADS
    ) -> tuple[Matrix, Vector]:
        """M and P of M u̇ = P, kim2000 (18)."""
        M, P = np.empty((self.n_u, self.n_u)), np.empty(self.n_u)
        self._call("tree_mass", t, q, u, loads, M, P)
        return M, P

    def outputs(
        self, q: Vector, u: Vector, markers: Sequence[int], du: Vector | None = None
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Poses (7), twists (6) and their rates (6, zero without `du`) of markers."""
        (q, u), which = self._held(q, u), np.array(markers, dtype=np.int32)
        du = None if du is None else self._held(q, du)[1]
        if any(not 0 <= marker < self.n_markers for marker in markers):
            raise UsageError(
                "multibody model",
                f"found the markers {list(markers)}.",
                f"They are numbered from 0 to {self.n_markers - 1}.",
            )
        pose, twist = np.empty((which.size, 7)), np.empty((which.size, 6))
        rate = np.zeros((which.size, 6))
        trouble = _function("tree_outputs", *_OUTPUTS)(
            *(self.handle, pointer(q), pointer(u)),
            *(None if du is None else pointer(du), which.size),
            *(pointer(which), pointer(self.work)),
            *(pointer(pose), pointer(twist), pointer(rate)),
        )
        self._complain("multibody model", trouble)
        return pose, twist, rate

    def sweep(
        self, t: float, q: Matrix, u: Matrix, markers: Sequence[int], loads: Loads
    ) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """q̇, u̇, twists of markers and their rates, in many states: one a row."""
        which, count = np.array(markers, dtype=np.int32), len(q)
        q, u, room = _floats(q), _floats(u), np.empty((which.size, 7))
        dq, du = np.empty((count, self.n_q)), np.empty((count, self.n_u))
        twist, rate = np.empty((2, count, which.size, 6))
        takes = (POINTER(Loaded), c_double, c_int, c_void_p, c_void_p, c_int)
        trouble = _function("tree_sweep", *takes, *[c_void_p] * 7)(
            *(self.loaded(loads), t, count, pointer(q), pointer(u), which.size),
            *(pointer(which), pointer(self.work), pointer(room)),
            *(pointer(dq), pointer(du), pointer(twist), pointer(rate)),
        )
        self._complain(f"multibody model at t = {t:g}", trouble)
        return dq, du, twist, rate

    def projected(self, q: Vector, u: Vector, t: float = 0.0) -> tuple[Vector, Vector]:
        """The nearest state without gaps in closed loops; nearest in the sense of M.

        Coordinates that are told have their values of time `t` in it.
        """
        q, u = (half.copy() for half in self._held(q, u))
        trouble = _function("tree_project", c_void_p, c_double, *[c_void_p] * 3)(
            self.handle, t, pointer(q), pointer(u), pointer(self.work)
        )
        self._complain("multibody model", trouble)
        return q, u

    def gaps(self, q: Vector, u: Vector, t: float = 0.0) -> Vector:
        """The largest gap of loops and told coordinates, and its largest rate."""
        (q, u), found = self._held(q, u), np.empty(2)
        trouble = _function("tree_gaps", c_void_p, c_double, *[c_void_p] * 4)(
            *(self.handle, t, pointer(q), pointer(u)),
            *(pointer(self.work), pointer(found)),
        )
        self._complain("multibody model", trouble)
        return found

    def energy(self, q: Vector, u: Vector) -> Vector:
        """Kinetic, elastic and gravitational energy."""
        return self._sums("tree_energy", q, u, 3)

    def loss(self, q: Vector, u: Vector) -> float:
        """The power that its forces turn into heat; damping of modes is not in it."""
        return float(self._sums("tree_loss", q, u, 1)[0])

    def momentum(self, q: Vector, u: Vector) -> Vector:
        """Linear momentum, and angular momentum about the world's origin."""
        return self._sums("tree_momentum", q, u, 6)

    def _sums(self, name: str, q: Vector, u: Vector, count: int) -> Vector:
        (q, u), sums = self._held(q, u), np.empty(count)
        trouble = _function(name, *[c_void_p] * 5)(
            *(self.handle, pointer(q), pointer(u)),
            *(pointer(self.work), pointer(sums)),
        )
        self._complain("multibody model", trouble)
        return sums

    def _call(
        self, name: str, t: float, q: Vector, u: Vector, loads: Loads, *results: Vector
    ) -> None:
        q, u = self._held(q, u)
        takes = (POINTER(Loaded), c_double, *[c_void_p] * (3 + len(results)))
        trouble = _function(name, *takes)(
            *(self.loaded(loads), t, pointer(q), pointer(u)),
            *(pointer(self.work), *(pointer(x) for x in results)),
        )
        self._complain(f"multibody model at t = {t:g}", trouble)

    def _held(self, q: Vector, u: Vector) -> tuple[Vector, Vector]:
        """As kernels read them; whoever takes their addresses must hold them."""
        q, u = _floats(q), _floats(u)
        if (q.shape, u.shape) != ((self.n_q,), (self.n_u,)):
            raise UsageError(
                "multibody model",
                f"found {q.shape} positions and {u.shape} velocities.",
                f"It has {self.n_q} positions and {self.n_u} velocities.",
            )
        return q, u

    def _complain(self, place: str, trouble: int) -> None:
        if trouble:
            raise LeafFailed(place, f"{words(trouble)}.", remedy(trouble))


_OUTPUTS = (*[c_void_p] * 4, c_int, *[c_void_p] * 5)


def _function(name: str, *takes: Any) -> Callable[..., int]:
    return function(name, *takes)


def _floats(x: Vector) -> Vector:
    return np.ascontiguousarray(x, dtype=np.float64)


__all__ = ["NO_LOADS", "Loaded", "Loads", "Tree"]
