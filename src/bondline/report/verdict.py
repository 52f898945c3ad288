"""How far the numbers of a run can be trusted, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bondline.report.ledger import Account, account, setting
from bondline.report.words import number
from bondline.run.results import Results

SMALL = 1e-3  # of the largest energy: what counts as nothing in a balance


@dataclass(frozen=True)
class Check:
    """One question to a run; `good` is None where it cannot be judged."""

    title: str
    finding: str
    good: bool | None


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
    numbers = account(results)
    yield _gap(numbers, setting(results.settings, "tolerance"))
    yield _work(numbers)
    yield _energy(numbers)
    yield _iterations(numbers)
    yield _finite(results)
    if results.certificate:
        yield _warnings(len(results.certificate.get("warnings", ())))


def _gap(numbers: Account, tolerance: float | None) -> Check:
    title = "Interfaces closed"
    if numbers.gap is None:
        return Check(title, "The gap was not recorded.", None)
    found = f"Largest gap {number(numbers.gap, 'm')}"
    if tolerance is None:
        return Check(title, f"{found}; the tolerance is not known.", None)
    words = f"{found}, tolerance {number(tolerance)}."
    return Check(title, words, numbers.gap <= tolerance)


def _work(numbers: Account) -> Check:
    title = "Interfaces neither drive nor brake"
    if numbers.work is None:
        return Check(title, "The interface work was not recorded.", None)
    found = f"Interface work error {number(numbers.work, 'J')}"
    if numbers.largest is None:
        return Check(title, f"{found}; there is no energy to compare it with.", None)
    words = f"{found}, largest energy {number(numbers.largest, 'J')}."
    return Check(title, words, numbers.work <= SMALL * numbers.largest)


def _energy(numbers: Account) -> Check:
    title = "Energy balance"
    if numbers.defect is None or numbers.largest is None:
        return Check(title, "Not every part reports its energy.", None)
    defect, largest = number(numbers.defect, "J"), number(numbers.largest, "J")
    words = f"Defect {defect}, largest energy {largest}."
    return Check(title, words, numbers.defect <= SMALL * numbers.largest)


def _iterations(numbers: Account) -> Check:
    title = "Iterations steady"
    if numbers.mean is None or numbers.most is None:
        return Check(title, "The iterations were not recorded.", None)
    words = f"{numbers.mean:.2f} in the mean, {numbers.most:.0f} at most."
    return Check(title, words, numbers.most <= 4.0 * numbers.mean + 4.0)


def _finite(results: Results) -> Check:
    title = "Numbers are numbers"
    broken = [n for n, v in results.signals.items() if not np.isfinite(v).all()]
    if broken:
        return Check(title, f"NaN or infinity in {', '.join(broken)}.", False)
    return Check(title, f"All {len(results.signals)} signals are finite.", True)


def _warnings(count: int) -> Check:
    words = f"{count} in the certificate, listed below." if count else "None was given."
    return Check("No warnings", words, not count)
