"""Arithmetic of parameters, and nothing else that text could ask for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bondline.errors import SettingError
from bondline.leaves.expression import Expression
from bondline.leaves.fe.formats.row import LARGEST_NUMBER

LONGEST = 500
TIME = re.compile(r"\bt\b")  # a parameter may have this name; time has none here


class NotArithmetic(Exception):
    """A text that is no arithmetic, and why; never leaves the reader."""


def worth(text: str, names: Mapping[str, float]) -> float:
    """What an expression of numbers, names in lower case and functions is worth.

    >>> worth("2 * Pi * f", {"f": 50.0})
    314.1592653589793
    """
    if len(text) > LONGEST:
        raise NotArithmetic(f"it is longer than {LONGEST} characters")
    formula = TIME.sub("t_", text.lower().replace("^", "**"))
    given = {TIME.sub("t_", name): number for name, number in names.items()}
    try:
        number = Expression(formula, given).at(0.0)[0]
    except SettingError as error:
        raise NotArithmetic(error.finding.removesuffix(".")) from error
    except (ArithmeticError, RecursionError, MemoryError, ValueError, TypeError) as bad:
        raise NotArithmetic("it cannot be computed") from bad
    if not abs(number) <= LARGEST_NUMBER:
        raise NotArithmetic(f"its value is beyond {LARGEST_NUMBER:g}")
    return number
