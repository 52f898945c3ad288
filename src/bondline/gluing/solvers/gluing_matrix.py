"""The gluing matrix Λ = (∂e/∂F)⁻¹, wang2003 (4), (12), (47)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bondline.core import (
    InterfaceProblem,
    Matrix,
    Rejected,
    Repeating,
    Slope,
    Sweep,
    Tree,
    Vector,
)
from bondline.gluing.solvers.blame import nearly, not_finite, singular
from bondline.gluing.solvers.forms import Factors, Form, Inverse, factorised, inverted
from bondline.gluing.solvers.redundancy import Reduced, reduce
from bondline.wire import arrays

_SMALL = 8  # up to here a product is quicker than two triangular solves
_WORTH_SAYING = 1e10  # a condition beyond this is told
_SUSPECT = 1e12  # beyond this, a first look asks whether conditions repeat each other
_STIFF = 1e-8  # of the largest: what gives less than that does not give
_SINGULAR = 1e15  # beyond this, not one digit of the inverse is left
_SYMMETRIC = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class GluingMatrix:
    """Λ for windows of length `h`, the condition of its scaled slope, and its price.

    `redundant` counts the conditions that repeat others: found once, at the first
    build of a run, and left out ever after. Nothing else is ever truncated: at a
    singular position of a mechanism the plain inverse passes, a truncated one does not.
    """

    form: Form
    h: float
    condition: float
    redundant: int = 0
    solves: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def matrix(self) -> Matrix:
        """Λ, multiplied out."""
        if isinstance(self.form, Inverse):
            return self.form.matrix
        return self.form.times(np.eye(len(self.form.rows)))

    def fits(self, h: float) -> bool:
        """Whether a window is of the same length, but for round-off of its ends."""
        return abs(h - self.h) <= 1e-9 * self.h

    def plus(self, u: Vector, v: Vector) -> GluingMatrix:
        """Λ + u vᵀ, at no price."""
        form = self.form.plus(u, v)
        return GluingMatrix(form, self.h, self.condition, self.redundant)

    def stretched(self, h: float, power: int) -> GluingMatrix:
        """Λ for windows of another length, if its slope goes with that power of h."""
        form = self.form.scaled((self.h / h) ** power)
        return GluingMatrix(form, h, self.condition, self.redundant)


def build(
    problem: InterfaceProblem,
    z: Vector,
    here: Sweep,
    tolerance: float,
    before: GluingMatrix | None,
) -> GluingMatrix | Rejected:
    """Λ from the slope of the problem at `z`. (The paper's (12) lacks the inverse.)

    `before` is any older matrix of the same run; none means that this is the first.
    """
    slope = problem.slope(z, here)
    if isinstance(slope, Rejected):
        return slope
    J = slope.matrix
    if not np.isfinite(J).all():
        return not_finite(problem, J)
    symmetric = problem.symmetric and len(J) > _SMALL
    rows, columns, even = _sizes(J, symmetric)
    most = before.redundant if before else _repeated(problem)
    rows, columns = _alive(rows, most), _alive(columns, most)
    S = J / rows[:, None] / columns
    found = _inverse(S, rows, columns, even)
    if most or _dubious(found, before):
        less = reduce(S, rows, columns, most)
        if less.count:
            made = _reduced(problem, here, less, tolerance, before)
            return made if isinstance(made, Rejected) else _paid(made, slope)
    if found is None or not found[1] < _SINGULAR:
        return singular(problem, S)
    form, condition = found
    notes = (nearly(problem, S, condition),) if condition > _WORTH_SAYING else ()
    redundant = before.redundant if before else 0
    made = GluingMatrix(form, problem.h, condition, redundant, warnings=notes)
    return _paid(made, slope)


def _paid(Lam: GluingMatrix, slope: Slope) -> GluingMatrix:
    return replace(Lam, solves=slope.solves)


def _sizes(J: Matrix, symmetric: bool) -> tuple[Vector, Vector, bool]:
    """What to divide rows and columns by: forces and moments differ by magnitudes.

    And whether both are the same, which leaves a symmetric J symmetric.
    """
    diagonal = J.diagonal()
    if symmetric and (diagonal > 0.0).all():
        root: Vector = np.sqrt(diagonal)
        return root, root, True
    rows: Vector = np.abs(J).max(axis=1)
    columns: Vector = np.abs(J / np.where(rows, rows, 1.0)[:, None]).max(axis=0)
    return rows, columns, False


def _alive(sizes: Vector, redundant: int | None) -> Vector:
    """Sizes to divide by, of which none is nothing.

    Where no side gives, what is probed is round-off. It must not be blown up to the
    size of the others: the rank, which is asked next, would count it.
    """
    largest = float(sizes.max(initial=0.0)) or 1.0
    least = _STIFF * largest if redundant else 0.0
    return np.where(sizes > least, sizes, largest)


def _inverse(
    S: Matrix, rows: Vector, columns: Vector, even: bool
) -> tuple[Form, float] | None:
    if len(S) <= _SMALL:
        return inverted(S, rows, columns)
    symmetric = even and bool(np.abs(S - S.T).max() <= _SYMMETRIC)
    return factorised(S, rows, columns, symmetric)


def _repeated(problem: InterfaceProblem) -> int | None:
    """What the problem knows of its own redundancy, at the first build of a run."""
    return problem.repeated() if isinstance(problem, Repeating) else None


def _dubious(found: tuple[Form, float] | None, before: GluingMatrix | None) -> bool:
    """Whether to look for conditions that repeat each other."""
    return before is None and (found is None or not found[1] < _SUSPECT)


def _reduced(
    problem: InterfaceProblem,
    here: Sweep,
    less: Reduced,
    tolerance: float,
    before: GluingMatrix | None,
) -> GluingMatrix | Rejected:
    form, condition = less.inverse
    if before is not None:
        return GluingMatrix(form, problem.h, condition, before.redundant)
    objection = less.objection(problem, here.residual, tolerance)
    if objection is not None:
        return objection
    notes = (less.warning(problem),)
    return GluingMatrix(form, problem.h, condition, less.count, warnings=notes)


def dump(Lam: GluingMatrix | None) -> Tree:
    """Λ in its form, and the window it belongs to."""
    if Lam is None:
        return None
    facts = np.array([Lam.h, Lam.condition, float(Lam.redundant)])
    f = Lam.form
    if isinstance(f, Inverse):
        return [facts, f.matrix]
    pivots = np.zeros(0) if f.pivots is None else f.pivots.astype(np.float64)
    return [facts, f.factor, pivots, f.rows, f.columns, f.U, f.V]


def load(data: Tree) -> GluingMatrix | None:
    """What `dump` wrote."""
    if data is None:
        return None
    facts, first, *rest = arrays(data)
    h, condition, redundant = facts.tolist()
    if not rest:
        return GluingMatrix(Inverse(first), h, condition, int(redundant))
    pivots, rows, columns, U, V = rest
    turns = pivots.astype(np.int32) if pivots.size else None
    factor = np.asfortranarray(first)  # LAPACK would copy it for every solve
    form = Factors(factor, turns, rows, columns, U, V)
    return GluingMatrix(form, h, condition, int(redundant))
