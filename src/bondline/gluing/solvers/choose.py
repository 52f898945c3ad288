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
from bondline.gluing.solvers.iterated import Correction, Iterated
from bondline.gluing.solvers.lagged import Lagged
from bondline.gluing.solvers.loop import Stop
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

Solver: TypeAlias = Newton | Lagged | Iterated

_RULES: Mapping[str, type[Correction]] = {
    rule.kind: rule for rule in (IQNILS, Anderson, Aitken, Relaxation, DiagonalSecant)
}


def choose_solver(solver: str = "newton", **settings: Any) -> Solver:
    """The solver of that name with the given settings.

    For `newton` and its kin `refresh="lagged"` wraps it in `Lagged`.

    >>> choose_solver("anderson", depth=3, tolerance=1e-8).rule.depth
    3
    """
    if solver not in SOLVERS:
        raise SettingError(
            "solver", f"no solver {solver!r}.", did_you_mean(solver, SOLVERS)
        )
    _check(solver, settings, list(solver_defaults(solver)))
    if solver in _RULES:
        return _iterated(_RULES[solver], settings)
    if solver in ("broyden", "bfgs"):
        settings = _updated(solver, settings)
    if settings.get("refresh") == "lagged":
        return Lagged(Newton(**{**settings, "refresh": "never"}))
    return Newton(**settings)


def solver_defaults(solver: str) -> dict[str, Any]:
    """The settings that a solver takes, with their values if nothing is said.

    >>> solver_defaults("anderson")["depth"]
    5
    """
    if solver in _RULES:
        return _defaults(Stop) | _defaults(_RULES[solver])
    found = _defaults(Newton)
    return {**found, "update": solver} if solver in ("broyden", "bfgs") else found


def _defaults(kind: type[Any]) -> dict[str, Any]:
    return {f.name: f.default for f in fields(kind)}


def _iterated(rule: type[Correction], settings: Mapping[str, Any]) -> Iterated:
    of_stop = {key: settings[key] for key in _defaults(Stop) if key in settings}
    of_rule = {key: x for key, x in settings.items() if key not in of_stop}
    return Iterated(rule(**of_rule), Stop(**of_stop))


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
