"""What to say when the interface iteration does not converge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bondline.core import InterfaceSolution, InterfaceSolver, Rejected, Window
from bondline.errors import (
    BondlineError,
    CouplingDiverged,
    LeafFailed,
    NonFinite,
    NotAllowed,
)


def rejection(
    name: str,
    window: Window,
    labels: Sequence[str],
    found: InterfaceSolution[Any] | Rejected,
    solver: InterfaceSolver[Any],
    once: bool = False,
) -> Rejected:
    """Why an integrated model gives up: a part did, or its iteration.

    `once` says that the window was swept once, and could be iterated on.
    """
    if isinstance(found, Rejected):
        error = _outrun(found, window) if once else found.error
        if error is not None and error.place == "interface":
            error = type(error)(_place(name, window), error.finding, error.remedy)
        return replace(found, model=f"{name}.{found.model}", error=error)
    error = _diverged(name, window, labels, found, solver)
    return Rejected(name, error.finding, window.at(0.5), error, found.solves)


def no_shorter(no: Rejected, window: Window, refused: NotAllowed) -> Rejected:
    """The same trouble where a partner does not allow to try shorter windows."""
    error = no.error or _failed(no, window)
    place, remedy = error.place, f"{error.remedy} {_tried_shorter(refused)}"
    if "window" not in place:
        place = _place(place, window)
    told = (
        CouplingDiverged(place, error.finding, remedy, error.history)
        if isinstance(error, CouplingDiverged)
        else type(error)(place, error.finding, remedy)
    )
    told.__cause__ = refused
    return replace(no, error=told, until=None)


def _tried_shorter(refused: NotAllowed) -> str:
    why = refused.finding.rstrip(".")
    return f"Shorter windows were refused by {refused.place}: {why}."


def _failed(no: Rejected, window: Window) -> LeafFailed:
    return LeafFailed(
        _place(no.model, window),
        f"{no.reason.rstrip('.')}.",
        f"Try a shorter step: --step {0.5 * window.h:.3g}.",
    )


def _outrun(no: Rejected, window: Window) -> BondlineError | None:
    """The error of a part in one pass: the scheme was judged at the start only."""
    error = no.error or _failed(no, window)
    if not isinstance(error, NonFinite | LeafFailed):
        return error
    more = (
        "One pass a window was judged where the run began; where a part is stiffer "
        "later, errors may grow from pass to pass. Iterate then: --scheme newton."
    )
    return type(error)(error.place, error.finding, f"{error.remedy} {more}")


def _place(name: str, window: Window) -> str:
    return f"{name}, window from t = {window.t0:.6g} to {window.t1:.6g} s"


def _diverged(
    name: str,
    window: Window,
    labels: Sequence[str],
    found: InterfaceSolution[Any],
    solver: InterfaceSolver[Any],
) -> CouplingDiverged:
    """The exception with joint, time, history, and what to try."""
    history = found.history
    worst = max(range(len(labels)), key=lambda j: abs(found.sweep.residual[j]))
    tail = " ".join(f"{r:.1e}" for r in history[-5:])
    rate = history[-1] / history[-2] if len(history) > 1 and history[-2] else 1.0
    condition = f", condition {found.condition:.0e}" if found.condition else ""
    return CouplingDiverged(
        _place(name, window),
        f"no convergence at {labels[worst]}: residual {history[-1]:.2e} after "
        f"{len(history) - 1} iterations, tolerance {solver.tolerance:.1e} (last: "
        f"{tail}; contraction {rate:.2g}{condition}).",
        _remedy(history, solver.tolerance, rate, window),
        history,
    )


def _remedy(
    history: Sequence[float], tolerance: float, rate: float, window: Window
) -> str:
    if history[-1] <= tolerance:
        return (
            "The gap is closed, the force is not settled yet: allow more iterations "
            "(--max-iter), or build the gluing matrix in every window (--refresh "
            "window)."
        )
    tail = history[-5:]
    if max(tail) < 1e-3 * history[0] and tail[-1] > 0.01 * tail[0]:
        return (
            "The residual has come down and stands still above the tolerance: that is "
            "the noise of the parts' own solvers. Loosen the tolerance (--tol), or "
            "tighten theirs."
        )
    if rate < 1.0:
        return (
            "It shrinks, too slowly: allow more iterations (--max-iter), or build the "
            "gluing matrix in every window (--refresh window)."
        )
    return (
        f"It grows: halve the window (--step {window.h / 2:.3g}), or build the gluing "
        "matrix in every window (--refresh window)."
    )
