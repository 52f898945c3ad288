"""How far the numbers of a run can be trusted, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from bondline.report.ledger import method, tolerance
from bondline.run.certificate import Certificate, Check, certify_results
from bondline.run.results import Results

Rows: TypeAlias = tuple[Sequence[str], list[tuple[str, ...]]]


@dataclass(frozen=True)
class Verdict:
    """The sum of all checks, and the words for it."""

    good: bool
    words: str
    checks: tuple[Check, ...]


def verdict(results: Results) -> Verdict:
    """Judge a run by its own record; what it did not record is not counted as good."""
    checks = tuple(_checks(results))
    bad = sum(check.good is False for check in checks)
    silent = sum(check.good is None for check in checks)
    if bad:
        words = f"Look closer: {bad} of {len(checks)} checks failed."
    elif silent:
        words = f"Good as far as recorded: {silent} of {len(checks)} cannot be judged."
    else:
        words = "All checks passed: the parts moved as one model."
    return Verdict(not (bad or silent), words, checks)


def _checks(results: Results) -> Iterator[Check]:
    told = results.settings
    yield from certify_results(results).checks(tolerance(told), method(told))
    yield _finite(results)


def _finite(results: Results) -> Check:
    title = "Numbers are numbers"
    broken = [n for n, v in results.signals.items() if not np.isfinite(v).all()]
    if broken:
        return Check(title, f"NaN or infinity in {', '.join(broken)}.", False)
    return Check(title, f"All {len(results.signals)} signals are finite.", True)


def orders(told: Certificate) -> Rows:
    """Order and estimated error of every signal, if the run was repeated for them."""
    head = ("signal", "order", "estimated error", "of its largest value")
    found = () if told.refined is None else told.refined.orders
    return head, [
        (
            o.signal,
            "round-off" if o.order is None else f"{o.order:.2f}",
            f"{o.error:.3g} {o.unit}",
            f"{o.share:.2g}",
        )
        for o in found
    ]


def flows(told: Certificate) -> Rows:
    """What every joint did to each of its sides."""
    head = ("joint", "side", "work on it", "largest power", "at")
    return head, [
        (
            s.joint,
            s.side,
            f"{s.work:.5g} J",
            f"{s.power:.4g} W",
            f"{s.power_at:.6g} s",
        )
        for s in told.sides
    ]
