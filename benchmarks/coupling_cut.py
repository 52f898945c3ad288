"""Linear structures cut in two, and the same structures uncut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from coupling_plate import Plate
from numpy.typing import NDArray
from scipy.sparse import block_diag, csr_array

from bondline.core import (
    Advance,
    Capabilities,
    Causality,
    Model,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.leaves import Structure
from bondline.numerics import Kinematics, LinearSystem, Newmark

Matrix = NDArray[np.float64]
PUSH = 1e3  # N at each node of the free edge


@dataclass(frozen=True, eq=False)
class Cut:
    """Parts `a` and `b` share `m` dofs: the last ones of `a`, the first ones of `b`.

    A load `load`·sin(omega·t) acts on `b`.
    """

    name: str
    a: LinearSystem
    b: LinearSystem
    m: int
    load: Vector
    omega: float
    h: float
    windows: int

    def parts(self, led: bool) -> list[Model]:
        """The two parts; `led`: b takes the motion of a, and answers with forces."""
        n = self.a.M.shape[0]
        takes = Causality.MOTION_IN if led else Causality.FORCE_IN
        dofs = tuple(f"u{k}" for k in range(self.m))
        return [
            Structure(
                "a",
                self.a,
                {"end": np.arange(n - self.m, n)},
                {"end": Port("end", dofs)},
            ),
            Structure(
                "b",
                self.b,
                {"end": np.arange(self.m)},
                {"end": Port("end", dofs, causality=takes)},
                external=lambda t: self.load * np.sin(self.omega * t),
            ),
        ]

    @cached_property
    def uncut(self) -> Matrix:
        """Displacements of the cut after every window, from one Newmark run."""
        na, nb = self.a.M.shape[0], self.b.M.shape[0]
        at = np.concatenate([np.arange(na), na - self.m + np.arange(nb)])
        L = csr_array((np.ones(na + nb), (np.arange(na + nb), at)))
        both = [
            (L.T @ block_diag([A, B]) @ L).toarray()
            for A, B in zip(self.a, self.b, strict=True)
        ]
        n = na + nb - self.m
        f = np.zeros(n)
        f[na - self.m :] = self.load
        method, seen = Newmark(LinearSystem(*both), self.h), []
        now = Kinematics(*np.zeros((3, n)))
        for k in range(1, self.windows + 1):
            now = method.step(now, f * np.sin(self.omega * self.h * k))
            seen.append(now.u[na - self.m : na])
        return np.array(seen)

    def watch(self, state: Any) -> Vector:
        """Displacements of the cut in a glued state: the part that takes force."""
        n = self.a.M.shape[0]
        u: Vector = state.parts["a"][n - self.m : n]
        return u


def oscillator(ratio: float) -> Cut:
    """Two masses on springs, tied: 1 kg and `ratio` kg, together at 0.7 Hz."""
    k = 20.0 * (1.0 + ratio)
    a, b = (
        LinearSystem(np.array([[m]]), np.zeros((1, 1)), np.array([[share * k]]))
        for m, share in ((1.0, 0.75), (ratio, 0.25))
    )
    load = np.array([1.0 + ratio])
    return Cut(f"two masses, 1:{ratio:g}", a, b, 1, load, 3.0, 0.05, 100)


def row(masses: int) -> Cut:
    """A row of springs and masses with a wall at its left end, cut in the middle."""
    links = np.diag(np.r_[1.0, np.full(masses - 2, 2.0), 1.0])
    links -= np.eye(masses, k=1) + np.eye(masses, k=-1)
    wall = np.zeros((masses, masses))
    wall[0, 0] = 1.0
    a, b = (
        LinearSystem(np.eye(masses), 5.0 * links, 1e5 * (links + held))
        for held in (wall, 0.0 * wall)
    )
    load = np.r_[np.zeros(masses - 1), 100.0]
    return Cut("row of masses, 1 dof", a, b, 1, load, 55.0, 1e-3, 100)


def cantilever(plate: Plate, windows: int = 50) -> Cut:
    """Two such plates side by side, the first clamped at its left edge."""
    M, K = plate.matrices()
    edge = plate.edge
    a = LinearSystem(M[edge:, edge:], 0.0 * M[edge:, edge:], K[edge:, edge:])
    b = LinearSystem(M, 0.0 * M, K)
    load = np.zeros(plate.size)
    load[-edge + 1 :: 2] = PUSH
    name = f"plate, {edge} dofs"
    return Cut(name, a, b, edge, load, 2000.0, 1e-4, windows)


@dataclass(frozen=True, eq=False)
class Closed:
    """A part that shows nothing but its advance: no matrices, no unit responses.

    With `linear` it says at least that it is linear.
    """

    inner: Structure
    linear: bool

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def ports(self) -> Mapping[str, Port]:
        return self.inner.ports

    @property
    def parameters(self) -> Mapping[str, Any]:
        return self.inner.parameters

    @property
    def capabilities(self) -> Capabilities:
        known = self.inner.capabilities
        return replace(known, linear=self.linear, superposes=False, serialises=False)

    def start(self, t0: float) -> Advance[Vector]:
        return self.inner.start(t0)

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        return self.inner.press(state, t, forces)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        return self.inner.advance(state, window, inputs)
