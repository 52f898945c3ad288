"""What to say about an interface matrix that cannot be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bondline.core import InterfaceProblem, Matrix, Rejected, Vector
from bondline.errors import BondlineError, NonFinite, SettingError, SingularInterface

_MOST = 12  # names in one message


def singular(problem: InterfaceProblem, J: Matrix) -> Rejected:
    """Names the forces that move nothing, or that the others already make up."""
    direction = np.abs(np.linalg.svd(J)[2][-1])
    finding = (
        f"the forces {named(problem.labels, direction)} do not change the gap "
        "independently of each other."
    )
    remedy = (
        "Remove a joint that repeats another one, or free a part that cannot move at "
        "this port."
    )
    return _rejected(SingularInterface("interface", finding, remedy))


def contradiction(problem: InterfaceProblem, weights: Vector, left: float) -> Rejected:
    """Names the conditions that cannot hold together."""
    finding = (
        f"the conditions {named(problem.labels, weights)} repeat each other and "
        f"contradict each other: {left:.1e} of the residual stays whatever the forces "
        "are."
    )
    remedy = (
        "Remove one of these joints, or start the parts where all of them can close."
    )
    return _rejected(SingularInterface("interface", finding, remedy))


def not_finite(problem: InterfaceProblem, J: Matrix) -> Rejected:
    """Names the unknowns whose probes blew up."""
    bad = (~np.isfinite(J)).sum(axis=0).astype(np.float64)
    finding = (
        f"moving {named(problem.labels, bad)} a little gives a gap that is not finite."
    )
    remedy = (
        "Shorten the window (--step), or look at the parts of this joint: their own "
        "solvers may have become unstable."
    )
    return _rejected(NonFinite("interface", finding, remedy))


def unmoved(problem: InterfaceProblem, direction: Vector) -> Rejected:
    """Names the unknowns along which nothing changes the residual."""
    finding = (
        f"moving {named(problem.labels, np.abs(direction))} along the residual does "
        "not change the residual."
    )
    remedy = (
        "Free a part that cannot move at this port, remove a joint that repeats "
        "another one, or use solver 'newton', which moves each force by itself."
    )
    return _rejected(SingularInterface("interface", finding, remedy))


def not_symmetric(problem: InterfaceProblem) -> Rejected:
    """BFGS where the slope has no reason to be symmetric."""
    finding = (
        f"BFGS needs a symmetric slope, that of {named(problem.labels)} is not: this "
        "scheme or coupling poses conditions of several kinds."
    )
    return _rejected(SettingError("interface", finding, "Use update 'broyden'."))


def repeats(problem: InterfaceProblem, weights: Vector, count: int) -> str:
    """The warning about conditions that say the same thing."""
    return (
        f"{count} of {problem.size} interface conditions repeat others, among "
        f"{named(problem.labels, weights)}: the smallest forces that close the gaps "
        "are used. Remove a joint that repeats others if single forces matter."
    )


def nearly(problem: InterfaceProblem, S: Matrix, condition: float) -> str:
    """The warning about a direction of forces that hardly moves anything."""
    weights = np.abs(np.linalg.svd(S)[2][-1])
    return (
        f"the interface is nearly singular at {named(problem.labels, weights)} "
        f"(condition 1e{int(np.log10(condition))}): a mechanism near a singular "
        "position, or joints that all but repeat each other. Forces there are "
        "uncertain; shorter windows help."
    )


def named(labels: Sequence[str], weights: Vector | None = None) -> str:
    """The unknowns with the largest weights, each once."""
    if weights is not None:
        least = 0.1 * float(weights.max())
        pairs = zip(labels, weights, strict=True)
        labels = [label for label, x in pairs if x > least]
    names = list(dict.fromkeys(labels))
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more} more" if more > 0 else "")


def _rejected(error: BondlineError) -> Rejected:
    return Rejected("interface", error.finding, error=error)
