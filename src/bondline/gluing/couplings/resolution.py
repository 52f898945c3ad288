"""Does a window resolve what the interface can see? Asked from outside, of black boxes.

A force that is held for a window h moves a free body by F h²/2m: half the window, a
quarter of the way. A spring mode with ωh > 1 answers less and less to a longer window:
for one oscillator the ratio is 4 cos²(ωh/4). So the eigenvalues of G(h) G(h/2)⁻¹ are 4
where the window is short against every mode, and 3 at ωh = 2π/3. The stiff schemes
go unstable at ωh of about 3; asking for 3 keeps them well away from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from bondline.core import (
    Assembly,
    Coupling,
    Flexibility,
    InterfaceProblem,
    Matrix,
    Rejected,
    Situation,
    Sweep,
    Vector,
    Window,
)

H = TypeVar("H")

WANTED: Mapping[str, float] = {  # by scheme; all others are stable without asking
    "linear/deadbeat": 3.0,
    "linear-discontinuous/e,v": 3.0,
    "mixed/a,v,u": 3.0,
    # without damping it grows by 1e-4 a window from ωh = 1.5 on
    "quadratic-discontinuous/e,v,a": 3.8,
}


_NOTHING = 1e-8  # of the largest entry; levers between 0.1 mm and 1 km are within it


@dataclass(frozen=True, slots=True)
class Resolution:
    """The least ratio found, the ratio that was wanted, and where it was found."""

    ratio: float
    wanted: float
    where: str
    h: float

    @property
    def resolved(self) -> bool:
        """Whether the window is short enough."""
        return self.ratio >= self.wanted

    @property
    def words(self) -> str:
        """The finding in one sentence."""
        fact = f"{self.where}: G(h)/G(h/2) = {self.ratio:.2f} at h = {self.h:.3g} s"
        if self.resolved:
            return f"{fact}; the window resolves the interface (4 is ideal)."
        return (
            f"{fact}, and at least {self.wanted:g} is wanted: a mode is too quick for "
            "this window. Shorten it, or use constant/e where every part can."
        )


@runtime_checkable
class PartByPart(Protocol):
    """A problem that knows the flexibility of each part, not only their sum."""

    def flexibilities(
        self, z: Vector, here: Sweep
    ) -> Mapping[str, Flexibility] | Rejected:
        """Gⁱ by part, around the sweep at `z`."""
        ...


def resolution(G_h: Matrix, G_half: Matrix, negligible: float = 1e-9) -> Vector:
    """Eigenvalues of G(h) G(h/2)⁻¹, smallest first.

    Directions in which a part does not give at all (a pinned bar, along itself) are
    left out.

    >>> resolution(np.diag([4.0, 1.2, 0.0]), np.diag([1.0, 1.0, 0.0]))
    array([1.2, 4. ])

    So is what moves only by round-off, or by the curve of its path:

    >>> resolution(np.diag([4.0, 1e-11]), np.diag([1.0, 5e-10]))
    array([4.])
    """
    gives = np.abs(np.diag(G_half))
    largest = float(gives.max(initial=0.0))
    scale = np.sqrt(np.where(gives > _NOTHING * largest, gives, largest or 1.0))
    U, sizes, Vt = np.linalg.svd(G_half / np.outer(scale, scale))
    seen = sizes > negligible * max(float(sizes.max(initial=0.0)), 1e-300)
    inside = U[:, seen].T @ (G_h / np.outer(scale, scale)) @ Vt[seen].T
    found = np.linalg.eigvals(inside / sizes[seen])
    return np.sort(np.asarray(found.real, dtype=np.float64))


def check_window(
    problem: Callable[[float], InterfaceProblem], z: Vector, h: float, wanted: float
) -> Resolution | Rejected:
    """The worst ratio at h over h/2 and at h/2 over h/4, part by part where known.

    `problem` poses the interface problem of a window of the given length, `z` is a
    guess of its unknowns. The second ratio tells a quick mode from its alias.
    """
    ratios = least_ratios(lambda length: flexibilities(problem(length), z), h)
    if isinstance(ratios, Rejected):
        return ratios
    where = min(ratios, key=lambda n: ratios[n], default="interface")
    return Resolution(ratios.get(where, 4.0), wanted, where, h)


def least_ratios(
    probed: Callable[[float], Mapping[str, Matrix] | Rejected], h: float
) -> dict[str, float] | Rejected:
    """By part: the least of both ratios, at most 4; `probed` gives G of a length."""
    levels = []
    for length in (h, 0.5 * h, 0.25 * h):
        found = probed(length)
        if isinstance(found, Rejected):
            return found
        levels.append(found)
    ratios: dict[str, float] = {}
    for coarse, fine in pairwise(levels):
        for part, G in coarse.items():
            least = float(resolution(G, fine[part]).min(initial=4.0))
            ratios[part] = min(least, ratios.get(part, 4.0))
    return ratios


def check_start(
    coupling: Coupling[H],
    assembly: Assembly,
    situation: Situation,
    window: Window,
    history: H,
) -> Resolution | Rejected | None:
    """Whether the coupling's scheme may be used at this window; None: always.

    Three sweeps and three gluing matrices: meant for the start of a run.
    """
    wanted = WANTED.get(str(coupling.settings().get("scheme")), 0.0)
    if not wanted:
        return None

    def pose(h: float) -> InterfaceProblem:
        shorter = Window(window.t0, window.t0 + h)
        return coupling.problem(assembly, situation, shorter, history)

    z = coupling.guess(assembly, window, history)
    return check_window(pose, z, window.h, wanted)


def flexibilities(problem: InterfaceProblem, z: Vector) -> dict[str, Matrix] | Rejected:
    """G of the whole interface, or of every part that follows the force."""
    here = problem.sweep(z)
    if isinstance(here, Rejected):
        return here
    if isinstance(problem, PartByPart):
        parts = problem.flexibilities(z, here)
        if isinstance(parts, Rejected):
            return parts
        return {n: G for n, f in parts.items() if (G := _positions(f)) is not None}
    slope = problem.slope(z, here)
    return slope if isinstance(slope, Rejected) else {"interface": slope.matrix}


def _positions(G: Flexibility) -> Matrix | None:
    """∂x/∂(constant force) over all ports of a part.

    None where one step takes the force as a whole: it is stable without this.
    """
    ports = list(dict.fromkeys(port for _, port in G.blocks))
    blocks: Any = G.blocks
    if not ports or all(_one_step(blocks[p, p]) for p in ports):
        return None
    rows = [[blocks[out, port][0, :, 0, :] for port in ports] for out in ports]
    return np.asarray(np.block(rows), dtype=np.float64)


def _one_step(block: Any) -> bool:
    """Whether all coefficients of the force do the same, but for a factor.

    One step sees the force at t₁, or a mean of both its ends: from the first power on
    only their sum counts, at all levels alike. Who follows it shifts by less of s than
    it speeds up.
    """
    if block.shape[2] < 2:
        return False
    first, other = block[:, :, :1], block[:, :, 1:]
    top = np.unravel_index(int(np.abs(first).argmax()), first.shape)
    share = other[top] / first[top] if first[top] else 1.0
    return bool(np.allclose(other, share * first, rtol=1e-9, atol=0.0))
