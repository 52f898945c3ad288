"""Optimise: the variants of a sweep are chosen one by one, by what came out before.

Each evaluation is a variant in the record and a run in the store. A point that was
evaluated is never run again, so an optimisation that was killed and called again with
the same name walks through its past at once and goes on.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bondline.core import Vector
from bondline.errors import (
    Interrupted,
    LeafFailed,
    SettingError,
    UsageError,
    did_you_mean,
)
from bondline.sweep.axes import Axis, Choice, Range
from bondline.sweep.begin import Wanted, begin_sweep, check_same
from bondline.sweep.drive import carry, take_up
from bondline.sweep.pools import Here, Pool
from bondline.sweep.record import FILE, Sweep, Variant
from bondline.sweep.writer import writing

Objective = Callable[[Mapping[str, float]], float]
METHODS = ("nelder-mead", "differential-evolution", "optuna")


@dataclass(frozen=True)
class Best:
    """The best variant that was found, the sweep it is in, and how many ran."""

    value: float
    variant: Variant
    sweep: Sweep
    evaluations: int


@dataclass(frozen=True)
class Search:
    """What is looked for, and how: `objective` is least at the best variant.

    It is a column (`joint.A.Fx:absmax`), or a function of all results of a variant.
    """

    objective: str | Objective
    method: str = "nelder-mead"
    evaluations: int = 50

    def value(self, results: Mapping[str, float]) -> float:
        """How good those results are."""
        if not isinstance(self.objective, str):
            return float(self.objective(results))
        if self.objective not in results:
            raise UsageError(
                f"objective {self.objective!r}",
                "the variants have no such result.",
                did_you_mean(self.objective, results),
            )
        return results[self.objective]


def optimise(
    folder: Path,
    runs: Path,
    wanted: Wanted,
    search: Search,
    *,
    name: str | None = None,
    pool: Pool | None = None,
) -> Best:
    """The variant of `wanted` with the least objective; variants that fail are worst.

    `folder` is where the sweep is kept, `runs` where its runs are; the seed is
    `wanted`'s. Going on with a `name` that exists asks for nothing twice. Once the
    sweep is cancelled no variant begins, and the best so far is the answer.
    """
    ask = _Asking(
        _sweep(folder, runs, wanted, search, name), runs, wanted, search, pool
    )
    with contextlib.suppress(_Enough):
        _method(search.method)(ask)
    return ask.best()


class _Enough(Exception):
    """As many variants as were allowed, or somebody cancelled the sweep."""


def _sweep(
    folder: Path, runs: Path, wanted: Wanted, search: Search, name: str | None
) -> Sweep:
    if search.method not in METHODS:
        raise UsageError(
            f"method {search.method!r}",
            "there is no such optimiser.",
            did_you_mean(search.method, METHODS),
        )
    if name is not None and (folder / name / FILE).is_file():
        return _taken_up(Sweep(folder / name), wanted)
    if isinstance(search.objective, str) and ":" in search.objective:
        asked = [*wanted.asked, search.objective]  # kept, so that it can be looked at
        wanted = replace(wanted, asked=list(dict.fromkeys(asked)))
    middle = [Choice(a.name, (a.at(0.5),)) for a in wanted.axes]
    start = replace(wanted, axes=middle, sampler="grid", samples=None)
    return begin_sweep(folder, runs, start, name, searched=wanted.axes)


def _taken_up(sweep: Sweep, wanted: Wanted) -> Sweep:
    """To ask again takes back that it was cancelled."""
    check_same(sweep, wanted)
    take_up(sweep)
    return sweep


class _Asking:
    """Evaluates points of the unit cube, each once."""

    def __init__(
        self,
        sweep: Sweep,
        runs: Path,
        wanted: Wanted,
        search: Search,
        pool: Pool | None,
    ) -> None:
        self.sweep, self.runs, self.search = sweep, runs, search
        self.axes: Sequence[Axis] = wanted.axes
        self.seed, self.pool = wanted.seed, pool or Here()
        self.asked = 0

    def __call__(self, shares: Vector) -> float:
        """The objective there."""
        if self.asked >= self.search.evaluations or self.sweep.stop.exists():
            raise _Enough
        self.asked += 1
        inside = np.clip(np.asarray(shares, np.float64), 0.0, 1.0)
        point = {a.name: a.at(float(s)) for a, s in zip(self.axes, inside, strict=True)}
        return self.judge(self.evaluated(point))

    def judge(self, variant: Variant) -> float:
        if variant.status != "done":
            return math.inf
        value = self.search.value(variant.results)
        return value if math.isfinite(value) else math.inf

    def evaluated(self, point: Mapping[str, str]) -> Variant:
        known = self.known(point)
        if known is None:
            with writing(self.sweep) as writer:
                writer.add(point)
        if known is None or known.status not in ("done", "failed"):
            carry(self.sweep, self.pool, self.runs, taken_up=True)
            known = self.known(point)
        assert known is not None, "it was added"
        if known.status not in ("done", "failed"):
            raise _Enough
        return known

    def known(self, point: Mapping[str, str]) -> Variant | None:
        found = self.sweep.variants()
        return next((v for v in found if v.parameters == point), None)

    def best(self) -> Best:
        found = self.sweep.variants("done")
        if not found and self.sweep.stop.exists():
            raise Interrupted(
                f"sweep {self.sweep.id}",
                "it was cancelled before a variant was done.",
                "Ask again with the same name to go on.",
            )
        if not found:
            raise LeafFailed(
                f"sweep {self.sweep.id}",
                "no variant could be run.",
                "`bondline sweeps show` says why; narrow the ranges.",
            )
        best = min(found, key=self.judge)
        return Best(self.judge(best), best, self.sweep, self.asked)


def _method(name: str) -> Callable[[_Asking], None]:
    return {
        "nelder-mead": _nelder_mead,
        "differential-evolution": _evolution,
        "optuna": _optuna,
    }[name]


def _nelder_mead(ask: _Asking) -> None:
    from scipy.optimize import Bounds, minimize

    n = len(ask.axes)
    simplex = np.vstack([np.full(n, 0.5), 0.5 + 0.25 * np.eye(n)])
    options: Any = {
        "initial_simplex": simplex,
        "xatol": 1e-4,
        "fatol": 1e-6,
        "maxfev": ask.search.evaluations,
    }
    bounds = Bounds(np.zeros(n), np.ones(n))
    minimize(
        _relative(ask), simplex[0], method="Nelder-Mead", bounds=bounds, options=options
    )


def _relative(ask: Callable[[Vector], float]) -> Callable[[Vector], float]:
    """Values as multiples of the first that says how large they are."""
    scale: list[float] = []

    def relative(shares: Vector) -> float:
        value = ask(shares)
        if not scale and value != 0.0 and math.isfinite(value):
            scale.append(abs(value))
        return value / scale[0] if scale else value

    return relative


def _evolution(ask: _Asking) -> None:
    from scipy.optimize import Bounds, differential_evolution

    n = len(ask.axes)
    start = np.random.default_rng(ask.seed).random((max(5, 4 * n), n))
    differential_evolution(
        ask,
        Bounds(np.zeros(n), np.ones(n)),
        init=start,
        seed=np.random.default_rng(ask.seed),
        polish=False,
        maxiter=ask.search.evaluations,
    )


def _optuna(ask: _Asking) -> None:
    try:
        import optuna
    except ImportError as error:
        raise SettingError(
            "method 'optuna'",
            "Optuna is not installed.",
            "pip install 'bondline[optuna]', or take differential-evolution.",
        ) from error

    def trial(one: optuna.Trial) -> float:
        value = ask(np.array([_suggest(one, axis) for axis in ask.axes]))
        return value if math.isfinite(value) else 1e300

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=ask.seed))
    study.optimize(trial, n_trials=ask.search.evaluations)


def _suggest(trial: Any, axis: Axis) -> float:
    """A share of the axis; a choice is one of its words, not a number between them."""
    if isinstance(axis, Range):
        return float(trial.suggest_float(axis.name, 0.0, 1.0))
    words = list(axis.grid())
    picked = trial.suggest_categorical(axis.name, words)
    return (words.index(picked) + 0.5) / len(words)
