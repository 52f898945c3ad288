"""The conformance kit: a leaf against what it declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from bondline.core import Model
from bondline.errors import UsageError
from bondline.testing.asking import Declined
from bondline.testing.checks import (
    abilities,
    affinity,
    blocks,
    compliance,
    energy,
    flexibility,
    frequency,
    impulse,
    keeping,
    kinematics,
    memory,
    ports,
    refusal,
)
from bondline.testing.report import Finding, Report
from bondline.testing.trial import Refusal, Trial

Check: TypeAlias = Callable[[Trial], Iterable[Finding]]

CHECKS: dict[str, Check] = {
    "in place": memory.in_place,
    "repeatability": memory.repeatability,
    "rollback": memory.rollback,
    "determinism": memory.determinism,
    "start": memory.start,
    "silence": ports.silence,
    "serialisation": keeping.serialisation,
    "affinity": affinity.affinity,
    "one step": affinity.one_step,
    "velocity": kinematics.velocity,
    "acceleration": kinematics.acceleration,
    "energy": energy.energy,
    "linearise": flexibility.linearise,
    "superposition": flexibility.superposition,
    "reciprocity": flexibility.reciprocity,
    "passivity": flexibility.passivity,
    "press": abilities.press,
    "place": abilities.place,
    "kick": impulse.kick,
    "equilibrium": abilities.equilibrium,
    "compliance": compliance.compliance,
    "receptance": frequency.receptance,
    "breaks": abilities.breaks,
    "refusal": refusal.refusal,
    "parameters": refusal.parameters,
    "blocks": blocks.blocks,
}
_SHRINK = 8


def check_leaf(
    leaf: Model,
    window: float = 0.01,
    windows: int = 5,
    seed: int = 0,
    make: Callable[..., Model] | None = None,
    strict: bool = False,
) -> Report:
    """Everything a leaf declares, tried: `windows` windows of `window` seconds.

    Loads are random, of a size that moves the ports, and the same for the same seed.
    `make` gives a second instance and takes parameters by name. With `strict` a hint
    counts as a failure.

    >>> from bondline.leaves import chain
    >>> report = check_leaf(chain("row", damping=1.0))
    >>> report.raise_if_failed()
    >>> [f.verdict for f in report.findings if f.check == "rollback"]
    ['passed']
    """
    if not (window > 0.0 and windows >= 3):
        raise UsageError(
            "check_leaf",
            f"found {windows} windows of {window!r} s.",
            "Give at least 3 windows of a positive length.",
        )
    trial = Trial(leaf, window, windows, seed, make)
    findings = _strictly(_findings(trial)) if strict else _findings(trial)
    return Report(leaf.name, tuple(findings))


def assert_conforms(leaf: Model, make: Callable[..., Model] | None = None) -> None:
    """`LeafInconsistent` where a leaf does not do what it declares: for your tests."""
    check_leaf(leaf, make=make).raise_if_failed()


def _findings(trial: Trial) -> Iterator[Finding]:
    first = list(_run("ports", ports.ports, trial))
    for _ in range(_SHRINK):
        if not any(f.check == "window" for f in first):
            break
        trial = replace(trial, h=trial.h / 2.0)
        first = list(_run("ports", ports.ports, trial))
    yield from first
    ready = all(f.verdict != "failed" for f in first)
    for name, check in CHECKS.items():
        if ready:
            yield from _run(name, check, trial)
        else:
            yield Finding(name, "skipped", "the ports must fit first")


def _run(name: str, check: Check, trial: Trial) -> Iterator[Finding]:
    """What a check finds; an exception is a finding, too."""
    try:
        yield from check(trial)
    except Refusal as no:
        words = f"rejected up to t = {no.window.t1:.6g} s: {no.rejected.reason}"
        which = f"window of {no.window.h:.3g} s"
        if name == "ports":  # nothing can be said of such a leaf
            yield Finding("window", "failed", words, which)
        else:
            yield Finding(name, "skipped", words, which)
    except Declined as no:
        yield Finding(name, "skipped", f"the leaf refuses: {no}")
    except Exception as error:  # code of others: anything may happen
        words = f"it raises {type(error).__name__}: {error}"
        yield Finding(name, "failed", words, "exception")


def _strictly(findings: Iterable[Finding]) -> Iterator[Finding]:
    for f in findings:
        yield replace(f, verdict="failed") if f.verdict == "hint" else f
