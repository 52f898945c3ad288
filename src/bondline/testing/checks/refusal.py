"""Whether a leaf says no in the agreed way."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from math import nan

import numpy as np

from bondline.core import Model, Rejected, Signal, Window
from bondline.errors import BondlineError
from bondline.testing.report import Finding
from bondline.testing.shown import unlike, values
from bondline.testing.trial import Inputs, Trial

HUGE = 100.0  # windows in one; leaves that step inside must still come back


def refusal(trial: Trial) -> Iterator[Finding]:
    """A window too far and a force that is no number are no reason to raise.

    And they leave nothing behind.
    """
    k = 1
    whole = trial.window(k)
    far = Window(whole.t0, whole.t0 + HUGE * whole.h)
    loads = trial.loads(trial.path[k], whole, k)
    mad = {
        name: Signal(nan * signal.coefficients) if name in trial.driven else signal
        for name, signal in loads.items()
    }
    for what, window, inputs in (
        ("huge window", far, loads),
        ("NaN force", whole, mad),
    ):
        finding = _tried(trial, what, window, inputs)
        if finding is not None:
            yield finding
    yield _unharmed(trial, k, loads)


def _tried(trial: Trial, what: str, window: Window, inputs: Inputs) -> Finding | None:
    leaf = trial.leaf if trial.leaf.capabilities.repeatable else trial.fresh()
    before = trial.path[1] if leaf is trial.leaf else trial.lead(leaf, 1)[-1]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = leaf.advance(before.state, window, inputs)
    except Exception as error:  # code of others: anything may happen
        words = f"it raises {type(error).__name__}: {error}"
        return Finding("refusal", "failed", words, what)
    if isinstance(done, Rejected) or what == "NaN force":  # NaN in, NaN out is honest
        return None
    if all(np.isfinite(y).all() for y in values(done, energy=True).values()):
        return None
    words = "it answers with numbers that are not finite; Rejected would say why."
    return Finding("refusal", "hint", words, what)


def _unharmed(trial: Trial, k: int, loads: Inputs) -> Finding:
    off = unlike(trial.path[k + 1], trial.step(k, loads))
    if off is None:
        return Finding("refusal", "passed", "too much is rejected, and forgotten")
    words = f"a rejected window leaves something behind: differs by {off.by:.3g}."
    return Finding("refusal", "failed", words, off.quantity, off.by, 0.0)


def parameters(trial: Trial) -> Iterator[Finding]:
    """Parameters are what they say, and nonsense is refused where it is given."""
    known, make = trial.leaf.parameters, trial.make
    for name, p in known.items():
        if not np.isfinite(p.value) or (p.positive and not p.value > 0.0):
            words = f"it is {p.value:g}, which its passport rules out."
            yield Finding("parameters", "failed", words, f"parameter {name}")
            return
    if (
        make is None
        or not known
        or not _settable(make, {n: p.value for n, p in known.items()})
    ):
        yield Finding("parameters", "skipped", "there are none that the kit could set")
        return
    count = 0
    for name, p in known.items():
        for value in (nan, *((0.0, -1.0) if p.positive else ())):
            words = _accepted(make, name, value)
            count += 1
            if words:
                yield Finding("parameters", "failed", words, f"parameter {name}")
                return
    yield Finding("parameters", "passed", f"{count} nonsense values are refused")


def _settable(make: Callable[..., Model], values: dict[str, float]) -> bool:
    try:
        make(**values)
    except TypeError:  # a maker that takes no parameters
        return False
    return True


def _accepted(make: Callable[..., Model], name: str, value: float) -> str:
    try:
        make(**{name: value})
    except BondlineError:
        return ""
    except Exception as error:  # code of others: anything may happen
        return f"{value:g} raises {type(error).__name__}, not a SettingError: {error}"
    return f"{value:g} is accepted."
