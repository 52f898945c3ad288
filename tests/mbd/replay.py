"""Traced numbers worked out in Python: what their program in C would give."""

from math import cos, factorial, sin

from bondline.kernels.traced import Traced

OPERATIONS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x: -x,
    "sin": sin,
    "cos": cos,
    "part": lambda call, key: call[key],
    "before": lambda s, mean, then: mean if s < 0.0 else then,
}


def series(x, first, weights=lambda k: 1.0):
    """Σ weight (−x)ᵏ / (2k + first)!"""
    return sum(weights(k) * (-x) ** k / factorial(2 * k + first) for k in range(30))


def turning(x):
    """The coefficients of c/turning.h, by their series."""
    return {
        **{"a": series(x, 1), "b": series(x, 2), "c": series(x, 3)},
        "db": series(x, 4, lambda k: -(k + 1.0)),
        "dc": series(x, 5, lambda k: -(k + 1.0)),
    }


def replayed(tape, given):
    """Every number of a tape, by its index."""
    found = {}
    for x in tape:
        args = [found[a.index] if isinstance(a, Traced) else a for a in x.args]
        if x.op == "given":
            found[x.index] = given[args[0]]
        elif x.op == "turning":
            found[x.index] = turning(*args)
        else:
            found[x.index] = OPERATIONS[x.op](*args)
    return found


def value(x, found):
    """A number that may have been traced."""
    return found[x.index] if isinstance(x, Traced) else x
