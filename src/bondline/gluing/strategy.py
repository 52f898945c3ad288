"""How parts are glued: a coupling and an interface solver that go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from bondline.core import Connection, Coupling, InterfaceSolver, Model
from bondline.errors import SettingError, did_you_mean
from bondline.gluing.couplings.choose import choose_coupling
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.schemes import scheme
from bondline.gluing.couplings.xt import XT
from bondline.gluing.rates.two_rates import TwoRates
from bondline.gluing.solvers.as_posed import AsPosed
from bondline.gluing.solvers.choose import SOLVERS, choose_solver
from bondline.gluing.solvers.one_pass import OnePass

ONE_PASS = "one-pass"
Solver: TypeAlias = str | InterfaceSolver[Any] | None


@dataclass(frozen=True)
class Strategy:
    """A coupling, the solver of its problems, and why that coupling."""

    coupling: Coupling[Any]
    solver: InterfaceSolver[Any]
    why: str


@dataclass(frozen=True)
class Wish:
    """What a user says about the gluing; what is left out is chosen by the parts.

    `solver` is a word, with `settings` for it, or a solver.
    """

    coupling: str = "auto"
    scheme: str | None = None
    solver: Solver = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    probe: Probe | None = None
    rates: Mapping[str, Any] | None = None  # of `TwoRates`


def strategy(
    parts: Mapping[str, Model], connections: Sequence[Connection], wish: Wish
) -> Strategy:
    """The coupling and the solver, or `SettingError` with the reason why not."""
    if wish.rates is not None:
        return _two_rates(parts, connections, wish)
    coupling, kind, why = choose_coupling(
        parts, connections, wish.coupling, wish.scheme, wish.probe
    )
    explicit = isinstance(coupling, XT) and bool(coupling.scheme.extrapolate)
    once = kind == ONE_PASS or explicit
    solver = _solver(wish, once, why)
    return Strategy(coupling, posed(coupling, solver), why)


def _two_rates(
    parts: Mapping[str, Model], connections: Sequence[Connection], wish: Wish
) -> Strategy:
    """Two rates; the scheme and the solver are those of the short windows, too."""
    choose_coupling(parts, connections, wish.coupling)  # refuses what cannot be
    solver = wish.solver
    if solver is None or isinstance(solver, str):
        solver = choose_solver(solver or "newton", **wish.settings)
    more: dict[str, Any] = {"solver": solver, **(wish.rates or {})}
    if wish.scheme is not None:
        more["scheme"] = scheme(wish.scheme)
    if wish.probe is not None:
        more["probe"] = wish.probe
    coupling = TwoRates(**more)
    why = (
        f"two rates: {coupling.fast} takes {coupling.windows} windows while the others "
        "take one."
    )
    return Strategy(coupling, posed(coupling, solver), why)


def posed(
    coupling: Coupling[Any], solver: InterfaceSolver[Any]
) -> InterfaceSolver[Any]:
    """The solver, wrapped where each window says whether it is iterated."""
    chooses = isinstance(coupling, XT) and coupling.scheme.open
    if isinstance(solver, AsPosed) or not (chooses or isinstance(coupling, TwoRates)):
        return solver
    return AsPosed(solver)


def _solver(wish: Wish, once: bool, why: str) -> InterfaceSolver[Any]:
    if wish.solver is not None and not isinstance(wish.solver, str):
        return _same(wish.solver, once, why)
    if once:
        return _one_pass(wish.solver or ONE_PASS, wish.settings, why)
    if wish.solver == ONE_PASS:
        raise SettingError(
            "solver one-pass",
            "the parts can repeat a window, and without iterations the gap would stay.",
            "Leave solver out; one pass goes with X-T coupling and an explicit scheme.",
        )
    return choose_solver(wish.solver or "newton", **wish.settings)


def _same(solver: InterfaceSolver[Any], once: bool, why: str) -> InterfaceSolver[Any]:
    """A solver that was made already must go with the coupling, too."""
    kind = solver.settings()["kind"]
    if once != (kind == ONE_PASS):
        raise SettingError(
            f"solver {kind}",
            f"it does not go with the coupling ({why}).",
            "Use OnePass() there." if once else "OnePass() is for one-pass couplings.",
        )
    return solver


def _one_pass(solver: str, settings: Mapping[str, Any], why: str) -> OnePass:
    if solver not in (*SOLVERS, ONE_PASS):
        raise SettingError(
            "solver",
            f"no solver {solver!r}.",
            did_you_mean(solver, (*SOLVERS, ONE_PASS)),
        )
    if solver != ONE_PASS:
        raise SettingError(
            f"solver {solver}",
            f"it advances each window several times, which is not possible ({why}).",
            "Leave solver out: one pass.",
        )
    known = [f.name for f in fields(OnePass)]
    for key in settings:
        if key not in known:
            raise SettingError(
                "solver one-pass",
                f"it has no setting {key!r}: nothing is iterated ({why}).",
                did_you_mean(key, known),
            )
    return OnePass(**settings)
