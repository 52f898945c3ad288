"""Numbers that remember how they came about, so that C can repeat it.

Ordinary Python runs on them and on floats; what is known is worked out at once, zeros
and ones leave nothing behind, and what is computed twice is one number.

>>> tape = Tape()
>>> x, y = tape.given("x"), tape.given("y")
>>> 0.0 * x + 2.0 * 3.0
6.0
>>> x * y is y * x
True
>>> (x - y) * -1.0
-(x - y)
>>> y - x is (x - y) * -1.0
True
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, TypeAlias

Value: TypeAlias = "float | Traced"


class Traced:
    """A number on a tape: an operation and what it works on."""

    __slots__ = ("args", "index", "op", "tape")

    def __init__(self, tape: Tape, op: str, args: tuple[Any, ...]) -> None:
        self.tape, self.op, self.args, self.index = tape, op, args, tape.length

    def __repr__(self) -> str:
        if self.op in _SIGNS:
            return f" {_SIGNS[self.op]} ".join(map(repr, self.args))
        if self.op == "neg":
            return f"-({self.args[0]!r})"
        inner = ", ".join(map(str, self.args))
        return inner if self.op == "given" else f"{self.op}({inner})"

    def __neg__(self) -> Value:
        return self.tape.minus(self)

    def __add__(self, other: Value) -> Value:
        if not isinstance(other, _NUMBERS):
            return NotImplemented  # an array adds its elements itself
        return self.tape.add(self, other)

    __radd__ = __add__

    def __sub__(self, other: Value) -> Value:
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        return self.tape.add(self, -other)

    def __rsub__(self, other: float) -> Value:
        return self.tape.add(other, -self)

    def __mul__(self, other: Value) -> Value:
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        return self.tape.multiply(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Value) -> Value:
        if not isinstance(other, _NUMBERS):
            return NotImplemented
        return self.tape.divide(self, other)

    def __rtruediv__(self, other: float) -> Value:
        return self.tape.divide(other, self)


_NUMBERS = (Traced, float, int)
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


class TooLong(Exception):
    """There are more numbers than a tape may hold, or a program."""


class Tape:
    """All numbers of a program, each after those it is made of, `most` of them."""

    def __init__(self, most: float = inf) -> None:
        self._known: dict[tuple[object, ...], Traced] = {}
        self._most = most

    @property
    def length(self) -> int:
        """How many numbers there are."""
        return len(self._known)

    def __iter__(self) -> Iterator[Traced]:
        return iter(self._known.values())

    def given(self, name: str) -> Traced:
        """A number that the program is called with, by its name in C."""
        return self.made("given", name)

    def made(self, op: str, *args: Any) -> Traced:
        """The result of an operation, the same object for the same arguments."""
        key = (op, *args)
        if key not in self._known:
            if self.length >= self._most:
                raise TooLong
            self._known[key] = Traced(self, op, args)
        return self._known[key]

    def minus(self, x: Traced) -> Value:
        """-x."""
        return _of(x) if x.op == "neg" else self.made("neg", x)

    def add(self, x: Value, y: Value) -> Value:
        """x + y."""
        if not isinstance(x, Traced):
            x, y = y, x
        if not isinstance(x, Traced):
            return x + y
        if not isinstance(y, Traced):
            return self._shifted(x, y)
        (a, p), (b, q) = _scaled(x), _scaled(y)
        if p is q:  # multiples of one number
            return p * (a + b)
        if x.op == "neg" and y.op == "neg":
            return -self.add(x.args[0], y.args[0])
        if x.op == "neg":
            x, y = y, x
        if y.op == "neg":
            return self._difference(x, y.args[0])
        return self.made("add", *sorted((x, y), key=_index))

    def _shifted(self, x: Traced, by: float) -> Value:
        if by == 0.0:
            return x
        if x.op == "add" and isinstance(x.args[1], float):
            return self.add(x.args[0], x.args[1] + by)
        return self.made("add", x, float(by))

    def _difference(self, x: Value, y: Value) -> Value:
        """x - y; the negative of y - x where that is known."""
        turned = self._known.get(("sub", y, x))
        if turned is not None:
            return self.made("neg", turned)
        return self.made("sub", x, y)

    def multiply(self, x: Value, y: Value) -> Value:
        """x y; signs and constants are taken out in front."""
        if not isinstance(x, Traced):
            x, y = y, x
        assert isinstance(x, Traced)
        if not isinstance(y, Traced):
            return self._times(x, float(y))
        if x.op == "neg":
            return -(_of(x) * y)
        if y.op == "neg":
            return -(x * _of(y))
        return self.made("mul", *sorted((x, y), key=_index))

    def _times(self, x: Traced, by: float) -> Value:
        if by == 0.0:
            return 0.0
        if by == 1.0:
            return x
        if x.op == "neg":
            return self.multiply(x.args[0], -by)
        if by < 0.0:
            return -self._times(x, -by)
        factor, rest = _scaled(x)
        if factor != 1.0:
            return self._times(rest, factor * by)
        return self.made("mul", x, by)

    def divide(self, x: Value, y: Value) -> Value:
        """x / y."""
        if not isinstance(y, Traced):
            return x * (1.0 / y)
        if x == 0.0:
            return 0.0
        if y.op == "neg":
            return -(x / _of(y))
        if isinstance(x, Traced) and x.op == "neg":
            return -(_of(x) / y)
        return self.made("div", x, y)


def _of(x: Traced) -> Traced:
    """What a negative number is the negative of."""
    inner: Traced = x.args[0]
    return inner


def _index(x: Traced) -> int:
    return x.index


def _scaled(x: Traced) -> tuple[float, Traced]:
    """A constant factor, and what is left without it."""
    if x.op == "neg":
        factor, rest = _scaled(x.args[0])
        return -factor, rest
    if x.op == "mul" and isinstance(x.args[1], float):
        return x.args[1], x.args[0]
    return 1.0, x
