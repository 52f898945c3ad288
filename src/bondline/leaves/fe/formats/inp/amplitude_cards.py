"""*AMPLITUDE."""

from __future__ import annotations

from itertools import pairwise

from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.histories import Harmonic, History, Table

DEFINITIONS = ("TABULAR", "PERIODIC", "EQUALLY SPACED")


def amplitude(card: Card, work: Work) -> None:
    """A factor over time: a table, a table of equal intervals, or sines."""
    card.choice("VALUE", ("RELATIVE",), "RELATIVE")
    if card.number("SMOOTH", 0.0) != 0.0:
        raise card.wrong("SMOOTH is not computed here.", "Write out a finer table.")
    if card.choice("TIME", ("STEP TIME", "TOTAL TIME"), "STEP TIME") == "TOTALTIME":
        work.total_time.add(card.option("NAME").upper())
    match card.choice("DEFINITION", DEFINITIONS, "TABULAR"):
        case "PERIODIC":
            history: History = _periodic(card)
        case "EQUALLYSPACED":
            history = _equal(card)
        case _:
            history = _table(card)
    work.amplitudes.put(work.name(card.option("NAME"), card.scope), history)


def _numbers(card: Card, first: int = 0) -> list[float]:
    rows = list(card.rows())[first:]
    return [row.number(i, "a number", 0.0) for row in rows for i in range(len(row))]


def _table(card: Card) -> Table:
    numbers = _numbers(card)
    if not numbers:
        raise card.wrong("the table is empty.", "Give pairs of a time and a factor.")
    if len(numbers) % 2:
        numbers.append(0.0)  # a blank factor is zero, as in all fields
    times, values = tuple(numbers[::2]), tuple(numbers[1::2])
    for before, after in pairwise(times):
        if after < before:
            raise card.wrong(
                f"time {after:g} comes after {before:g}.",
                "Give the times in ascending order.",
            )
    return Table(times, values)


def _equal(card: Card) -> Table:
    interval, begin = card.number("FIXED INTERVAL", 0.0), card.number("BEGIN", 0.0)
    values = _numbers(card)
    if interval <= 0.0 or not values:
        raise card.wrong(
            "there is no FIXED INTERVAL, or no factor.",
            "Give FIXED INTERVAL= a time above zero, and factors on data lines.",
        )
    times = tuple(begin + interval * i for i in range(len(values)))
    return Table(times, tuple(values))


def _periodic(card: Card) -> Harmonic:
    """N, ω, t₀, A₀; then A₁, B₁, A₂, B₂, ..."""
    row = card.row(0, "the line with N, omega, t0 and A0")
    terms = row.label(0, "the number of terms")
    omega = row.positive(1, "the frequency in rad/s")
    t0, a0 = row.number(2, "t0", 0.0), row.number(3, "A0", 0.0)
    factors = _numbers(card, first=1)
    if not 2 * terms - 1 <= len(factors) <= 2 * terms:
        raise card.wrong(
            f"there are {len(factors)} factors for {terms} terms.",
            "Give A and B of every term after the first line.",
        )
    factors += [0.0] * (2 * terms - len(factors))
    return Harmonic(a0, tuple(factors[::2]), tuple(factors[1::2]), omega, t0)
