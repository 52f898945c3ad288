"""Histories written as formulas in t, with exact rates.

A formula is read by Python's own parser into a tree, of which only numbers, `t`, `pi`,
arithmetic and the functions of `FUNCTIONS` are accepted: nothing is ever executed.
Rates come from jets (f, f', f''), which follow the rules of differentiation exactly.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from bondline.errors import SettingError, did_you_mean


class Jet(NamedTuple):
    """A value, its rate and its second rate."""

    f: float
    d: float = 0.0
    dd: float = 0.0


_LONGEST = 2000
_UNREADABLE = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)

Rule: TypeAlias = Callable[..., Jet]
Formula: TypeAlias = Callable[[float], Jet]


@dataclass(frozen=True)
class Expression:
    """A formula in t, for example `2000 * sin(100 * pi * t)`.

    `given` are further names with values. `kinks` are the instants at which it is not
    smooth (of abs, min, max, step): a formula does not tell them by itself.
    """

    text: str
    given: Mapping[str, float] = field(default_factory=dict, hash=False)
    kinks: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        _ = self._formula

    @cached_property
    def _formula(self) -> Formula:
        place = f"expression {self.text!r}"
        if len(self.text) > _LONGEST:
            raise SettingError(
                f"expression {self.text[:20]!r}…",
                f"it has {len(self.text)} characters.",
                f"Write no more than {_LONGEST}; use a table for measured data.",
            )
        try:
            with warnings.catch_warnings():  # 2if t: Python warns, and guesses
                warnings.simplefilter("error", SyntaxWarning)
                tree = ast.parse(self.text.strip(), mode="eval")
            return _Reader(place, dict(self.given)).read(tree.body)
        except _UNREADABLE as error:
            raise SettingError(
                place,
                f"it cannot be read: {error}.",
                "Write a formula in t, for example 2000 * sin(100 * pi * t).",
            ) from error

    def at(self, t: float) -> tuple[float, float, float]:
        """Value, rate, second rate; `SettingError` where it has none."""
        try:
            jet = self._formula(t)
            if all(map(math.isfinite, jet)):
                return jet.f, jet.d, jet.dd
            finding = "the result is not finite"
        except (ArithmeticError, ValueError) as error:
            finding = str(error)
        raise SettingError(
            f"expression {self.text!r}",
            f"it has no value or no rate at t = {t:g}: {finding}.",
            "Keep it finite and smooth over the whole run.",
        )


@dataclass(frozen=True)
class _Reader:
    place: str
    given: Mapping[str, float]

    def read(self, node: ast.expr) -> Formula:
        match node:
            case ast.Constant(value=float() | int() as value) if value is not True:
                number = Jet(float(value))
                return lambda t: number
            case ast.Name(id=name):
                return self._name(name)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                inner = self.read(operand)
                sign = -1.0 if isinstance(op, ast.USub) else 1.0
                return lambda t: _times(Jet(sign), inner(t))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                rule, a, b = _OPERATORS[type(op)], self.read(left), self.read(right)
                return lambda t: rule(a(t), b(t))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, [self.read(a) for a in args])
        raise SettingError(
            self.place,
            f"{ast.unparse(node)!r} is not part of a formula.",
            "Use numbers, t, pi, + - * / ** and functions: "
            f"{', '.join(sorted(FUNCTIONS))}.",
        )

    def _name(self, name: str) -> Formula:
        if name == "t":
            return lambda t: Jet(t, 1.0)
        known = {"pi": math.pi, "e": math.e, **self.given}
        if name not in known:
            raise SettingError(
                self.place, f"{name!r} is unknown.", did_you_mean(name, [*known, "t"])
            )
        number = Jet(float(known[name]))
        return lambda t: number

    def _call(self, name: str, inner: list[Formula]) -> Formula:
        if name not in FUNCTIONS:
            raise SettingError(
                self.place,
                f"there is no function {name!r}.",
                did_you_mean(name, FUNCTIONS),
            )
        count, rule = FUNCTIONS[name]
        if len(inner) != count and not (count < 0 and len(inner) >= -count):
            most = f"{-count} or more" if count < 0 else str(count)
            raise SettingError(
                self.place,
                f"{name} is given {len(inner)} values.",
                f"It takes {most}.",
            )
        return lambda t: rule(*(f(t) for f in inner))


def _plus(a: Jet, b: Jet) -> Jet:
    return Jet(a.f + b.f, a.d + b.d, a.dd + b.dd)


def _minus(a: Jet, b: Jet) -> Jet:
    return Jet(a.f - b.f, a.d - b.d, a.dd - b.dd)


def _times(a: Jet, b: Jet) -> Jet:
    return Jet(
        a.f * b.f, a.d * b.f + a.f * b.d, a.dd * b.f + 2 * a.d * b.d + a.f * b.dd
    )


def _over(a: Jet, b: Jet) -> Jet:
    return _times(a, _chain(b, 1.0 / b.f, -1.0 / b.f**2, 2.0 / b.f**3))


def _power(a: Jet, b: Jet) -> Jet:
    if b.d == b.dd == 0.0:
        n = b.f
        if n == 0.0:
            return Jet(1.0)
        if a.d == a.dd == 0.0:
            return Jet(a.f**n)
        first = 1.0 if n == 1.0 else a.f ** (n - 1.0)
        second = 0.0 if n == 1.0 else 1.0 if n == 2.0 else a.f ** (n - 2.0)
        return _chain(a, a.f**n, n * first, n * (n - 1.0) * second)
    return _exp(_times(b, _log(a)))


def _chain(u: Jet, f: float, df: float, ddf: float) -> Jet:
    """f(u) with the derivatives f' and f'' at u."""
    return Jet(f, df * u.d, ddf * u.d**2 + df * u.dd)


def _exp(u: Jet) -> Jet:
    return _chain(u, *[math.exp(u.f)] * 3)


def _log(u: Jet) -> Jet:
    return _chain(u, math.log(u.f), 1.0 / u.f, -1.0 / u.f**2)


def _sin(u: Jet) -> Jet:
    s, c = math.sin(u.f), math.cos(u.f)
    return _chain(u, s, c, -s)


def _cos(u: Jet) -> Jet:
    s, c = math.sin(u.f), math.cos(u.f)
    return _chain(u, c, -s, -c)


def _tan(u: Jet) -> Jet:
    return _over(_sin(u), _cos(u))


def _tanh(u: Jet) -> Jet:
    h = math.tanh(u.f)
    return _chain(u, h, 1.0 - h * h, -2.0 * h * (1.0 - h * h))


def _atan(u: Jet) -> Jet:
    q = 1.0 + u.f**2
    return _chain(u, math.atan(u.f), 1.0 / q, -2.0 * u.f / q**2)


def _sqrt(u: Jet) -> Jet:
    if u.f == u.d == u.dd == 0.0:
        return Jet(0.0)
    r = math.sqrt(u.f)
    return _chain(u, r, 0.5 / r, -0.25 / (r * u.f))


def _abs(u: Jet) -> Jet:
    return u if u.f >= 0.0 else _minus(Jet(0.0), u)


def _step(u: Jet) -> Jet:
    return Jet(1.0 if u.f >= 0.0 else 0.0)


def _least(*jets: Jet) -> Jet:
    return min(jets, key=lambda j: j.f)


def _most(*jets: Jet) -> Jet:
    return max(jets, key=lambda j: j.f)


_OPERATORS: Mapping[type[ast.operator], Rule] = {
    ast.Add: _plus,
    ast.Sub: _minus,
    ast.Mult: _times,
    ast.Div: _over,
    ast.Pow: _power,
}
FUNCTIONS: Mapping[str, tuple[int, Rule]] = {  # how many values; −1: one or more
    "sin": (1, _sin),
    "cos": (1, _cos),
    "tan": (1, _tan),
    "tanh": (1, _tanh),
    "atan": (1, _atan),
    "exp": (1, _exp),
    "log": (1, _log),
    "sqrt": (1, _sqrt),
    "abs": (1, _abs),
    "step": (1, _step),
    "min": (-1, _least),
    "max": (-1, _most),
}
