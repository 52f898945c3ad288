"""C without loops from traced numbers: one line for each that a result needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf, isnan

from bondline.kernels.traced import Traced, Value

Line = Callable[[Traced], str]  # how an operation of a caller's own is written


def number(x: float) -> str:
    """A constant, exactly."""
    assert not isnan(x), "a constant of a program is a number"
    if abs(x) == inf:
        return "INFINITY" if x > 0.0 else "-INFINITY"
    return x.hex() if x >= 0.0 else f"({x.hex()})"


def name(x: Value) -> str:
    """How later lines call it."""
    if not isinstance(x, Traced):
        return number(x)
    return str(x.args[0]) if x.op == "given" else f"v{x.index}"


def needed(results: Iterable[Value]) -> list[Traced]:
    """All that the results are made of, in the order in which it can be computed."""
    waiting = [x for x in results if isinstance(x, Traced)]
    found: dict[int, Traced] = {}
    while waiting:
        x = waiting.pop()
        if x.index not in found:
            found[x.index] = x
            waiting += [arg for arg in x.args if isinstance(arg, Traced)]
    return [found[k] for k in sorted(found)]


_BETWEEN = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def line(x: Traced, own: Mapping[str, Line]) -> str:
    """The declaration of a number; `own` are operations that only the caller knows."""
    if x.op in own:
        return own[x.op](x)
    args = [name(arg) for arg in x.args]
    if x.op in _BETWEEN:
        value = f"{args[0]} {_BETWEEN[x.op]} {args[1]}"
    elif x.op == "neg":
        value = f"-{args[0]}"
    else:
        value = f"{x.op}({', '.join(args)})"
    return f"const double v{x.index} = {value};"


def body(numbers: Iterable[Traced], own: Mapping[str, Line]) -> list[str]:
    """The lines of a function's body; what it is called with needs none."""
    return [line(x, own) for x in numbers if x.op != "given"]
