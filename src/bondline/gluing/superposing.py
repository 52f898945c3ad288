"""One solve a window: a glued model of linear parts answers by superposition.

Every part is advanced once, without joint forces (`respond`). The joint forces follow
from the gluing matrix, and what they do is added (`realise`). Nested at any depth each
leaf still pays one solve, because an inner model hands up its free response and its
condensed flexibility, and settles its own joints only when it is realised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Effort,
    InterfaceSolution,
    Matrix,
    Motion,
    Motions,
    Output,
    PortRef,
    Rejected,
    Response,
    Signal,
    Vector,
)
from bondline.gluing.condensing import Condensed
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.solvers.gluing_matrix import GluingMatrix, build

_CLOSE = 1e-9  # what may be left of a gap, relative to the motion of the window


@dataclass(frozen=True)
class Solved:
    """The joint forces under the known loads, not yet told to the parts."""

    problem: TTProblem
    z: Vector
    Lam: GluingMatrix
    apart: float  # ‖residual‖ without joint forces
    solves: int
    builds: int


def solve_at_once(
    problem: TTProblem, memory: GluingMatrix | None, tolerance: float
) -> Solved | Rejected:
    """The joint forces that close the gap of an affine window, wang2003 (3)."""
    here = problem.free()
    if isinstance(here, Rejected):
        return here
    price, builds, Lam = here.solves, 0, memory
    if Lam is None or not Lam.fits(problem.h):
        built = build(problem, np.zeros(problem.size), here, tolerance, memory)
        if isinstance(built, Rejected):
            return built
        Lam, builds, price = built, 1, price + built.solves
    z = -Lam.form.times(here.residual)
    apart = float(np.linalg.norm(here.residual))
    return Solved(problem, z, Lam, apart, price, builds)


def response(
    solved: Solved, condensed: Condensed, free: Mapping[str, Output]
) -> Response:
    """What a glued model hands up before its joints are told.

    `free` is what its exports show without joint forces.
    """
    changes = {n: condensed.shown[n] @ solved.z for n in free}
    shown: Mapping[str, Output]
    if isinstance(free, Motions):
        more = np.concatenate(list(changes.values()), axis=1)
        shown = Motions(free.places, free.levels + more)
    else:
        shown = {n: _moved(free[n], change) for n, change in changes.items()}
    done: Advance[Any] = Advance(None, shown, None, {"solves": solved.solves})
    return Response(done, condensed.G, (solved, condensed))


def _moved(before: Output, change: Matrix) -> Output:
    """What a port shows after a change: of three levels of motion, or of its effort."""
    if isinstance(before, Effort):
        return Effort(before.f + change[0], before.at)
    assert isinstance(before, Motion)
    x, v, a = change
    bent = None if before.a is None else before.a + a
    return Motion(before.x + x, before.v + v, bent)


def realised(
    solved: Solved,
    more: Vector,
    outside: Mapping[PortRef, Signal],
    tolerance: float,
) -> InterfaceSolution[Any] | Rejected:
    """The parts under the joint forces, and what is left of the gap.

    It has converged if that is round-off of the motion: nobody iterates here.
    """
    problem, z = solved.problem, solved.z + more
    advances = problem.realise(z, outside)
    if isinstance(advances, Rejected):
        return advances
    sweep = problem.swept(z, advances, 0)
    if isinstance(sweep, Rejected):
        return sweep
    left = float(np.linalg.norm(sweep.residual))
    enough = max(tolerance, problem.noise) + _CLOSE * (solved.apart + problem.reach)
    return InterfaceSolution(
        z,
        sweep,
        solved.Lam,
        (solved.apart, left),
        left <= enough,
        solved.solves,
        solved.builds,
        solved.Lam.condition,
        solved.Lam.warnings if solved.builds else (),
        enough,
    )
