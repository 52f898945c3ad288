"""Does a window resolve what the interface can see? Asked from outside, of black boxes.

A force that is held for a window h moves a free body by F h²/2m: half the window, a
quarter of the way. A spring mode with ωh > 1 answers less and less to a longer window:
for one oscillator the ratio is 4 cos²(ωh/4). So the eigenvalues of G(h) G(h/2)⁻¹ are 4
where the window is short against every mode, and 3 at ωh = 2π/3. The stiff schemes
go unstable at ωh of about 3; asking for 3 keeps them well away from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
_SHORTER = (1e-6, 2e-6)  # by these shares windows are shorter that ought to do the same
_ABOVE = 10.0  # times its noise: below, a direction is noise itself


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


def resolution(
    G_h: Matrix,
    G_half: Matrix,
    negligible: float = 1e-9,
    noise: Sequence[Matrix] = (),
) -> Vector:
    """Eigenvalues of G(h) G(h/2)⁻¹, smallest first.

    Directions in which a part does not give at all (a pinned bar, along itself) are
    left out.

    >>> resolution(np.diag([4.0, 1.2, 0.0]), np.diag([1.0, 1.0, 0.0]))
    array([1.2, 4. ])

    So is what moves only by round-off, or by the curve of its path:

    >>> resolution(np.diag([4.0, 1e-11]), np.diag([1.0, 5e-10]))
    array([4.])

    And what moves no more than `noise`, which are samples of the error of G(h/2); a
    mode that gives as little is kept, if the noise is elsewhere:

    >>> G_h, G_half = np.diag([4.0, 1e-5, 1e-5]), np.diag([1.0, 1e-5, 1e-5])
    >>> resolution(G_h, G_half, noise=[np.diag([0.0, 1e-5, 0.0])])
    array([1., 4.])
    """
    gives = np.abs(np.diag(G_half))
    largest = float(gives.max(initial=0.0))
    scale = np.sqrt(np.where(gives > _NOTHING * largest, gives, largest or 1.0))
    both = np.outer(scale, scale)
    U, sizes, Vt = np.linalg.svd(G_half / both)
    least = np.full(len(sizes), negligible * max(float(sizes.max(initial=0)), 1e-300))
    for sample in noise:
        N = sample / both
        for moved in (N @ Vt.T, N.T @ U):  # along each direction, from either side
            np.maximum(least, _ABOVE * np.linalg.norm(moved, axis=0), out=least)
    seen = sizes > least
    inside = U[:, seen].T @ (G_h / both) @ Vt[seen].T
    found = np.linalg.eigvals(inside / sizes[seen])
    return np.sort(np.asarray(found.real, dtype=np.float64))


def check_window(
    problem: Callable[[float], InterfaceProblem], z: Vector, h: float, wanted: float
) -> Resolution | Rejected:
    """The worst ratio at h over h/2 and at h/2 over h/4, part by part where known.

    `problem` poses the interface problem of a window of the given length, `z` is a
    guess of its unknowns. The second ratio tells a quick mode from its alias.
    """
    probed = partial(_probed, problem, z)
    ratios = least_ratios(probed, h, wanted)
    if isinstance(ratios, Rejected):
        return ratios
    where = min(ratios, key=lambda n: ratios[n], default="interface")
    return Resolution(ratios.get(where, 4.0), wanted, where, h)


def _probed(
    problem: Callable[[float], InterfaceProblem], z: Vector, length: float
) -> dict[str, Matrix] | Rejected:
    return flexibilities(problem(length), z)


def least_ratios(
    probed: Callable[[float], Mapping[str, Matrix] | Rejected],
    h: float,
    wanted: float,
) -> dict[str, float] | Rejected:
    """By part: the least of both ratios, at most 4; `probed` gives G of a length.

    Where one is less than `wanted`, it is asked again with the noise known.
    """
    levels = []
    for length in (h, 0.5 * h, 0.25 * h):
        found = probed(length)
        if isinstance(found, Rejected):
            return found
        levels.append(found)
    ratios = _least(levels, {})
    if min(ratios.values(), default=wanted) >= wanted:
        return ratios
    noise = _noise(probed, 0.25 * h, levels[-1])
    return noise if isinstance(noise, Rejected) else _least(levels, noise)


def _least(
    levels: Sequence[Mapping[str, Matrix]], noise: Mapping[str, Sequence[Matrix]]
) -> dict[str, float]:
    ratios: dict[str, float] = {}
    for coarse, fine in pairwise(levels):
        for part in (p for p in coarse if p in fine):
            G, known = coarse[part], noise.get(part, ())
            found = resolution(G, fine[part], noise=known)
            ratios[part] = min(float(found.min(initial=4.0)), ratios.get(part, 4.0))
    return ratios


def _noise(
    probed: Callable[[float], Mapping[str, Matrix] | Rejected],
    h: float,
    G: Mapping[str, Matrix],
) -> dict[str, list[Matrix]] | Rejected:
    """Samples of the error of G: what windows that hardly differ do differently.

    G changes by a millionth with them, in every mode alike. What was found by
    differences has round-off on it, and that is drawn anew: as much at all lengths.
    """
    samples: dict[str, list[Matrix]] = {part: [] for part in G}
    for share in _SHORTER:
        again = probed((1.0 - share) * h)
        if isinstance(again, Rejected):
            return again
        for part in (p for p in again if p in G):
            samples[part].append(again[part] - G[part])
    return samples


def check_start(
    coupling: Coupling[H],
    assembly: Assembly,
    situation: Situation,
    window: Window,
    history: H,
) -> Resolution | Rejected | None:
    """Whether the coupling's scheme may be used at this window; None: always.

    Three sweeps and three gluing matrices, five where the verdict is bad: meant for
    the start of a run.
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
    same = share * first
    floor = 1e-12 * np.abs(same).max(axis=(1, 2, 3), keepdims=True)  # round-off
    return bool(np.all(np.abs(other - same) <= 1e-9 * np.abs(same) + floor))
