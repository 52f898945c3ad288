"""Names and numbers on their way into something a person reads."""

from __future__ import annotations

import math


def clean(text: str) -> str:
    """The text without characters that cannot be seen, or that turn it around.

    >>> clean("a" + chr(0x202E) + "b")
    'a�b'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def printable(text: str, longest: int = 60) -> str:
    """The text as a label: clean, and its middle left out if it is too long.

    >>> printable("left.rail.joint.A.Fx", 11)
    'left.….A.Fx'
    """
    short = clean(text)
    if len(short) <= longest:
        return short
    head = longest // 2
    return f"{short[:head]}…{short[len(short) - (longest - head - 1) :]}"


def number(value: float, unit: str = "") -> str:
    """Three digits and the unit.

    >>> number(7.6543e-7, "J"), number(12.0), number(1123.4, "N")
    ('7.65e-07 J', '12', '1120 N')
    """
    digits = f"{value:.3g}" if math.isfinite(value) else "not a number"
    if 1e3 <= abs(value) < 1e6:
        digits = f"{float(digits):.0f}"
    return f"{digits} {unit}".strip()


def percent(part: float, whole: float) -> str:
    """A share in words, empty if there is nothing to take it of.

    >>> percent(1.0, 80.0)
    ' (1.2 % of the largest value)'
    """
    if not (whole > 0.0 and math.isfinite(part / whole)):
        return ""
    return f" ({100.0 * part / whole:.2g} % of the largest value)"
