"""Interface solvers by the words of a model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias, get_args

from bondline.errors import SettingError, did_you_mean
from bondline.gluing.solvers.aitken import Aitken
from bondline.gluing.solvers.anderson import Anderson
from bondline.gluing.solvers.diagonal_secant import DiagonalSecant
from bondline.gluing.solvers.iqn_ils import IQNILS
from bondline.gluing.solvers.lagged import Lagged
from bondline.gluing.solvers.newton import Newton, Refresh, Update
from bondline.gluing.solvers.relaxation import Relaxation

REFRESH: tuple[str, ...] = (*get_args(Refresh), "lagged")
UPDATE: tuple[str, ...] = get_args(Update)

SOLVERS: Mapping[str, str] = {
    "newton": "a gluing matrix from probes, refreshed and updated as told",
    "broyden": "newton, the matrix improved by each correction (good Broyden)",
    "bfgs": "newton, the matrix kept symmetric; for symmetric problems only",
    "iqn-ils": "secants by inverse least squares, pairs of past windows used again",
    "anderson": "secants from the last few corrections of a window",
    "aitken": "one factor for all unknowns, found anew after each correction",
    "relaxation": "one constant factor: the plain fixed point",
    "diagonal-secant": "a guarded secant for each unknown by itself",
}

Solver: TypeAlias = (
    Newton | Lagged | IQNILS | Anderson | Aitken | Relaxation | DiagonalSecant
)

_CLASSES: Mapping[str, type[Any]] = {
    "newton": Newton,
    "broyden": Newton,
    "bfgs": Newton,
    "iqn-ils": IQNILS,
    "anderson": Anderson,
    "aitken": Aitken,
    "relaxation": Relaxation,
    "diagonal-secant": DiagonalSecant,
}


def choose_solver(solver: str = "newton", **settings: Any) -> Solver:
    """The solver of that name with the given settings.

    For `newton` and its kin `refresh="lagged"` wraps it in `Lagged`.

    >>> choose_solver("anderson", depth=3).depth
    3
    """
    if solver not in SOLVERS:
        raise SettingError(
            "solver", f"no solver {solver!r}.", did_you_mean(solver, SOLVERS)
        )
    kind = _CLASSES[solver]
    _check(solver, settings, [f.name for f in fields(kind)])
    if solver in ("broyden", "bfgs"):
        settings = _updated(solver, settings)
    if settings.get("refresh") == "lagged":
        return Lagged(kind(**{**settings, "refresh": "never"}))
    chosen: Solver = kind(**settings)
    return chosen


def solver_defaults(solver: str) -> dict[str, Any]:
    """The settings that a solver takes, with their values if nothing is said.

    >>> solver_defaults("anderson")["depth"]
    5
    """
    found = {f.name: f.default for f in fields(_CLASSES[solver])}
    return {**found, "update": solver} if solver in ("broyden", "bfgs") else found


def _check(solver: str, settings: Mapping[str, Any], known: list[str]) -> None:
    for key in settings:
        if key not in known:
            raise SettingError(
                f"solver {solver}",
                f"it has no setting {key!r}.",
                did_you_mean(key, known),
            )


def _updated(solver: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with the update that the solver is named after."""
    told = settings.get("update", solver)
    if told != solver:
        raise SettingError(
            f"solver {solver}",
            f"its update is {solver}, not {told}.",
            "Leave `update` out, or use solver 'newton'.",
        )
    return {**settings, "update": solver}
