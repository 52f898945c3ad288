"""Formulas in t as little programs for the kernels (c/formula.c): operands first.

>>> program(Expression("2 * sin(t)"))
[(0, 2.0), (1, 0.0), (8, 0.0), (5, 0.0)]
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping

from bondline.errors import SettingError
from bondline.leaves.expression import Expression

DEPTH = 32  # numbers that a program may hold at once, as in c/formula.c
_NUMBER, _TIME, _MINUS = 0, 1, 2
_OPERATORS: Mapping[type[ast.operator], int] = {
    ast.Add: 3,
    ast.Sub: 4,
    ast.Mult: 5,
    ast.Div: 6,
    ast.Pow: 7,
}
_FUNCTIONS = {
    name: 8 + k
    for k, name in enumerate(
        ("sin", "cos", "tan", "tanh", "atan", "exp", "log", "sqrt", "abs", "step")
    )
}
_CHOICES = {"min": 18, "max": 19}  # of two


def program(expression: Expression) -> list[tuple[int, float]]:
    """Instructions and their numbers; the formula has been checked already."""
    known = {"pi": math.pi, "e": math.e, **expression.given}
    tree = ast.parse(expression.text.strip(), mode="eval")
    steps = list(_steps(tree.body, known))
    if _depth(steps) > DEPTH:
        raise SettingError(
            f"expression {expression.text[:20]!r}…",
            f"it holds more than {DEPTH} numbers at once.",
            "Write sums from the left to the right, or use a table.",
        )
    return steps


def _steps(node: ast.expr, known: Mapping[str, float]) -> Iterator[tuple[int, float]]:
    match node:
        case ast.Constant(value=float() | int() as value):
            yield _NUMBER, float(value)
        case ast.Name(id="t"):
            yield _TIME, 0.0
        case ast.Name(id=name):
            yield _NUMBER, float(known[name])
        case ast.UnaryOp(op=op, operand=operand):
            yield from _steps(operand, known)
            if isinstance(op, ast.USub):
                yield _MINUS, 0.0
        case ast.BinOp(left=left, op=op, right=right):
            yield from _steps(left, known)
            yield from _steps(right, known)
            yield _OPERATORS[type(op)], 0.0
        case ast.Call(func=ast.Name(id=name), args=args):
            yield from _called(name, args, known)
        case _:
            raise TypeError(f"{ast.dump(node)} is in no expression")


def _called(
    name: str, args: list[ast.expr], known: Mapping[str, float]
) -> Iterator[tuple[int, float]]:
    for k, arg in enumerate(args):
        yield from _steps(arg, known)
        if k and name in _CHOICES:
            yield _CHOICES[name], 0.0
    if name not in _CHOICES:
        yield _FUNCTIONS[name], 0.0


def _depth(steps: list[tuple[int, float]]) -> int:
    held = most = 0
    for step, _ in steps:
        held += 1 if step in (_NUMBER, _TIME) else 0
        most = max(most, held)
        held -= 1 if step in (*_OPERATORS.values(), *_CHOICES.values()) else 0
    return most
