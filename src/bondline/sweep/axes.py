"""Axes of a sweep: `upper.mass=8..12kg:5`, `lower.length=1,2,3m`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bondline.description.overrides import amount
from bondline.errors import UsageError

MOST = 100_000  # values of one axis, and variants of a sweep


class Axis(Protocol):
    """A parameter and the values that it takes, written as for `--set`."""

    @property
    def name(self) -> str:
        """Of the parameter."""
        ...

    def grid(self) -> Sequence[str]:
        """All values that a grid has."""
        ...

    def at(self, share: float) -> str:
        """The value at a share of the way, 0 to 1."""
        ...

    def plain(self) -> dict[str, Any]:
        """As JSON, for the record."""
        ...


@dataclass(frozen=True)
class Choice:
    """Values one by one; they may be words."""

    name: str
    texts: tuple[str, ...]

    def grid(self) -> Sequence[str]:
        """Every one of them."""
        return self.texts

    def at(self, share: float) -> str:
        """Each has the same share."""
        return self.texts[min(int(share * len(self.texts)), len(self.texts) - 1)]

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {"name": self.name, "choices": list(self.texts)}


@dataclass(frozen=True)
class Range:
    """All values between two; `count` of them in a grid, even in the logarithm or not.

    >>> Range("m", 8.0, 12.0, "kg", 3).grid()
    ['8.0kg', '10.0kg', '12.0kg']
    """

    name: str
    low: float
    high: float
    unit: str = ""
    count: int | None = None
    log: bool = False

    def grid(self) -> Sequence[str]:
        """`count` values, both ends among them."""
        if self.count is None:
            raise UsageError(
                f"--set {self.name}={self.low:g}..{self.high:g}{self.unit}",
                "a grid must know how many values.",
                f"Write {self.low:g}..{self.high:g}{self.unit}:5, or take "
                "--sampler lhs.",
            )
        if self.count == 1:
            return [self.at(0.5)]
        return [self.at(k / (self.count - 1)) for k in range(self.count)]

    def at(self, share: float) -> str:
        """The value there, to the last bit of its ends."""
        return f"{self.number(share)!r}{self.unit}"

    def number(self, share: float) -> float:
        """The same without its unit."""
        if share in (0.0, 1.0):
            return self.high if share else self.low
        if self.log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        own = {"low": self.low, "high": self.high, "unit": self.unit}
        return {"name": self.name, **own, "count": self.count, "log": self.log}


def axis(name: str, text: str) -> Axis:
    """The axis that `--set name=text` means.

    >>> axis("m", "1,2,3kg")
    Choice(name='m', texts=('1kg', '2kg', '3kg'))
    >>> axis("k", "1e3..1e5N/m:3:log").grid()
    ['1000.0N/m', '10000.0N/m', '100000.0N/m']
    """
    if ".." in text:
        return _range(name, text)
    texts = tuple(piece.strip() for piece in text.split(","))
    if not all(texts):
        raise _unreadable(name, text)
    return Choice(name, _with_unit(texts))


def _with_unit(texts: tuple[str, ...]) -> tuple[str, ...]:
    """`1,2,3kg` are three masses: a unit behind the last one is everybody's."""
    read = [amount(text) for text in texts]
    units = [pair[1] for pair in read if pair is not None]
    if len(units) < len(texts) or any(units[:-1]):
        return texts
    return (*(f"{text}{units[-1]}" for text in texts[:-1]), texts[-1])


def _range(name: str, text: str) -> Range:
    start, _, rest = text.partition("..")
    stop, *more = (piece.strip() for piece in rest.split(":"))
    if ".." in rest:
        raise UsageError(
            f"--set {name}={text}",
            "a range has two ends, and this has more.",
            "Write 8..12kg:5 for five values between two, or 1,2,3kg for values one "
            "by one.",
        )
    low, high = amount(start), amount(stop)
    if low is None or high is None or low[1] not in ("", high[1]):
        raise _unreadable(name, text)
    counts = [piece for piece in more if piece != "log"]
    if len(counts) > 1 or not all(
        piece.isascii() and piece.isdigit() for piece in counts
    ):
        raise _unreadable(name, text)
    count = int(counts[0]) if counts else None
    found = Range(name, float(low[0]), float(high[0]), high[1], count, "log" in more)
    _sensible(found, text)
    return found


def _sensible(r: Range, text: str) -> None:
    where = f"--set {r.name}={text}"
    if not (math.isfinite(r.low) and math.isfinite(r.high)):
        raise UsageError(where, "an end is not finite.", "Give two numbers.")
    if r.count is not None and not 1 <= r.count <= MOST:
        raise UsageError(where, f"{r.count} values.", f"Give 1 to {MOST}.")
    if r.log and not (r.low > 0.0 and r.high > 0.0):
        raise UsageError(
            where,
            "the logarithm needs numbers above 0.",
            "Leave :log away, or begin above 0.",
        )


def _unreadable(name: str, text: str) -> UsageError:
    return UsageError(
        f"--set {name}={text}",
        "this is neither a range nor a list of values.",
        "Write for example 8..12kg:5, 1e3..1e6N/m:7:log, or 1,2,3kg.",
    )
